import assert from 'node:assert/strict';
import { beforeEach, describe, it } from 'mocha';
import { type Deferred, deferred } from '../../../../src/base/deferred.ts';
import type { JsonObject } from '../../../../src/contract/json.ts';
import type { ServerId } from '../../../../src/contract/serverConfig.ts';
import type { ServerKey } from '../../../../src/core/config/model.ts';
import type { Generation } from '../../../../src/core/connection/state.ts';
import { ManagerError } from '../../../../src/core/errors.ts';
import { limits } from '../../../../src/core/limits.ts';
import type { CallAnswer, Caller, CallPrompt, Consent } from '../../../../src/core/ports.ts';
import { CallConfirmer } from '../../../../src/core/tools/callConfirmer.ts';
import { ManualClock } from '../../../support/manualClock.ts';
import { settled } from '../../../support/settled.ts';

const { confirmation } = limits;
const key = 'user:s' as ServerKey;
const agent: Caller = { kind: 'gateway', name: 'agent' };
const person: Caller = { kind: 'tree', name: 'you' };

interface Asked {
  readonly caller?: Caller;
  readonly args?: JsonObject;
  readonly hash?: string;
  readonly extra?: JsonObject;
  readonly signal?: AbortSignal;
  readonly generation?: number;
  readonly eachTime?: true;
}

describe('CallConfirmer', () => {
  let clock: ManualClock;
  let questions: { readonly signal: AbortSignal; readonly answer: Deferred<CallAnswer> }[];
  let granted: string[];
  let prompt: CallPrompt;
  let confirmer: CallConfirmer;
  /** Why no call may go out any more. */
  let fault: ManagerError | undefined;

  beforeEach(() => {
    clock = new ManualClock();
    questions = [];
    fault = undefined;
    granted = [];
    prompt = {
      confirm: (_, signal) => {
        const answer = deferred<CallAnswer>();
        questions.push({ signal, answer });
        return answer.promise;
      },
    };
    confirmer = new CallConfirmer({ clock, prompt, grant: ({ tool }) => granted.push(tool.hash) });
  });

  function ask(options: Asked = {}): Promise<Consent> {
    const { caller = agent, args = {}, hash = 'h', extra, signal, eachTime } = options;
    const common = { key, server: 's' as ServerId, tool: 'echo', caller, args };
    const question = { ...common, ...(eachTime && { eachTime }) };
    const tool = { name: 'echo', raw: {}, hash, annotationsHash: 'a' };
    const generation = (options.generation ?? 1) as Generation;
    const check = (): void => {
      if (fault !== undefined) throw fault;
    };
    const asked = confirmer.ask({ question, tool, generation, check, ...(extra && { extra }) }, signal);
    asked.catch(() => undefined);
    return asked;
  }
  const pending = { code: 'approvalPending', outcome: 'notSent' } as const;
  const refused = { code: 'toolNotConfirmed', outcome: 'notSent' } as const;

  /** An agent asked, waited for as long as it may, and was told to call again. */
  async function left(asked: Asked = {}): Promise<void> {
    const waiting = ask(asked);
    await settled();
    clock.advance(confirmation.callAgain);
    await assert.rejects(waiting, pending);
  }

  it('tells a caller that may time out to call again after 45 s, and leaves the question where it is', async () => {
    const waiting = ask();
    await settled();
    clock.advance(44_999);
    await settled();
    assert.equal(questions.length, 1);
    clock.advance(1);
    await assert.rejects(waiting, pending);
    assert.equal(questions[0]?.signal.aborted, false);
  });

  it('lets everybody else wait', async () => {
    const waiting = ask({ caller: person });
    await settled();
    clock.advance(confirmation.callAgain * 2);
    questions[0]?.answer.resolve('once');
    assert.equal(await waiting, 'once');
  });

  for (const answer of ['once', 'deny'] as const) {
    it(`serves the next identical call with the answer "${answer}", once`, async () => {
      await left();
      questions[0]?.answer.resolve(answer);
      await settled();
      clock.advance(confirmation.served);
      const again = ask();
      if (answer === 'deny') await assert.rejects(again, refused);
      else assert.equal(await again, 'once');
      assert.equal(questions.length, 1);
      void ask();
      await settled();
      assert.equal(questions.length, 2);
    });
  }

  it('forgets the answer after five minutes', async () => {
    await left();
    questions[0]?.answer.resolve('once');
    await settled();
    clock.advance(300_001);
    void ask();
    await settled();
    assert.equal(questions.length, 2);
  });

  it('serves no other call with it: other arguments, another caller or session, another definition', async () => {
    await left({ args: { a: 1, b: 2 } });
    questions[0]?.answer.resolve('once');
    await settled();
    const others: Asked[] = [
      { args: { a: 1 } },
      { args: { a: 1, b: 2 }, caller: { kind: 'gateway', name: 'other' } },
      { args: { a: 1, b: 2 }, caller: person },
      { args: { a: 1, b: 2 }, caller: { ...agent, session: 'another' } },
      { args: { a: 1, b: 2 }, hash: 'changed' },
      { args: { a: 1, b: 2 }, generation: 2 },
      { args: { a: 1, b: 2 }, extra: { requestState: 'x' } },
    ];
    for (const other of others) void ask(other);
    await settled();
    assert.equal(questions.length, 1 + others.length);
    assert.equal(await ask({ args: { b: 2, a: 1 }, extra: { _meta: { progressToken: 7 } } }), 'once');
  });

  it('asks once about identical calls that wait; a no is for all of them, a yes for the one that waited longest', async () => {
    const refusedCalls = [ask(), ask()];
    await settled();
    assert.equal(questions.length, 1);
    questions[0]?.answer.resolve('deny');
    await Promise.all(refusedCalls.map((call) => assert.rejects(call, refused)));

    const [first, second] = [ask(), ask()];
    await settled();
    questions[1]?.answer.resolve('once');
    assert.equal(await first, 'once');
    await settled();
    assert.equal(questions.length, 3);
    questions[2]?.answer.resolve('once');
    assert.equal(await second, 'once');

    const allowed = [ask(), ask()];
    await settled();
    questions[3]?.answer.resolve('window');
    assert.deepEqual(await Promise.all(allowed), ['window', 'window']);
    assert.equal(questions.length, 4);
  });

  it('asks about each session of an agent that calls itself the same by itself, and gives neither the yes of the other', async () => {
    const sessions = ['one', 'two'].map((session): Asked => ({ caller: { ...agent, session } }));
    const [first, second] = sessions.map((asked) => ask(asked));
    await settled();
    assert.equal(questions.length, 2);
    questions[0]?.answer.resolve('once');
    assert.equal(await first, 'once');
    questions[1]?.answer.resolve('deny');
    await assert.rejects(second!, refused);
  });

  it('loses no answer where identical calls were all told to call again, and serves one call with it', async () => {
    const both = [ask(), ask()];
    await settled();
    clock.advance(confirmation.callAgain);
    await Promise.all(both.map((call) => assert.rejects(call, pending)));
    questions[0]?.answer.resolve('once');
    await settled();
    assert.equal(await ask(), 'once');
    void ask();
    await settled();
    assert.equal(questions.length, 2);
  });

  it('joins the question that is still open when the call comes again, and leaves it where that call gives up', async () => {
    await left();
    const controller = new AbortController();
    const again = ask({ signal: controller.signal });
    await settled();
    assert.equal(questions.length, 1);
    controller.abort();
    await assert.rejects(again, { code: 'cancelled' });
    assert.equal(questions[0]?.signal.aborted, false);
    const third = ask();
    await settled();
    questions[0].answer.resolve('once');
    assert.equal(await third, 'once');
    assert.equal(questions.length, 1);
  });

  it('ends a question at once, and all that wait for it, when the call may not go out any more', async () => {
    const waiting = [ask(), ask({ caller: person })];
    await settled();
    confirmer.lookAgain(key);
    confirmer.lookAgain();
    await settled();
    fault = new ManagerError('serverDisabled', { server: 's' });
    confirmer.lookAgain('user:other' as ServerKey);
    assert.deepEqual(
      questions.map(({ signal }) => signal.aborted),
      [false, false],
    );
    confirmer.lookAgain(key);
    await Promise.all(waiting.map((call) => assert.rejects(call, { code: 'serverDisabled', outcome: 'notSent' })));
    assert.deepEqual(
      questions.map(({ signal }) => signal.aborted),
      [true, true],
    );
    assert.equal(clock.pending, 0);
  });

  it('takes away a question that nobody waits for, and an answer that waits, when the call may not go out any more', async () => {
    await left();
    fault = new ManagerError('toolDenied');
    confirmer.lookAgain();
    assert.equal(questions[0]?.signal.aborted, true);
    fault = undefined;
    await left();
    questions[1]?.answer.resolve('once');
    await settled();
    fault = new ManagerError('toolDenied');
    confirmer.lookAgain(key);
    fault = undefined;
    void ask();
    await settled();
    assert.equal(questions.length, 3);
  });

  it('takes a yes for the window for none where it asks each time', async () => {
    const waiting = ask({ caller: person, eachTime: true });
    await settled();
    questions[0]?.answer.resolve('window');
    await assert.rejects(waiting, refused);
    assert.deepEqual(granted, []);
  });

  it('takes silence for a no to whoever waits, and for no answer to whoever calls again', async () => {
    const waiting = ask({ caller: person });
    await settled();
    clock.advance(confirmation.answer);
    await assert.rejects(waiting, refused);
    assert.equal(questions[0]?.signal.aborted, true);

    await left();
    clock.advance(confirmation.answer);
    await settled();
    assert.equal(questions[1]?.signal.aborted, true);
    void ask();
    await settled();
    assert.equal(questions.length, 3);
  });

  it('takes the question away when its caller gives up, and takes no late answer', async () => {
    for (const caller of [agent, person]) {
      const controller = new AbortController();
      const waiting = ask({ caller, signal: controller.signal });
      await settled();
      controller.abort();
      await assert.rejects(waiting, { code: 'cancelled', outcome: 'notSent' });
      const question = questions.at(-1);
      assert.equal(question?.signal.aborted, true);
      question.answer.resolve('window');
      await settled();
      assert.deepEqual(granted, []);
    }
  });

  it('allows a tool for the window as it was defined when it was asked about, also when nobody waits any more', async () => {
    await left();
    questions[0]?.answer.resolve('window');
    await settled();
    assert.deepEqual(granted, ['h']);
    void ask();
    await settled();
    assert.equal(questions.length, 2); // The grant is the policy's to know; the confirmer keeps no answer of it.
  });

  it('asks so many questions at a time and no more', async () => {
    const waiting = Array.from({ length: confirmation.open }, (_, index) => ask({ caller: person, args: { index } }));
    await settled();
    await assert.rejects(ask({ caller: person }), refused);
    assert.equal(questions.length, confirmation.open);
    questions[0]?.answer.resolve('once');
    await waiting[0];
    await settled();
    void ask({ caller: person });
    await settled();
    assert.equal(questions.length, confirmation.open + 1);
  });

  it('keeps so many answers and no more, the newest', async () => {
    const half = confirmation.kept / 2 + 10;
    for (const from of [0, half]) {
      const calls = Array.from({ length: half }, (_, index) => ask({ args: { index: from + index } }));
      await settled();
      clock.advance(confirmation.callAgain);
      await Promise.allSettled(calls);
      for (const { answer } of questions) answer.resolve('once');
      await settled();
    }
    const asked = questions.length;
    void ask({ args: { index: 19 } });
    await settled();
    assert.equal(questions.length, asked + 1);
    assert.equal(await ask({ args: { index: 20 } }), 'once');
  });

  it('leaves no timer behind', async () => {
    const waiting = ask();
    await settled();
    questions[0]?.answer.resolve('once');
    await waiting;
    assert.equal(clock.pending, 0);
  });
});
