import assert from 'node:assert/strict';
import { describe, it } from 'mocha';
import { type AgentFrame, isAnswerTo, mirrorHeaders, readFrames } from '../../../../src/cli/proxy/agentFrame.ts';

const modern = { 'io.modelcontextprotocol/protocolVersion': '2026-07-28' };

function read(message: unknown): ReturnType<typeof readFrames>[number] {
  const [frame, ...more] = readFrames(Buffer.from(typeof message === 'string' ? message : JSON.stringify(message)));
  assert.deepEqual(more, []);
  return frame!;
}

describe('a frame of an agent', () => {
  it('is read as what it is, and kept as it came', () => {
    const text = ' {"jsonrpc":"2.0", "id":1, "method":"ping"}';
    const frame = read(text) as AgentFrame;
    assert.deepEqual([frame.kind, frame.era, frame.bytes.toString()], ['request', 'legacy', text]);
    assert.equal(read({ jsonrpc: '2.0', method: 'notifications/initialized' }).kind, 'notification');
    assert.equal(read({ jsonrpc: '2.0', id: 'q', result: {} }).kind, 'answer');
    assert.equal(read({ jsonrpc: '2.0', id: 'q', error: { code: 1, message: '' } }).kind, 'answer');
  });

  it('is of the era that its envelope says, but for the old handshake', () => {
    const eraOf = (method: string, version?: string): string => {
      const _meta = version === undefined ? undefined : { 'io.modelcontextprotocol/protocolVersion': version };
      return (read({ jsonrpc: '2.0', id: 1, method, params: { _meta } }) as AgentFrame).era;
    };
    assert.equal(eraOf('tools/list', '2026-07-28'), 'modern');
    assert.equal(eraOf('tools/list', '2025-11-25'), 'modern');
    assert.equal(eraOf('tools/list'), 'legacy');
    assert.equal(eraOf('initialize', '2025-11-25'), 'legacy');
    assert.equal(eraOf('initialize', '2026-07-28'), 'modern');
  });

  it('is answered with what is wrong about it, under its id where it has one', () => {
    const faultOf = (message: unknown): unknown => {
      const noise = read(message);
      return noise.kind === 'noise' && [noise.id, noise.code];
    };
    assert.deepEqual(faultOf('what?'), [null, -32700]);
    assert.deepEqual(faultOf({ jsonrpc: '2.0', id: 7, method: 42 }), [7, -32600]);
    assert.deepEqual(faultOf({ id: 'x', method: 'ping' }), ['x', -32600]);
    assert.deepEqual(faultOf('[]'), [null, -32600]);
    assert.deepEqual(faultOf('17'), [null, -32600]);
  });

  it('may be several in a batch, each by itself', () => {
    const ping = { jsonrpc: '2.0', method: 'ping' };
    const frames = readFrames(Buffer.from(JSON.stringify([{ ...ping, id: 1 }, { ...ping, id: 2 }, 3])));
    assert.deepEqual(
      frames.map((frame) => (frame.kind === 'noise' ? 'noise' : frame.bytes.toString())),
      [JSON.stringify({ ...ping, id: 1 }), JSON.stringify({ ...ping, id: 2 }), 'noise'],
    );
  });

  it('repeats in headers what the newer revision wants there, in plain ASCII', () => {
    const headersOf = (method: string, params: object): unknown =>
      mirrorHeaders(read({ jsonrpc: '2.0', id: 1, method, params: { ...params, _meta: modern } }) as AgentFrame);
    const common = { 'mcp-protocol-version': '2026-07-28' };
    assert.deepEqual(headersOf('tools/list', {}), { ...common, 'mcp-method': 'tools/list' });
    assert.deepEqual(headersOf('tools/call', { name: 'mcp__a__b' }), {
      ...common,
      ...{ 'mcp-method': 'tools/call', 'mcp-name': 'mcp__a__b' },
    });
    assert.deepEqual(headersOf('resources/read', { uri: 'file:///ä' }), {
      ...common,
      'mcp-method': 'resources/read',
      'mcp-name': `=?base64?${Buffer.from('file:///ä').toString('base64')}?=`,
    });
    assert.deepEqual(mirrorHeaders(read({ jsonrpc: '2.0', id: 1, method: 'tools/list' }) as AgentFrame), {});
  });
});

describe('a message from a gateway', () => {
  it('is an answer where it has the id and is no question', () => {
    const is = (id: string | number, message: object | string): boolean =>
      isAnswerTo(id, Buffer.from(typeof message === 'string' ? message : JSON.stringify(message)));
    for (const id of [1, 'a"b']) {
      assert.ok(is(id, { jsonrpc: '2.0', id, result: {} }));
      assert.ok(is(id, { jsonrpc: '2.0', id, error: {} }));
      assert.ok(is(id, { result: {}, id, jsonrpc: '2.0' }));
      assert.ok(!is(id, { jsonrpc: '2.0', id, method: 'ping' }));
      assert.ok(!is(id, { method: 'ping', id, jsonrpc: '2.0' }));
    }
    assert.ok(!is(1, { jsonrpc: '2.0', id: 12, result: {} }));
    assert.ok(!is(1, { jsonrpc: '2.0', id: '1', result: {} }));
    assert.ok(!is(1, { jsonrpc: '2.0', method: 'notifications/progress', params: { id: 1 } }));
    assert.ok(!is(1, 'no JSON'));
  });
});
