import assert from 'node:assert/strict';
import { describe, it } from 'mocha';
import { KeptLists } from '../../../../src/core/discovery/keptLists.ts';
import { Admission } from '../../../../src/core/manager/admission.ts';
import { LastOffers } from '../../../../src/core/manager/lastOffers.ts';
import type { ManagedServer } from '../../../../src/core/manager/managedServer.ts';
import { ServerSet } from '../../../../src/core/manager/serverSet.ts';
import type { LaunchFingerprint } from '../../../../src/core/transport/launch.ts';
import { ApprovalDesk } from '../../../../src/core/trust/approvalDesk.ts';
import type { Circumstances } from '../../../../src/core/trust/barOf.ts';
import { config, makeWorld, memoryOf, project, user } from '../../../support/managerWorld.ts';
import { snapshotOf } from '../../../support/snapshotOf.ts';

const remembered = 'f' as LaunchFingerprint;
const b = project('b');

/** Lists that an earlier window kept, and its approvals, of these definitions. */
function earlier(...servers: (typeof b)[]) {
  const kept = new KeptLists();
  for (const { key } of servers) kept.put(key, remembered, snapshotOf({}));
  return { kept, memory: memoryOf(new Map(servers.map(({ key }) => [key, remembered]))) };
}

describe('what a server offered when it last ran', () => {
  it('is looked for under no bar, whatever was kept and approved before [TRUST-1c]', async () => {
    const off = user('off', { enabled: false });
    const remote = user('r', { url: 'https://mcp.example/' });
    for (const options of [{ trusted: false }, { trusted: true, reach: false }]) {
      const barred = options.trusted ? [off, remote] : [b, off];
      const world = makeWorld({ ...options, ...earlier(...barred) });
      world.manager.apply(config(...barred));
      await world.quiet();
      for (const { key } of barred) await assert.rejects(world.manager.use(key));
      assert.equal(world.identified, 0, 'identifying reads the file system, and expands');
    }
  });

  it('is looked for once nothing bars it any more [TRUST-1d]', async () => {
    const world = makeWorld({ trusted: false, ...earlier(b) });
    world.manager.apply(config(b));
    await world.quiet();
    world.manager.setCircumstances({ workspaceTrusted: true, mayReach: () => true });
    await world.quiet();
    assert.ok(world.identified > 0);
  });

  it('is dropped with the right to run, also where it was not looked at yet [DISC-8c]', async () => {
    const off = project('off', { enabled: false });
    const { kept, memory } = earlier(off, b);
    const world = makeWorld({ kept, memory });
    world.manager.apply(config(off));
    await world.quiet();
    assert.deepEqual([kept.has(off.key), kept.has(b.key)], [false, true]);
  });

  it('stays unknown while its definition is barred', async () => {
    let looked = 0;
    const { kept } = earlier(b);
    const offers = new LastOffers(
      kept,
      deskThat(() => (looked += 1)),
    );
    const managed = { server: b, bar: { kind: 'disabled' } } as unknown as ManagedServer;
    assert.equal(await offers.lookUp(managed), false);
    assert.equal(looked, 0);
    managed.bar = undefined;
    assert.equal(await offers.lookUp(managed), true);
  });

  it('is asked for of those alone that are let in', async () => {
    const admitted: string[] = [];
    const circumstances: Circumstances = { workspaceTrusted: false, mayReach: () => true };
    const { memory } = earlier(b, user('a'));
    const desk = deskThat(() => undefined, memory);
    const admission = new Admission(desk, circumstances, {
      admitted: (managed) => Promise.resolve(void admitted.push(managed.server.id)),
      barred: () => undefined,
      settled: () => undefined,
    });
    const managed = (server: typeof b) =>
      ({ server, standing: 'unlooked', connection: {} }) as unknown as ManagedServer;
    admission.take(new ServerSet(config(b, user('a')), managed));
    admission.settle();
    await Promise.all(admission.servers.all().map((each) => admission.judge(each)));
    assert.deepEqual([...new Set(admitted)], ['a']);
  });
});

function deskThat(look: () => unknown, memory = memoryOf()): ApprovalDesk {
  const identify: ConstructorParameters<typeof ApprovalDesk>[0]['identify'] = ({ id, scope, file }) => {
    look();
    const what = { kind: 'stdio', command: 'x', executable: '/x', args: [], cwd: '/', env: {} } as const;
    return Promise.resolve({ id, scope, file, fingerprint: remembered, what });
  };
  return new ApprovalDesk({ identify, resolve: () => Promise.reject(new Error('not used')) }, { memory });
}
