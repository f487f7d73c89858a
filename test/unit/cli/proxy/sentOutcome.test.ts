import assert from 'node:assert/strict';
import { describe, it } from 'mocha';
import type { Sent } from '../../../../src/cli/proxy/gatewayLink.ts';
import { nextStep } from '../../../../src/cli/proxy/sentOutcome.ts';

const call = { method: 'tools/call', era: 'legacy' } as const;

function answered(status: number): Sent {
  return { kind: 'answered', status, session: undefined, body: Buffer.from('{}') };
}

const stream: Sent = { kind: 'answered', status: 200, session: undefined, body: undefined };

describe('what follows a request that was sent to a window', () => {
  it('is never that something is sent again that may have run', () => {
    const broken = { kind: 'broken', arrived: 'maybe' } as const;
    for (const method of ['tools/call', 'prompts/get', 'resources/read', 'completion/complete', 'logging/setLevel']) {
      for (const era of ['legacy', 'modern'] as const) {
        assert.equal(nextStep(broken, { method, era }, false), 'lost');
        assert.equal(nextStep(broken, { method, era }, true), 'done');
      }
    }
    assert.equal(nextStep(stream, call, false), 'lost');
  });

  it('is another window where it never arrived, or was not looked at', () => {
    assert.equal(nextStep({ kind: 'broken', arrived: 'no' }, call, false), 'elsewhere');
    for (const status of [401, 403, 503]) assert.equal(nextStep(answered(status), call, false), 'elsewhere');
    assert.equal(nextStep(answered(404), call, false), 'anew');
  });

  it('is once more what changes nothing, however often it is asked', () => {
    const broken = { kind: 'broken', arrived: 'maybe' } as const;
    for (const method of ['initialize', 'server/discover', 'ping', 'tools/list', 'prompts/list']) {
      assert.equal(nextStep(broken, { method, era: 'legacy' }, false), 'elsewhere');
    }
  });

  it('is an answer where there is one, and what the window says where it refuses', () => {
    assert.equal(nextStep(answered(200), call, false), 'done');
    assert.equal(nextStep(stream, call, true), 'done');
    for (const status of [400, 413, 415, 500]) assert.equal(nextStep(answered(status), call, false), 'refused');
    // In the newer era this is how an unknown method is answered.
    assert.equal(nextStep(answered(404), { method: 'what', era: 'modern' }, false), 'refused');
    assert.equal(nextStep({ kind: 'aborted' }, call, false), 'done');
  });
});
