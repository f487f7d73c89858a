import assert from 'node:assert/strict';
import { describe, it } from 'mocha';
import { OwnedTree } from '../../../../src/core/guard/ownedTree.ts';
import type { ProcessInfo, ProcessTable } from '../../../../src/core/transport/processTable.ts';
import type { TreeRoot } from '../../../../src/core/transport/selectTree.ts';
import { processInfo } from '../../../support/processInfo.ts';

const owner = { pid: 9, start: 1, namespace: 0 };
const uuid = '01234567-89ab-4cde-8f01-23456789abcd';
const marked = `9.1.0.${uuid}`;

interface World {
  readonly processes: ProcessInfo[];
  readonly marks?: ReadonlyMap<number, readonly string[]>;
  readonly roots?: readonly TreeRoot[];
  readonly windows?: boolean;
  readonly fresh?: boolean;
}

function world({ processes, marks = new Map(), roots = [], windows = false, fresh = true }: World) {
  let hidden = false;
  const table: ProcessTable = {
    keepsParents: windows,
    own: { pid: 10, start: 5 },
    namespace: 0,
    knowsOwnStart: true,
    now: () => 1000,
    latest: () => 1000,
    list: () => (hidden ? Promise.reject(new Error('hidden')) : Promise.resolve([...processes])),
    marked: () => Promise.resolve(new Set()),
    marks: (of) => Promise.resolve(new Map(windows ? [] : of.map(({ pid }) => [pid, marks.get(pid) ?? []]))),
    alive: (of) => Promise.resolve(of),
    signal: () => Promise.resolve(),
  };
  const tree = new OwnedTree({ table, owners: [owner], roots, fresh });
  const scan = async (): Promise<number[]> => (await tree.scan()).map(({ pid }) => pid).sort((a, b) => a - b);
  return { tree, scan, hide: () => (hidden = true) };
}

const root = { pid: 100, start: 50, latest: 52, end: undefined };

describe('What dead owners left', () => {
  it('is what carries a mark of theirs among others, and what descends from it; nothing else, ourselves neither', async () => {
    const marks = new Map([
      [10, [marked]],
      [100, ['8.1.0.' + uuid, marked]],
      [102, ['9.2.0.' + uuid]],
      [103, ['19.1.0.' + uuid]],
    ]);
    const processes = [
      processInfo(10, 1, 5),
      processInfo(100, 1, 50),
      processInfo(101, 100, 60),
      processInfo(102, 1, 60),
      processInfo(103, 10, 60),
    ];
    assert.deepEqual(await world({ processes, marks }).scan(), [100, 101]);
  });

  it('is what its direct children lead, also where these have ended and no environment can be read', async () => {
    const processes = [
      processInfo(101, 1, 60, { group: 100 }),
      processInfo(102, 1, 60, { session: 100 }),
      processInfo(103, 1, 60),
    ];
    assert.deepEqual(await world({ processes, roots: [root] }).scan(), [101, 102]);
  });

  it('is no process that has the number of such a child, but started before or later, nor what that one leads', async () => {
    for (const start of [49, 53]) {
      const processes = [
        processInfo(100, 1, start),
        processInfo(101, 100, 60),
        processInfo(102, 1, 60, { group: 100 }),
      ];
      assert.deepEqual(await world({ processes, roots: [root] }).scan(), []);
    }
  });

  it('is still known when the system shows nothing, which is said', async () => {
    const { tree, scan, hide } = world({ processes: [processInfo(100, 1, 51)], roots: [root] });
    assert.deepEqual(await scan(), [100]);
    hide();
    assert.deepEqual(await scan(), [100]);
    assert.deepEqual([tree.blind, tree.found], [true, 1]);
  });

  it('is, where parents outlive their processes, what an ended child had started, if the owner died just now', async () => {
    const processes = [processInfo(101, 100, 60, { group: undefined, session: undefined })];
    assert.deepEqual(await world({ processes, roots: [root], windows: true }).scan(), [101]);
    assert.deepEqual(await world({ processes, roots: [root], windows: true, fresh: false }).scan(), []);
  });
});
