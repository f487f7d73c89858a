import assert from 'node:assert/strict';
import { describe, it } from 'mocha';
import { deferred } from '../../../src/base/deferred.ts';
import { lazy } from '../../../src/vscode/lazy.ts';

describe('lazy', () => {
  it('makes it at the first use, once for all', async () => {
    let made = 0;
    const part = lazy(() => Promise.resolve((made += 1)));
    assert.deepEqual([part.made, made], [undefined, 0]);
    assert.deepEqual(await Promise.all([part.get(), part.get()]), [1, 1]);
    assert.deepEqual([await part.get(), await part.made], [1, 1]);
  });

  it('tries again after a failure, which everybody who waited hears of', async () => {
    let tries = 0;
    const part = lazy(() => ((tries += 1) === 1 ? Promise.reject(new Error('no file')) : Promise.resolve('there')));
    const [one, other] = [part.get(), part.get()];
    await assert.rejects(one, /no file/);
    await assert.rejects(other, /no file/);
    assert.equal(await part.get(), 'there');
    assert.equal(tries, 2);
  });

  it('keeps what was made after it was told to forget, also where the earlier one fails late', async () => {
    const early = deferred<string>();
    const results = [early.promise, Promise.resolve('new')];
    const part = lazy(() => results.shift() ?? Promise.resolve('once more'));
    const first = part.get();
    part.forget();
    assert.equal(await part.get(), 'new');
    early.reject(new Error('late'));
    await assert.rejects(first, /late/);
    assert.equal(await part.get(), 'new');
  });
});
