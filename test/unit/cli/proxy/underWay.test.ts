import assert from 'node:assert/strict';
import { beforeEach, describe, it } from 'mocha';
import { readFrames, type RequestFrame } from '../../../../src/cli/proxy/agentFrame.ts';
import { UnderWay } from '../../../../src/cli/proxy/underWay.ts';
import { limits } from '../../../../src/core/limits.ts';
import { ManualClock } from '../../../support/manualClock.ts';

function frame(id: number, method = 'tools/call', era: 'legacy' | 'modern' = 'legacy'): RequestFrame {
  const _meta = era === 'modern' ? { 'io.modelcontextprotocol/protocolVersion': '2026-07-28' } : undefined;
  const [read] = readFrames(Buffer.from(JSON.stringify({ jsonrpc: '2.0', id, method, params: { _meta } })));
  return read as RequestFrame;
}

describe('the requests of an agent under way', () => {
  let clock: ManualClock;
  let out: string[];
  let underWay: UnderWay;
  beforeEach(() => {
    clock = new ManualClock();
    out = [];
    underWay = new UnderWay(clock, (message) => out.push(message.toString()));
  });

  it('have ids of their own, and streams that stay open do not count', () => {
    const call = underWay.begin(frame(1))!;
    underWay.begin(frame(2, 'subscriptions/listen', 'modern'));
    assert.equal(underWay.begin(frame(1)), undefined);
    assert.equal(underWay.size, 1);
    call.end();
    assert.equal(underWay.size, 0);
    assert.ok(underWay.begin(frame(1)) !== undefined);
  });

  it('leave no question open at the agent', () => {
    const call = underWay.begin(frame(1))!;
    for (const id of ['q1', 'q2']) {
      call.onMessage(Buffer.from(JSON.stringify({ jsonrpc: '2.0', id, method: 'elicitation/create', params: {} })));
    }
    assert.deepEqual(
      [underWay.answered('q1'), underWay.answered('q1'), underWay.answered('other')],
      [true, false, false],
    );
    out.length = 0;
    call.end();
    assert.deepEqual(out, ['{"jsonrpc":"2.0","method":"notifications/cancelled","params":{"requestId":"q2"}}']);
  });

  it('are known as answered by their own answer alone', () => {
    const call = underWay.begin(frame(1))!;
    call.onMessage(Buffer.from('{"jsonrpc":"2.0","method":"notifications/progress","params":{}}'));
    assert.equal(call.answer, undefined);
    const answer = Buffer.from('{"jsonrpc":"2.0","id":1,"result":{}}');
    call.onMessage(answer);
    // Whether it is the one that the agent gets, is not known yet.
    assert.deepEqual([call.answer, out.length], [answer, 1]);
  });

  it('are cancelled twice where they are legacy, as one may come before its request, and then given up', () => {
    const call = underWay.begin(frame(1))!;
    void call.atWindow(() => new Promise(() => undefined));
    let told = 0;
    for (let time = 0; time < 2; time += 1) underWay.cancel(1, () => (told += 1));
    assert.equal(told, 1);
    clock.advance(limits.proxy.again);
    assert.deepEqual([told, call.signal.aborted], [2, false]);
    clock.advance(limits.proxy.hello);
    assert.equal(call.signal.aborted, true);
    call.onMessage(Buffer.from('{"jsonrpc":"2.0","id":1,"result":{}}'));
    assert.deepEqual(out, []);
    const ended = underWay.begin(frame(2))!;
    void ended.atWindow(() => new Promise(() => undefined));
    underWay.cancel(2, () => (told += 1));
    ended.end();
    assert.equal(clock.pending, 0);
  });

  it('are given up at once while no window has them, and no window is told', async () => {
    const waiting = underWay.begin(frame(1))!;
    underWay.cancel(1, () => assert.fail('told'));
    assert.deepEqual([waiting.signal.aborted, waiting.isCancelled, clock.pending], [true, true, 0]);
    const between = underWay.begin(frame(2))!;
    await between.atWindow(() => Promise.resolve());
    underWay.cancel(2, () => assert.fail('told'));
    assert.equal(between.signal.aborted, true);
  });

  it('are given up at once where they are modern: that is how they are cancelled', () => {
    const call = underWay.begin(frame(1, 'tools/call', 'modern'))!;
    underWay.cancel(1, () => assert.fail('told'));
    assert.equal(call.signal.aborted, true);
  });
});
