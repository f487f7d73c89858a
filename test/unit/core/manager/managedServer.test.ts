import assert from 'node:assert/strict';
import { describe, it } from 'mocha';
import { systemClock } from '../../../../src/base/clock.ts';
import { ManagedServer } from '../../../../src/core/manager/managedServer.ts';
import type { LaunchFingerprint } from '../../../../src/core/transport/launch.ts';
import { user } from '../../../support/managerWorld.ts';

function managedServer(): ManagedServer {
  const unused = (): never => assert.fail('nothing is started here');
  return new ManagedServer({
    server: user('a'),
    steps: () => ({ prepare: unused, open: unused }),
    follow: unused,
    clock: systemClock(),
    after: undefined,
    onChange: () => undefined,
    onPublish: () => undefined,
    onLog: () => undefined,
  });
}

/** What is known of the launch of a definition, and of what that offered. */
function ofLaunch({ standing, mayAsk, kept, changedTools, grants, grantedTools, launched, identity }: ManagedServer) {
  return { standing, mayAsk, kept, changedTools, grants, grantedTools, launched, identity };
}

function used(managed: ManagedServer): void {
  managed.standing = 'approved';
  managed.mayAsk = true;
  managed.kept = { tools: [], resources: [], resourceTemplates: [], prompts: [] };
  managed.changedTools = new Map([['t', 'new']]);
  managed.grants.set('t', 'hash');
  managed.grantedTools = new Set(['t']);
  managed.launched = 'f' as LaunchFingerprint;
  managed.identity = { name: managed.server.id, command: ['x'] };
}

describe('a definition under the manager’s care', () => {
  it('forgets with a newer definition all that was known of the launch of the older one', () => {
    const managed = managedServer();
    const atFirst = structuredClone(ofLaunch(managed));
    used(managed);
    managed.take(user('a', { version: 2 }));
    assert.deepEqual(ofLaunch(managed), atFirst);
  });

  it('keeps it where the file was only read again', () => {
    const managed = managedServer();
    used(managed);
    const before = structuredClone(ofLaunch(managed));
    managed.take(user('a'));
    assert.deepEqual(ofLaunch(managed), before);
  });
});
