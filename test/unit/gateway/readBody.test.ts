import assert from 'node:assert/strict';
import type { IncomingMessage } from 'node:http';
import { PassThrough } from 'node:stream';
import { describe, it } from 'mocha';
import { readBody } from '../../../src/gateway/readBody.ts';
import { settled } from '../../support/settled.ts';

const request = (): PassThrough & IncomingMessage => new PassThrough() as unknown as PassThrough & IncomingMessage;

describe('the body of a request', () => {
  it('is read whole up to its bound', async () => {
    const sent = request();
    const body = readBody(sent, 10);
    sent.write('12345');
    sent.end('67890');
    assert.deepEqual(await body, { kind: 'read', bytes: Buffer.from('1234567890') });
  });

  it('is told to be too large with the first byte above, whatever size was told, and is read on without being kept', async () => {
    const sent = request();
    const kinds: string[] = [];
    void readBody(sent, 10).then(({ kind }) => kinds.push(kind));
    sent.write('1234567890');
    await settled();
    assert.deepEqual(kinds, []);
    sent.write('1');
    await settled();
    assert.deepEqual(kinds, ['tooLarge']);
    for (let count = 0; count < 100; count += 1) sent.write(Buffer.alloc(100_000));
    await settled();
    assert.equal(sent.readableLength, 0);
  });

  it('is broken where its client goes away', async () => {
    const sent = request();
    const body = readBody(sent, 10);
    sent.destroy();
    assert.deepEqual(await body, { kind: 'broken' });
  });
});
