import assert from 'node:assert/strict';
import { setImmediate } from 'node:timers/promises';
import { describe, it } from 'mocha';
import { deferred } from '../../../src/base/deferred.ts';
import { inOrder } from '../../../src/cli/inOrder.ts';

describe('work that is shown in order', () => {
  it('begins all at once, shows each when those before it are shown, and answers with all', async () => {
    const ends = { a: deferred<number>(), b: deferred<number>(), c: deferred<number>() };
    const begun: string[] = [];
    const shown: string[] = [];
    const done = inOrder(
      ['a', 'b', 'c'] as const,
      (name) => {
        begun.push(name);
        return ends[name].promise;
      },
      (name, result) => shown.push(`${name}${result}`),
    );
    assert.deepEqual(begun, ['a', 'b', 'c']);
    ends.b.resolve(2);
    await setImmediate();
    assert.deepEqual(shown, []);
    ends.a.resolve(1);
    await setImmediate();
    assert.deepEqual(shown, ['a1', 'b2']);
    ends.c.resolve(3);
    assert.deepEqual(await done, [1, 2, 3]);
    assert.deepEqual(shown, ['a1', 'b2', 'c3']);
  });

  it('fails with a failure that comes while an earlier one is waited for', async () => {
    const never = deferred<undefined>();
    const done = inOrder(
      [0, 1],
      (index) => (index === 0 ? never.promise : Promise.reject(new Error('the second failed'))),
      () => assert.fail('nothing is to be shown'),
    );
    await assert.rejects(done, /the second failed/);
  });
});
