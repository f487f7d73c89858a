import assert from 'node:assert/strict';
import { describe, it } from 'mocha';
import type { ServerRole } from '../../../../src/core/config/resolveRoles.ts';
import { publishedServers } from '../../../../src/vscode/provider/publishedServers.ts';
import { everyState, managerView, offeredTool, serverView } from '../../../support/managerView.ts';
import { snapshotOf } from '../../../support/snapshotOf.ts';

describe('what is published to the editor', () => {
  it('is what a person approved and nothing keeps from running [GATE-7a]', () => {
    const published = everyState.filter(
      (state) => publishedServers(managerView([serverView('a', { state })])).length > 0,
    );
    assert.deepEqual(
      [...new Set(everyState.filter((state) => !published.includes(state)).map(({ kind }) => kind))],
      ['disabled', 'blocked'],
    );
  });

  it('is the one definition that serves an id', () => {
    const roles: readonly ServerRole[] = ['serving', 'standIn', 'overridden', 'waiting', 'shared', 'conflict'];
    const published = roles.filter((role) => publishedServers(managerView([serverView('a', { role })])).length > 0);
    assert.deepEqual(published, ['serving', 'standIn']);
  });

  it('has labels that do not change when another server is turned off [GATE-7b]', () => {
    const labels = (off: boolean): readonly string[] =>
      publishedServers(
        managerView([
          serverView('GitHub', off ? { state: { kind: 'disabled' } } : {}),
          serverView('github'),
          serverView('chrome-devtools'),
        ]),
      ).map(({ label }) => label);
    assert.deepEqual(labels(false).slice(1), labels(true));
    assert.equal(new Set(labels(false).map((label) => label.toLowerCase())).size, 3);
  });

  it('knows what is offered, or was when the very launch last ran', () => {
    const snapshot = snapshotOf({ tools: [offeredTool('now')] });
    const kept = snapshotOf({ tools: [offeredTool('before')] });
    const offers = publishedServers(
      managerView([serverView('a', { snapshot, kept }), serverView('b', { kept }), serverView('c')]),
    ).map(({ offer }) => offer);
    assert.deepEqual(offers, [snapshot, kept, undefined]);
  });
});
