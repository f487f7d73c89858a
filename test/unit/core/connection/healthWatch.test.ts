import assert from 'node:assert/strict';
import { beforeEach, describe, it } from 'mocha';
import { type Deferred, deferred } from '../../../../src/base/deferred.ts';
import type { ErrorCode } from '../../../../src/contract/errorCodes.ts';
import { HealthWatch, isWatched } from '../../../../src/core/connection/healthWatch.ts';
import type { Era } from '../../../../src/core/connection/state.ts';
import { ManagerError } from '../../../../src/core/errors.ts';
import { ManualClock } from '../../../support/manualClock.ts';
import { settled } from '../../../support/settled.ts';

describe('the watch over a connected server', () => {
  let clock: ManualClock;
  let asked: string[];
  let answers: Deferred<unknown>[];
  let silences: number[];
  let busy: boolean;
  beforeEach(() => {
    clock = new ManualClock(1_000_000);
    [asked, answers, silences, busy] = [[], [], [], false];
  });

  function watch(era: Era = 'legacy'): HealthWatch {
    return new HealthWatch({
      clock,
      era,
      isBusy: () => busy,
      ask: (method, signal) => {
        asked.push(method);
        const answer = deferred<unknown>();
        answers.push(answer);
        signal.addEventListener('abort', () =>
          answer.reject(new ManagerError('cancelled', {}, { outcome: 'unknown' })),
        );
        return answer.promise;
      },
      silent: (ms) => silences.push(ms),
    });
  }

  /** One period of `every`, the question of which nobody answers. */
  async function missOne(): Promise<void> {
    clock.advance(asked.length === 0 ? 30_000 : 25_000);
    await settled();
    clock.advance(5_000);
    await settled();
  }

  it('asks every 30 s, as its era does, and is content with any answer', async () => {
    for (const [era, method] of [
      ['legacy', 'ping'],
      ['modern', 'server/discover'],
    ] as const) {
      const one = watch(era);
      asked = [];
      clock.advance(29_999);
      assert.deepEqual(asked, []);
      clock.advance(1);
      clock.advance(1_000);
      answers.at(-1)?.resolve({});
      await settled();
      clock.advance(29_000);
      assert.deepEqual(asked, [method, method]);
      one.dispose();
    }
  });

  it('finds a server silent after three questions in a row of 5 s each, and not after two', async () => {
    const one = watch();
    await missOne();
    await missOne();
    assert.deepEqual(silences, []);
    await missOne();
    assert.deepEqual(silences, [95_000]);
    one.dispose();
  });

  it('begins to count anew with each answer, whatever it was asked', async () => {
    const one = watch();
    await missOne();
    await missOne();
    one.heard();
    await missOne();
    await missOne();
    assert.deepEqual(silences, []);
    one.dispose();
  });

  it('asks for its tools after a question that it did not answer: it may leave out ping', async () => {
    const one = watch();
    await missOne();
    await missOne();
    assert.deepEqual(asked, ['ping', 'tools/list']);
    one.dispose();
  });

  const answersOf: readonly (readonly [ErrorCode, boolean])[] = [
    ['protocolError', true],
    ['httpStatus', true],
    ['invalidResponse', true],
    ['networkFailed', false],
    ['requestTimeout', false],
  ];
  for (const [code, isAlive] of answersOf) {
    it(`takes a failure ${isAlive ? 'for an answer' : 'for silence'}: ${code}`, async () => {
      const one = watch();
      for (let period = 0; period < 3; period += 1) {
        clock.advance(30_000);
        answers.at(-1)?.reject(new ManagerError(code, { server: 'a' }));
        await settled();
      }
      assert.equal(silences.length, isAlive ? 0 : 1);
      one.dispose();
    });
  }

  it('asks nothing while a request is under way, and counts what was missed before it no more', async () => {
    const one = watch();
    await missOne();
    await missOne();
    busy = true;
    clock.advance(3_600_000);
    assert.equal(asked.length, 2);
    busy = false;
    await missOne();
    await missOne();
    assert.deepEqual(silences, []);
    one.dispose();
  });

  it('asks nothing of a server that answered something within the period', () => {
    const one = watch();
    for (let period = 0; period < 10; period += 1) {
      clock.advance(20_000);
      one.heard();
      clock.advance(10_000);
    }
    assert.deepEqual(asked, []);
    one.dispose();
  });

  it('ends nothing while a call that began meanwhile waits', async () => {
    const one = watch();
    await missOne();
    await missOne();
    clock.advance(25_000);
    busy = true;
    clock.advance(5_000);
    await settled();
    assert.deepEqual(silences, []);
    one.dispose();
  });

  it('leaves nothing behind, and takes its own end for no silence', async () => {
    const one = watch();
    await missOne();
    await missOne();
    clock.advance(25_000);
    one.dispose();
    await settled();
    assert.deepEqual([clock.pending, silences], [0, []]);
  });

  it('is not kept over what has neither a process nor a session', () => {
    assert.equal(isWatched({ era: 'modern', transport: 'streamable-http' }), false);
    assert.equal(isWatched({ era: 'modern', transport: 'stdio' }), true);
    assert.equal(isWatched({ era: 'legacy', transport: 'streamable-http' }), true);
    assert.equal(isWatched({ era: 'legacy', transport: 'sse' }), true);
  });
});
