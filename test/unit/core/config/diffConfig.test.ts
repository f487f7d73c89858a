import assert from 'node:assert/strict';
import { describe, it } from 'mocha';
import { diffConfig } from '../../../../src/core/config/diffConfig.ts';
import { fileOf, folder, snapshotOf, user } from './snapshots.ts';

describe('diffConfig', () => {
  it('sorts definitions into added, removed, changed and adjusted', () => {
    const before = snapshotOf(
      fileOf(user, { gone: { command: 'x' }, other: { command: 'x' }, same: { command: 'x' }, set: { command: 'x' } }),
    );
    const after = snapshotOf(
      fileOf(user, {
        fresh: { command: 'x' },
        same: { command: 'x', comment: 'ignored' },
        set: { command: 'x', enabled: false, toolPolicies: { a: 'deny' }, timeouts: { call: 9 }, autostart: true },
        other: { command: 'y', enabled: false },
      }),
    );
    const diff = diffConfig(before, after);
    assert.deepEqual(
      {
        added: diff.added.map((server) => server.id),
        removed: diff.removed.map((server) => server.id),
        changed: diff.changed.map((pair) =>
          [pair.before.definition, pair.after.definition].map((d) => 'command' in d && d.command),
        ),
        adjusted: diff.adjusted.map((pair) => [pair.after.id, pair.fields]),
      },
      {
        added: ['fresh'],
        removed: ['gone'],
        changed: [['x', 'y']],
        adjusted: [['set', ['enabled', 'autostart', 'toolPolicies', 'timeouts']]],
      },
    );
  });

  it('takes one id in two files for two definitions', () => {
    const before = snapshotOf(fileOf(user, { a: { command: 'x' } }));
    const after = snapshotOf(fileOf(user, { a: { command: 'x' } }), fileOf(folder('one'), { a: { command: 'x' } }));
    const { added, removed, changed, adjusted } = diffConfig(before, after);
    assert.deepEqual(
      [added.map((server) => server.key), removed, changed, adjusted],
      [['project:/work/one:a'], [], [], []],
    );
  });

  it('finds nothing between equal snapshots', () => {
    const make = () => snapshotOf(fileOf(user, { a: { command: 'x', toolPolicies: { p: 'ask', q: 'deny' } } }));
    assert.deepEqual(diffConfig(make(), make()), { added: [], removed: [], changed: [], adjusted: [] });
  });
});
