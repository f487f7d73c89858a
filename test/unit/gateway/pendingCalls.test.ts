import assert from 'node:assert/strict';
import { afterEach, beforeEach, describe, it } from 'mocha';
import { deferred } from '../../../src/base/deferred.ts';
import type { JsonObject } from '../../../src/contract/json.ts';
import { limits } from '../../../src/core/limits.ts';
import { type CallRun, type Leg, PendingCalls } from '../../../src/gateway/pendingCalls.ts';
import type { Outcome } from '../../../src/gateway/reply.ts';
import { ManualClock } from '../../support/manualClock.ts';
import { settled } from '../../support/settled.ts';

const never = new AbortController().signal;
const leg = (signal = never): Leg => ({ signal, onProgress: undefined, onLog: undefined });
const result = (outcome: Outcome): JsonObject => (outcome.kind === 'value' ? outcome.result : {});
const stateOf = ({ requestState }: JsonObject): string => (typeof requestState === 'string' ? requestState : 'none');

describe('PendingCalls', () => {
  let clock: ManualClock;
  let calls: PendingCalls;
  beforeEach(() => {
    clock = new ManualClock();
    calls = new PendingCalls(clock);
  });
  afterEach(() => calls.dispose());

  /** A call that asks these at once, and answers with the answers. */
  const asking =
    (...methods: string[]) =>
    async ({ ask, signal }: CallRun): Promise<Outcome> => {
      const answers = await Promise.all(methods.map((method) => ask(method, { method }, signal)));
      return { kind: 'value', result: { answers } };
    };

  async function asked(started: Promise<Outcome>): Promise<JsonObject> {
    await settled();
    clock.advance(limits.gateway.gather);
    return result(await started);
  }

  it('gives back what a call asks together, in one result, and goes on with the answers', async () => {
    const first = await asked(calls.start('a', leg(), asking('elicitation/create', 'sampling/createMessage')));
    assert.equal(first['resultType'], 'input_required');
    const names = Object.keys(first['inputRequests'] as JsonObject);
    assert.equal(names.length, 2);
    const responses = Object.fromEntries(names.map((name, index) => [name, { index }]));
    const last = await calls.resume(stateOf(first), 'a', responses, leg());
    assert.deepEqual(result(last), { answers: [{ index: 0 }, { index: 1 }] });
  });

  it('does not wait for more questions of a call that has ended', async () => {
    const done = await calls
      .start('a', leg(), ({ ask, signal }) => {
        void ask('elicitation/create', {}, signal).catch(() => undefined);
        return Promise.reject(new Error('gave up'));
      })
      .catch((error: unknown) => error);
    assert.match(String(done), /gave up/);
  });

  it('asks nothing that the server took back', async () => {
    const taken = new AbortController();
    const end = deferred<Outcome>();
    const started = calls.start('a', leg(), ({ ask }) => {
      ask('one', {}, taken.signal).catch(() => undefined);
      return end.promise;
    });
    await settled();
    taken.abort();
    clock.advance(limits.gateway.gather);
    await settled();
    end.resolve({ kind: 'value', result: { done: true } });
    assert.deepEqual(result(await started), { done: true });
  });

  it('asks again for what was not answered, under a new state', async () => {
    const first = await asked(calls.start('a', leg(), asking('one', 'two')));
    const again = result(await calls.resume(stateOf(first), 'a', { 'question-1': {} }, leg()));
    assert.deepEqual(Object.keys(again['inputRequests'] as JsonObject), ['question-2']);
    assert.notEqual(again['requestState'], first['requestState']);
  });

  it('takes a state once, and only for the request that it was given for', async () => {
    const state = stateOf(await asked(calls.start('a', leg(), asking('one'))));
    for (const [given, about] of [
      [`${state}x`, 'a'],
      [state, 'b'],
    ] as const) {
      assert.throws(() => calls.resume(given, about, { 'question-1': {} }, leg()), { code: -32602 });
    }
    await calls.resume(state, 'a', { 'question-1': {} }, leg());
    assert.throws(() => calls.resume(state, 'a', { 'question-1': {} }, leg()), { code: -32602 });
  });

  it('cancels a call that nobody comes back for', async () => {
    let cancelled = false;
    const first = await asked(
      calls.start('a', leg(), (run) => {
        run.signal.addEventListener('abort', () => (cancelled = true));
        return asking('one')(run);
      }),
    );
    clock.advance(limits.gateway.pendingAnswer - 1);
    assert.equal(cancelled, false);
    clock.advance(1);
    assert.equal(cancelled, true);
    assert.throws(() => calls.resume(stateOf(first), 'a', {}, leg()), { code: -32602 });
  });

  it('cancels a call whose client goes away while it runs', async () => {
    const gone = new AbortController();
    const started = calls.start('a', leg(gone.signal), ({ signal }) => {
      return new Promise((_resolve, reject) => signal.addEventListener('abort', () => reject(new Error('cancelled'))));
    });
    await settled();
    gone.abort();
    await assert.rejects(started, /cancelled/);
  });
});
