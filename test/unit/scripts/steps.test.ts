import assert from 'node:assert/strict';
import { describe, it } from 'mocha';
import { deferred } from '../../../src/base/deferred.ts';
import { halves, runSteps } from '../../../scripts/lib/steps.mjs';

type Say = (text: string) => void;

const passes = (title: string, ended: Promise<unknown>, started: string[] = []) => ({
  title,
  run: async (say: Say) => {
    started.push(title);
    say(`${title} began\n`);
    await ended;
    say(`${title} ended\n`);
    return { passed: 1, failed: 0, skipped: [`${title}: one`] };
  },
});

const untimed = (words: readonly string[]): string => words.join('').replace(/[\d.]+ s\b/g, 'N s');

describe('the steps of a test run', () => {
  it('run one after the other, and their totals are added', async () => {
    const started: string[] = [];
    const first = deferred<true>();
    const fails = { title: 'c', run: () => Promise.resolve({ passed: 2, failed: 3, skipped: [] }) };
    const running = runSteps(
      [passes('a', first.promise, started), passes('b', Promise.resolve(), started), fails],
      () => undefined,
    );
    await Promise.resolve();
    assert.deepEqual(started, ['a']);
    first.resolve(true);
    const { seconds, ...totals } = await running;
    assert.deepEqual(totals, { passed: 4, failed: 3, skipped: ['a: one', 'b: one'] });
    assert.deepEqual(
      seconds.map((line) => line.replace(/^[\d.]+ s /, '')),
      ['a', 'b', 'c (3 failed)'],
    );
  });

  it('say their seconds below their words', async () => {
    const words: string[] = [];
    const fails = { title: 'b', run: () => Promise.resolve({ passed: 0, failed: 2, skipped: [] }) };
    await runSteps([passes('a', Promise.resolve()), fails], (text) => words.push(text));
    assert.equal(untimed(words), '\n# a\na began\na ended\n# a: N s\n\n# b\n# b: N s (2 failed)\n');
  });

  it('run two at a time beside each other, say that they start, and the words of each stay together', async () => {
    const started: string[] = [];
    const words: string[] = [];
    const ends = { a: deferred<true>(), b: deferred<true>(), c: deferred<true>() };
    const steps = (['a', 'b', 'c'] as const).map((title) => passes(title, ends[title].promise, started));
    const running = runSteps([steps], (text) => words.push(text));
    assert.deepEqual(started, ['a', 'b']);
    assert.deepEqual(words, ['# a: started\n', '# b: started\n']);
    ends.b.resolve(true);
    ends.c.resolve(true);
    while (started.length < 3) await Promise.resolve();
    ends.a.resolve(true);
    await running;
    const whole = ['b', 'c', 'a'].map((title) => `\n# ${title}\n${title} began\n${title} ended\n# ${title}: N s\n`);
    assert.equal(untimed(words.slice(2)), [whole[0], '# c: started\n', whole[1], whole[2]].join(''));
  });

  it('has each scenario in one of two halves', () => {
    assert.deepEqual(halves(['a', 'b', 'c']), [['a', 'c'], ['b']]);
  });
});
