import assert from 'node:assert/strict';
import { describe, it } from 'mocha';
import type { Sent } from '../../../../src/cli/proxy/gatewayLink.ts';
import { isEndOfWindow, nextStep } from '../../../../src/cli/proxy/sentOutcome.ts';

const call = { method: 'tools/call', era: 'legacy' } as const;

function answered(status: number, body = Buffer.from('{}')): Sent {
  return { kind: 'answered', status, session: undefined, body };
}

const answer = Buffer.from('{"jsonrpc":"2.0","id":1,"result":{}}');
const closed = Buffer.from(
  '{"jsonrpc":"2.0","id":1,"error":{"code":-32011,"message":"x","data":{"code":"windowClosed","outcome":"unknown"}}}',
);
const stream: Sent = { kind: 'answered', status: 200, session: undefined, body: undefined };

describe('what follows a request that was sent to a window', () => {
  it('is never that something is sent again that may have run', () => {
    const broken = { kind: 'broken', arrived: 'maybe' } as const;
    for (const method of ['tools/call', 'prompts/get', 'resources/read', 'completion/complete', 'logging/setLevel']) {
      for (const era of ['legacy', 'modern'] as const) {
        assert.equal(nextStep(broken, { method, era }, undefined), 'lost');
        assert.equal(nextStep(broken, { method, era }, answer), 'done');
        assert.equal(nextStep(answered(200, closed), { method, era }, undefined), 'done');
        assert.equal(nextStep(stream, { method, era }, closed), 'done');
      }
    }
    assert.equal(nextStep(stream, call, undefined), 'lost');
  });

  it('is another window where it never arrived, or was not looked at', () => {
    assert.equal(nextStep({ kind: 'broken', arrived: 'no' }, call, undefined), 'elsewhere');
    for (const status of [401, 403, 503]) assert.equal(nextStep(answered(status), call, undefined), 'elsewhere');
    assert.equal(nextStep(answered(404), call, undefined), 'anew');
  });

  it('is once more what changes nothing, however often it is asked', () => {
    const broken = { kind: 'broken', arrived: 'maybe' } as const;
    for (const method of ['initialize', 'server/discover', 'ping', 'tools/list', 'prompts/list']) {
      assert.equal(nextStep(broken, { method, era: 'legacy' }, undefined), 'elsewhere');
      assert.equal(nextStep(stream, { method, era: 'legacy' }, undefined), 'elsewhere');
      // Its window ended in order while it was asked.
      assert.equal(nextStep(answered(200, closed), { method, era: 'legacy' }, undefined), 'anew');
      assert.equal(nextStep(stream, { method, era: 'modern' }, closed), 'anew');
    }
  });

  it('does not take what a server says for the end of a window', () => {
    assert.equal(isEndOfWindow(closed), true);
    for (const said of ['{"result":{"tools":[{"name":"windowClosed"}]}}', '{"error":{"data":"windowClosed"}}', '{']) {
      assert.equal(isEndOfWindow(Buffer.from(said)), false);
    }
    assert.equal(isEndOfWindow(undefined), false);
  });

  it('is an answer where there is one, and what the window says where it refuses', () => {
    assert.equal(nextStep(answered(200), call, undefined), 'done');
    assert.equal(nextStep(stream, call, answer), 'done');
    for (const status of [400, 413, 415, 500]) assert.equal(nextStep(answered(status), call, undefined), 'refused');
    // In the newer era this is how an unknown method is answered.
    assert.equal(nextStep(answered(404), { method: 'what', era: 'modern' }, undefined), 'refused');
    assert.equal(nextStep({ kind: 'aborted' }, call, undefined), 'done');
  });
});
