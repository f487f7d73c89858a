import assert from 'node:assert/strict';
import { describe, it } from 'mocha';
import type { ConfigSnapshot, ConfiguredServer } from '../../../../src/core/config/model.ts';
import { resolveRoles } from '../../../../src/core/config/resolveRoles.ts';
import { fileOf, folder, snapshotOf, user } from './snapshots.ts';

const x = { a: { command: 'x' } };
const y = { a: { command: 'y' } };
const all = () => true;
const none = () => false;

function roles(snapshot: ConfigSnapshot, mayServe: (server: ConfiguredServer) => boolean): Record<string, string> {
  return Object.fromEntries(resolveRoles(snapshot, mayServe));
}

describe('resolveRoles', () => {
  it('lets a lone definition serve, also one that may not run: its state says why', () => {
    assert.deepEqual(roles(snapshotOf(fileOf(user, x)), none), { 'user:a': 'serving' });
    assert.deepEqual(roles(snapshotOf(fileOf(folder('one'), x)), none), { 'project:/work/one:a': 'serving' });
  });

  for (const [order, files] of [
    ['user first', [fileOf(user, x), fileOf(folder('one'), y)]],
    ['folders first', [fileOf(folder('one'), y), fileOf(user, x)]],
  ] as const) {
    it(`prefers the project's definition where it may serve, ${order}`, () => {
      assert.deepEqual(roles(snapshotOf(...files), all), { 'user:a': 'overridden', 'project:/work/one:a': 'serving' });
    });

    it(`falls back to the user's where it may not, ${order}`, () => {
      assert.deepEqual(roles(snapshotOf(...files), none), { 'user:a': 'standIn', 'project:/work/one:a': 'waiting' });
    });
  }

  it('never asks whether the definition of a user may serve', () => {
    resolveRoles(snapshotOf(fileOf(user, x), fileOf(folder('one'), y)), (server) => {
      assert.equal(server.scope.kind, 'project');
      return true;
    });
  });

  it('shares equal definitions of folders and calls differing ones a conflict', () => {
    const snapshot = snapshotOf(fileOf(folder('one'), x), fileOf(folder('two'), x), fileOf(folder('three'), y));
    assert.deepEqual(roles(snapshot, all), {
      'project:/work/one:a': 'serving',
      'project:/work/two:a': 'shared',
      'project:/work/three:a': 'conflict',
    });
  });

  it('takes definitions that differ only in toggles and policies for equal', () => {
    const strict = { a: { command: 'x', enabled: false, toolPolicies: { '*': 'ask' } } };
    assert.equal(
      roles(snapshotOf(fileOf(folder('one'), x), fileOf(folder('two'), strict)), all)['project:/work/two:a'],
      'shared',
    );
  });

  it('leaves ownership with the first folder, although only the second may serve', () => {
    const snapshot = snapshotOf(fileOf(folder('one'), x), fileOf(folder('two'), y), fileOf(user, x));
    const second = (server: ConfiguredServer): boolean =>
      server.scope.kind === 'project' && server.scope.name === 'two';
    assert.deepEqual(roles(snapshot, second), {
      'user:a': 'standIn',
      'project:/work/one:a': 'waiting',
      'project:/work/two:a': 'conflict',
    });
  });

  it('decides each id by itself', () => {
    const snapshot = snapshotOf(fileOf(user, { a: { command: 'x' }, b: { command: 'x' } }), fileOf(folder('one'), x));
    assert.deepEqual(roles(snapshot, all), {
      'user:a': 'overridden',
      'user:b': 'serving',
      'project:/work/one:a': 'serving',
    });
  });
});
