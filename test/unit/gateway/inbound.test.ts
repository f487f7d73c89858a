import assert from 'node:assert/strict';
import { describe, it } from 'mocha';
import { type Inbound, readInbound } from '../../../src/gateway/inbound.ts';

const list = { jsonrpc: '2.0', id: 1, method: 'tools/list' };

function read(body: unknown, version?: string, mark = ''): Inbound {
  const headers = { version, method: undefined, name: undefined };
  return readInbound(Buffer.from(mark + JSON.stringify(body)), headers);
}

describe('the messages of a request', () => {
  it('may begin with the mark of UTF-8', () => {
    assert.equal(read(list, undefined, '\uFEFF').kind, 'legacy');
    assert.equal(read(list, undefined, '\uFEFF\uFEFF').kind, 'refused');
  });

  it('are refused under a revision that there is not, once one is agreed on', () => {
    for (const version of ['garbage', '1999-01-01', '']) {
      for (const body of [list, [list], { jsonrpc: '2.0', method: 'notifications/initialized' }]) {
        const inbound = read(body, version);
        assert.ok(inbound.kind === 'refused', JSON.stringify([version, body]));
        assert.equal(inbound.status, 400);
      }
      assert.equal(read({ ...list, method: 'initialize' }, version).kind, 'legacy');
    }
    for (const version of ['2025-11-25', '2025-03-26', undefined]) {
      assert.equal(read(list, version).kind, 'legacy');
      assert.equal(read([list], version).kind, 'legacy');
    }
  });

  it('are no batch of a revision that has none', () => {
    assert.equal(read([list], '2026-07-28').kind, 'refused');
  });

  it('are refused where a number in them would reach the server as another one', () => {
    const call = (args: string): string =>
      `{"jsonrpc":"2.0","id":7,"method":"tools/call","params":{"name":"sum","arguments":${args}}}`;
    const readText = (text: string): Inbound => readInbound(Buffer.from(text), undefined);
    for (const text of [call('{"user":9007199254740993}'), call('{"user":[1,1e400]}')]) {
      const inbound = readText(text);
      assert.ok(inbound.kind === 'refused', text);
      assert.deepEqual([inbound.id, inbound.status, inbound.error.code], [7, 200, -32602]);
      assert.match(inbound.error.message, /user: this number/);
    }
    assert.equal(readText(`[${call('{"user":9007199254740993}')}]`).kind, 'refused');
    for (const args of ['{"user":9007199254740992}', '{"user":"9007199254740993"}', '{"x":0.12345678901234567}']) {
      assert.equal(readText(call(args)).kind, 'legacy', args);
    }
  });
});
