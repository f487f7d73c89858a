import assert from 'node:assert/strict';
import { describe, it } from 'mocha';
import type { ProcessInfo, ProcessTable } from '../../../../src/core/transport/processTable.ts';
import { ProcessTree } from '../../../../src/core/transport/processTree.ts';
import { processInfo } from '../../../support/processInfo.ts';

function fakeTable(processes: ProcessInfo[], marks: ReadonlyMap<number, string> = new Map()) {
  const read: number[] = [];
  const table: { -readonly [K in keyof ProcessTable]: ProcessTable[K] } = {
    keepsParents: false,
    own: { pid: 10, start: 1 },
    namespace: 0,
    knowsOwnStart: true,
    now: () => 1000,
    latest: () => 1000,
    list: () => Promise.resolve([...processes]),
    marked: (candidates, mark) => {
      read.push(...candidates.map(({ pid }) => pid));
      return Promise.resolve(new Set(candidates.map(({ pid }) => pid).filter((pid) => marks.get(pid) === mark)));
    },
    marks: () => Promise.resolve(new Map()),
    alive: (members) =>
      Promise.resolve(
        members.filter((member) => processes.some((p) => p.pid === member.pid && p.start === member.start)),
      ),
    signal: () => Promise.resolve(),
  };
  return { table, read };
}

const treeOn = (table: ProcessTable): ProcessTree =>
  new ProcessTree({ table, root: { pid: 100, start: 50 }, mark: 'mark', self: 10 });

const pids = (processes: readonly ProcessInfo[]): number[] => processes.map(({ pid }) => pid).sort((a, b) => a - b);

describe('ProcessTree', () => {
  it('still finds a member after its parent ended and it belongs to nobody we know', async () => {
    const processes = [processInfo(100, 10, 50), processInfo(101, 100, 60)];
    const tree = treeOn(fakeTable(processes).table);
    assert.deepEqual(pids(await tree.scan()), [100, 101]);
    tree.rootEnded();
    processes.splice(0, 2, processInfo(101, 1, 60));
    assert.deepEqual(pids(await tree.scan()), [101]);
  });

  it('counts those it knew, or the direct child with its group, while the table cannot be read: never nobody', async () => {
    const processes = [processInfo(100, 10, 50), processInfo(101, 100, 60)];
    const { table } = fakeTable(processes);
    const list = table.list.bind(table);
    const fail = (): Promise<never> => Promise.reject(new Error('no ps'));
    table.list = fail;
    table.alive = fail;
    const tree = treeOn(table);
    assert.deepEqual(
      (await tree.scan()).map(({ pid, group }) => [pid, group]),
      [[100, 100]],
    );
    table.list = list;
    assert.deepEqual(pids(await tree.scan()), [100, 101]);
    table.list = fail;
    assert.deepEqual(pids(await tree.scan()), [100, 101]);
    assert.deepEqual(pids(await tree.alive()), [100, 101]);
  });

  it('finds a marked process that has neither our group nor our descent', async () => {
    const marks = new Map([
      [300, 'mark'],
      [301, 'other'],
    ]);
    const { table } = fakeTable([processInfo(100, 10, 50), processInfo(300, 1, 60), processInfo(301, 1, 60)], marks);
    assert.deepEqual(pids(await treeOn(table).scan()), [100, 300]);
  });

  it('reads the environment of a foreign process once only', async () => {
    const processes = [processInfo(100, 10, 50), processInfo(300, 1, 60)];
    const { table, read } = fakeTable(processes);
    const tree = treeOn(table);
    await tree.scan();
    processes.push(processInfo(301, 1, 70));
    await tree.scan();
    assert.deepEqual(read, [300, 301]);
  });

  it('looks again when a process ended before its environment was read, which may have started another', async () => {
    const marks = new Map([[302, 'mark']]);
    const processes = [processInfo(300, 1, 60), processInfo(301, 1, 61)];
    const { table } = fakeTable(processes, marks);
    const marked = table.marked.bind(table);
    table.marked = (candidates, mark) => {
      // The second one starts a third and ends, at the worst of times.
      if (candidates.some(({ pid }) => pid === 301)) processes.splice(1, 1, processInfo(302, 1, 62));
      return marked(candidates, mark);
    };
    const tree = treeOn(table);
    tree.rootEnded();
    assert.deepEqual(pids(await tree.scan()), [302]);
  });

  it('asks only for the members it knows when it asks who is alive', async () => {
    const processes = [processInfo(100, 10, 50), processInfo(101, 100, 60)];
    const tree = treeOn(fakeTable(processes).table);
    await tree.scan();
    processes.splice(1, 1, processInfo(101, 1, 99), processInfo(102, 100, 99));
    assert.deepEqual(pids(await tree.alive()), [100]);
  });
});
