import assert from 'node:assert/strict';
import { PassThrough } from 'node:stream';
import { describe, it } from 'mocha';
import { LineOutput } from '../../../../src/cli/proxy/lineOutput.ts';

function written(stream: PassThrough): string {
  return String(stream.read() ?? '');
}

describe('what goes to an agent', () => {
  it('is one line a message, in pieces or not, without line ends inside', () => {
    const stream = new PassThrough();
    const output = new LineOutput(stream);
    output.write(Buffer.from('{"a":1}'));
    const shared = Buffer.from('{\r\n "b": 2\n}');
    output.write(Buffer.from('{"result":'), shared, Buffer.from('}'));
    assert.equal(written(stream), '{"a":1}\n{"result":{   "b": 2 }}\n');
    assert.equal(shared.toString(), '{\r\n "b": 2\n}');
  });

  it('tells until when the agent reads more slowly than we write', async () => {
    const stream = new PassThrough({ highWaterMark: 16 });
    const output = new LineOutput(stream);
    const isReady = (): boolean => output.ready === undefined;
    assert.ok(isReady());
    const large = Buffer.alloc(100_000, 'x');
    output.write(large, large);
    assert.ok(!isReady() && output.unread > 0);
    const waited = output.ready;
    stream.resume();
    await waited;
    assert.ok(isReady());
  });

  it('waits no more once nobody reads', async () => {
    const stream = new PassThrough({ highWaterMark: 1 });
    const output = new LineOutput(stream);
    output.write(Buffer.from('{"a":1}'));
    stream.destroy();
    await output.ready;
    output.write(Buffer.from('{"b":1}'));
    assert.equal(output.ready, undefined);
  });
});
