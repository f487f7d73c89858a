import assert from 'node:assert/strict';
import path from 'node:path';
import { describe, it } from 'mocha';
import { nearerWindow, nextWindow } from '../../../../src/cli/proxy/nextWindow.ts';
import { restrictedWindow, windowOf } from '../../../support/windowOf.ts';

const at = (...parts: string[]): string => path.resolve('/', ...parts);

describe('the window that a proxy goes to', () => {
  const near = windowOf(1, [at('w', 'a')], 1);
  const around = windowOf(2, [at('w')], 2);
  const apart = windowOf(3, [at('x')], 3);
  const folder = at('w', 'a', 'b');

  it('is the nearest around its folder, else the one that was in front last', () => {
    assert.equal(nextWindow([apart, around, near], folder), near);
    assert.equal(nextWindow([near, around, apart], at('y')), apart);
    assert.equal(nextWindow([], folder), undefined);
  });

  it('is, right after one was lost, none that is farther: that one may be loading again', () => {
    assert.equal(nextWindow([around, apart], folder, near), undefined);
    assert.equal(nextWindow([near, apart], folder, around), near);
    const again = windowOf(4, near.folders, 0);
    assert.equal(nextWindow([around, again], folder, near), again);
    // Where none was around the folder, any other one will do.
    assert.equal(nextWindow([near], at('y'), apart), near);
  });

  it('is none where the nearest is in Restricted Mode, also for one that is at another window', () => {
    const hostile = restrictedWindow(6, [at('w', 'a', 'b')]);
    assert.equal(nextWindow([near, around, apart, hostile], folder), hostile);
    assert.equal(nearerWindow([near, hostile], folder, near), hostile);
    assert.equal(nextWindow([near, hostile], at('w', 'a')), near);
    assert.equal(nearerWindow([near, hostile], at('y'), apart), undefined);
  });

  it('is left for a nearer one alone', () => {
    assert.equal(nearerWindow([near, around, apart], folder, around), near);
    assert.equal(nearerWindow([near, around, apart], folder, near), undefined);
    const twin = windowOf(5, near.folders, 9);
    assert.equal(nearerWindow([near, twin], folder, near), undefined);
    assert.equal(nearerWindow([near, apart], at('y'), near), undefined);
  });
});
