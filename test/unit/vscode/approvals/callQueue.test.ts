import assert from 'node:assert/strict';
import { beforeEach, describe, it } from 'mocha';
import { type Deferred, deferred } from '../../../../src/base/deferred.ts';
import type { ServerId } from '../../../../src/contract/serverConfig.ts';
import type { ServerKey } from '../../../../src/core/config/model.ts';
import type { CallAnswer, CallConfirmation } from '../../../../src/core/ports.ts';
import { CallQueue, type GroupAnswer, type OpenQuestion } from '../../../../src/vscode/approvals/callQueue.ts';
import { settled } from '../../../support/settled.ts';

/** A question as it stands on the screen. */
interface Shown {
  readonly calls: readonly CallConfirmation[];
  readonly tools: string[];
  accept?: () => void;
  readonly group: boolean;
  readonly answer: Deferred<unknown>;
  waiting: number;
  closed: boolean;
}

describe('CallQueue', () => {
  let shown: Shown[];
  let queue: CallQueue;
  let answers: Record<string, CallAnswer>;
  let cancel: Record<string, AbortController>;

  beforeEach(() => {
    shown = [];
    answers = {};
    cancel = {};
    queue = new CallQueue({
      one: (call, onAccepted) => put<CallAnswer>([call], false, onAccepted),
      several: (calls) => put<GroupAnswer>(calls, true),
    });
  });

  function put<Answer>(calls: readonly CallConfirmation[], group: boolean, accept?: () => void): OpenQuestion<Answer> {
    const answer = deferred<unknown>();
    const question: Shown = { calls, tools: calls.map(({ tool }) => tool), group, answer, waiting: 0, closed: false };
    if (accept !== undefined) question.accept = accept;
    shown.push(question);
    return {
      answer: answer.promise as Promise<Answer>,
      withdraw: ({ tool }) => question.tools.splice(question.tools.indexOf(tool), 1),
      tellWaiting: (count) => (question.waiting = count),
      close: () => {
        question.closed = true;
        answer.resolve('deny');
      },
    };
  }

  const callOf = (tool: string, more: Partial<CallConfirmation> = {}): CallConfirmation => ({
    key: 'user:s' as ServerKey,
    server: 's' as ServerId,
    tool,
    caller: { kind: 'api', name: 'agent' },
    args: {},
    ...more,
  });

  function ask(tool: string, more: Partial<CallConfirmation> = {}): CallConfirmation {
    const call = callOf(tool, more);
    cancel[tool] = new AbortController();
    void queue.confirm(call, cancel[tool].signal).then((answer) => (answers[tool] = answer));
    return call;
  }
  const last = (): Shown => shown.at(-1)!;

  async function say(answer: CallAnswer | GroupAnswer): Promise<void> {
    last().answer.resolve(answer);
    await settled();
  }

  it('puts one call as its own question', async () => {
    ask('a');
    assert.deepEqual([last().tools, last().group], [['a'], false]);
    await say('once');
    assert.deepEqual(answers, { a: 'once' });
  });

  it('never changes the question that is open: what comes later waits, and is told of', async () => {
    ask('a');
    ask('b');
    ask('c');
    assert.deepEqual([shown.length, last().tools, last().waiting], [1, ['a'], 2]);
    await say('deny');
    assert.deepEqual([shown.length, last().tools, last().group, last().waiting], [2, ['b', 'c'], true, 0]);
  });

  for (const answer of ['once', 'deny'] as const) {
    it(`answers "${answer}" to all that the grouped question showed, and to no other`, async () => {
      ask('a');
      ask('b');
      ask('c');
      await say('deny');
      ask('late');
      assert.equal(last().waiting, 1);
      await say(answer);
      assert.deepEqual(answers, { a: 'deny', b: answer, c: answer });
      assert.deepEqual(last().tools, ['late']);
    });
  }

  it('shows each in its turn where the person wants that, then what came meanwhile', async () => {
    for (const tool of ['a', 'b', 'c']) ask(tool);
    await say('deny');
    await say('each');
    ask('d');
    ask('e');
    assert.deepEqual([last().tools, last().waiting], [['b'], 3]);
    await say('once');
    assert.deepEqual(last().tools, ['c']);
    await say('deny');
    assert.deepEqual(last().tools, ['d', 'e']);
    assert.deepEqual(answers, { a: 'deny', b: 'once', c: 'deny' });
  });

  it('shows the one that the person chose, then the others together again', async () => {
    ask('a');
    const calls = ['b', 'c', 'd'].map((tool) => ask(tool));
    await say('deny');
    await say(calls[1]!);
    assert.deepEqual([last().tools, last().group], [['c'], false]);
    await say('window');
    assert.deepEqual([last().tools, last().group], [['b', 'd'], true]);
    assert.deepEqual(answers, { a: 'deny', c: 'window' });
  });

  it('takes a call that is cancelled out of its question, and the question with the last one', async () => {
    for (const tool of ['a', 'b', 'c', 'd']) ask(tool);
    await say('once');
    cancel['c']!.abort();
    await settled();
    assert.deepEqual([last().tools, last().closed, answers['c']], [['b', 'd'], false, 'deny']);
    cancel['b']!.abort();
    cancel['d']!.abort();
    await settled();
    assert.equal(last().closed, true);
    ask('e');
    assert.deepEqual([last().tools, last().closed], [['e'], false]);
    cancel['e']!.abort();
    await settled();
    assert.deepEqual([last().closed, answers['e']], [true, 'deny']);
  });

  it('drops a call that is cancelled while it waits', async () => {
    ask('a');
    ask('b');
    cancel['b']!.abort();
    await settled();
    assert.equal(last().waiting, 0);
    await say('once');
    assert.equal(shown.length, 1);
  });

  it('does not put a call that is over already', async () => {
    assert.equal(await queue.confirm(callOf('a'), AbortSignal.abort()), 'deny');
    assert.equal(shown.length, 0);
  });

  it('asks about what changed once for all calls that wait because of it, and about each call all the same', async () => {
    ask('a', { change: 'definition' });
    ask('same server', { change: 'new' });
    ask('other server', { change: 'new', key: 'user:t' as ServerKey });
    last().accept?.();
    assert.deepEqual(answers, {}, 'nothing was said of a call');
    await say('once');
    assert.deepEqual(answers, { a: 'once' });
    assert.deepEqual(
      last().calls.map(({ tool, change }) => [tool, change]),
      [
        ['same server', undefined],
        ['other server', 'new'],
      ],
    );
  });

  it('takes a question that fails for a no, and goes on', async () => {
    ask('a');
    ask('b');
    last().answer.reject(new Error('the window closes'));
    await settled();
    assert.deepEqual([answers, last().tools], [{ a: 'deny' }, ['b']]);
  });

  it('puts nothing between an answer and what follows from it', async () => {
    ask('a');
    last().answer.resolve('once');
    ask('b'); // In the same turn: the answer of the first is not taken yet.
    await settled();
    assert.deepEqual([answers, shown.map(({ tools }) => tools)], [{ a: 'once' }, [['a'], ['b']]]);
  });
});
