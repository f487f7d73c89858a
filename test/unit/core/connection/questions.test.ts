import assert from 'node:assert/strict';
import { describe, it } from 'mocha';
import { deferred } from '../../../../src/base/deferred.ts';
import type { JsonObject } from '../../../../src/contract/json.ts';
import { Questions } from '../../../../src/core/connection/questions.ts';
import { limits } from '../../../../src/core/limits.ts';
import { RequestDeadline } from '../../../../src/core/connection/requestDeadline.ts';
import { settled } from '../../../support/settled.ts';
import { ManualClock } from '../../../support/manualClock.ts';

const { signal } = new AbortController();
const all = {
  elicit: () => Promise.resolve({ action: 'accept' }),
  sample: () => Promise.resolve({ model: 'm' }),
  roots: () => [{ uri: 'file:///work', name: 'work' }],
};

describe('questions of a server', () => {
  it('are declared only where somebody answers, and roots never to a remote server', () => {
    assert.deepEqual(new Questions({}, true).capabilities, {});
    assert.deepEqual(new Questions(all, true).capabilities, {
      elicitation: { form: {}, url: {} },
      sampling: {},
      roots: {},
    });
    assert.deepEqual(new Questions(all, false).capabilities, { elicitation: { form: {}, url: {} }, sampling: {} });
  });

  it('are answered by their handlers', async () => {
    const questions = new Questions(all, true);
    assert.deepEqual(await questions.answer('elicitation/create', {}, { signal, id: 1 }), { action: 'accept' });
    assert.deepEqual(await questions.answer('sampling/createMessage', {}, { signal, id: 1 }), { model: 'm' });
    assert.deepEqual(await questions.answer('roots/list', undefined, { signal, id: 1 }), {
      roots: [{ uri: 'file:///work', name: 'work' }],
    });
  });

  it('that whoever is meant cannot answer are told to it, and refused', async () => {
    const questions = new Questions({ relayed: true }, true);
    const unable: string[] = [];
    questions.askers.follow(1, { identity: {}, unable: (method) => unable.push(method) });
    await assert.rejects(questions.answer('sampling/createMessage', {}, { signal, id: 1 }), { code: -1 });
    assert.deepEqual(await questions.answer('elicitation/create', {}, { signal, id: 2 }), { action: 'decline' });
    assert.deepEqual(unable, ['sampling/createMessage', 'elicitation/create']);
  });

  it('that nobody has answered are bounded in number', async () => {
    const waiting = deferred<JsonObject>();
    const questions = new Questions({ elicit: () => waiting.promise }, true);
    const open = Array.from({ length: limits.serverRequests.questions }, () =>
      questions.answer('elicitation/create', {}, { signal, id: 1 }),
    );
    await assert.rejects(questions.answer('elicitation/create', {}, { signal, id: 1 }), { code: -32000 });
    waiting.resolve({ action: 'decline' });
    await Promise.all(open);
    assert.deepEqual(await questions.answer('elicitation/create', {}, { signal, id: 1 }), { action: 'decline' });
  });

  it('about roots show a remote server nothing', async () => {
    assert.deepEqual(await new Questions(all, false).answer('roots/list', {}, { signal, id: 1 }), { roots: [] });
    assert.deepEqual(await new Questions({}, true).answer('roots/list', {}, { signal, id: 1 }), { roots: [] });
  });

  for (const method of ['elicitation/create', 'sampling/createMessage', 'tasks/get', 'constructor']) {
    it(`of the kind ${method} that nobody answers do not exist`, async () => {
      await assert.rejects(
        new Questions({}, true).answer(method, {}, { signal, id: 1 }),
        (error: { code?: unknown }) => error.code === -32601,
      );
    });
  }

  it('stop the time of every call until the last of them is answered, even by a failure', async () => {
    const clock = new ManualClock();
    const expired: string[] = [];
    const answers = [deferred<JsonObject>(), deferred<JsonObject>()];
    let next = 0;
    const questions = new Questions({ elicit: () => answers[next++]!.promise }, true);
    const early = new RequestDeadline(clock, { idle: 100 }, () => expired.push('early'));
    const followed = questions.follow(early);
    const first = questions.answer('elicitation/create', {}, { signal, id: 1 });
    const second = questions.answer('elicitation/create', {}, { signal, id: 1 });
    const late = new RequestDeadline(clock, { idle: 100 }, () => expired.push('late'));
    questions.follow(late);
    clock.advance(1_000);
    answers[0]!.resolve({ action: 'accept' });
    await first;
    clock.advance(1_000);
    assert.deepEqual(expired, []);
    answers[1]!.reject(new Error('closed'));
    await assert.rejects(second);
    clock.advance(99);
    assert.deepEqual(expired, []);
    clock.advance(1);
    assert.deepEqual(expired.sort(), ['early', 'late']);
    followed.dispose();
  });

  it('end when the server takes them back, and when the connection ends', async () => {
    const seen: AbortSignal[] = [];
    const questions = new Questions(
      { elicit: (_params, ended) => (seen.push(ended), new Promise(() => undefined)) },
      true,
    );
    const taken = new AbortController();
    void questions.answer('elicitation/create', {}, { signal: taken.signal, id: 2 });
    void questions.answer('elicitation/create', {}, { signal, id: 1 });
    await settled();
    taken.abort();
    assert.deepEqual(
      seen.map(({ aborted }) => aborted),
      [true, false],
    );
    questions.dispose();
    assert.deepEqual(
      seen.map(({ aborted }) => aborted),
      [true, true],
    );
    await Promise.resolve();
  });
});
