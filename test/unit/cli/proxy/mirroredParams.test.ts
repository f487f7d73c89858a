import assert from 'node:assert/strict';
import { describe, it } from 'mocha';
import { readFrames, type RequestFrame } from '../../../../src/cli/proxy/agentFrame.ts';
import type { Sent } from '../../../../src/cli/proxy/gatewayLink.ts';
import { MirroredParams, type SendList } from '../../../../src/cli/proxy/mirroredParams.ts';

const _meta = { 'io.modelcontextprotocol/protocolVersion': '2026-07-28' };

function frame(method: string, params: object): RequestFrame {
  const [read] = readFrames(
    Buffer.from(JSON.stringify({ jsonrpc: '2.0', id: 1, method, params: { ...params, _meta } })),
  );
  return read as RequestFrame;
}

function answered(status: number, body: object): Sent {
  return { kind: 'answered', status, session: undefined, body: Buffer.from(JSON.stringify(body)) };
}

const tool = (name: string, header?: string): object => ({
  name,
  inputSchema: { type: 'object', properties: { region: { type: 'string', 'x-mcp-header': header } } },
});

describe('arguments that a tool wants in headers', () => {
  it('are learned from all pages of the tools, once they were missed, and sent from then on', async () => {
    const mirrored = new MirroredParams();
    const call = frame('tools/call', { name: 'b', arguments: { region: 'Zürich' } });
    assert.deepEqual(mirrored.of(call), {});
    assert.ok(mirrored.isWanted(call, answered(400, { id: 1, error: { code: -32020, message: '' } })));
    assert.ok(!mirrored.isWanted(call, answered(400, { id: 1, error: { code: -32602, message: '' } })));
    const cursors: unknown[] = [];
    const send: SendList = (list, onPage) => {
      const { cursor } = list.params;
      cursors.push(cursor, list.params['_meta']);
      if (cursor === undefined)
        return Promise.resolve(answered(200, { result: { tools: [tool('a')], nextCursor: 'next' } }));
      onPage(Buffer.from(JSON.stringify({ id: 'x', result: { tools: [tool('b', 'Region')] } })));
      return Promise.resolve({ kind: 'answered', status: 200, session: undefined, body: undefined });
    };
    const expected = { 'Mcp-Param-Region': `=?base64?${Buffer.from('Zürich').toString('base64')}?=` };
    assert.deepEqual(await mirrored.learn(call, send), expected);
    assert.deepEqual(cursors, [undefined, _meta, 'next', _meta]);
    assert.deepEqual(mirrored.of(call), expected);
    assert.deepEqual(mirrored.of(frame('tools/call', { name: 'a', arguments: { region: 'x' } })), {});
    mirrored.forget();
    assert.deepEqual(mirrored.of(call), {});
  });

  it('are none where the list cannot be read', async () => {
    const mirrored = new MirroredParams();
    const call = frame('tools/call', { name: 'b', arguments: {} });
    for (const sent of [{ kind: 'broken', arrived: 'maybe' }, answered(200, { result: { tools: 'none' } })] as const) {
      assert.deepEqual(await mirrored.learn(call, () => Promise.resolve(sent)), {});
    }
  });
});
