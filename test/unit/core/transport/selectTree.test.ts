import assert from 'node:assert/strict';
import { describe, it } from 'mocha';
import type { ProcessInfo } from '../../../../src/core/transport/processTable.ts';
import { markCandidates, selectTree, type TreeQuery } from '../../../../src/core/transport/selectTree.ts';
import { processInfo } from '../../../support/processInfo.ts';

const query = (changes: Partial<TreeQuery> = {}): TreeQuery => ({
  roots: [{ pid: 100, start: 50, end: undefined }],
  since: 50,
  known: new Map(),
  marked: new Set(),
  self: 10,
  keepsParents: false,
  ...changes,
});

const pids = (processes: readonly ProcessInfo[]): number[] => processes.map(({ pid }) => pid).sort((a, b) => a - b);

const ours = processInfo(10, 1, 5);
const root = processInfo(100, 10, 50);

describe('selectTree', () => {
  it('takes the root and what descends from it, whatever group it has', () => {
    const table = [
      ours,
      root,
      processInfo(101, 100, 60),
      processInfo(102, 101, 61),
      processInfo(200, 1, 60),
      processInfo(201, 10, 60),
    ];
    assert.deepEqual(pids(selectTree(table, query())), [100, 101, 102]);
  });

  it('takes members of the root’s group or session whose parent has ended', () => {
    const table = [
      ours,
      processInfo(101, 1, 60, { group: 100 }),
      processInfo(102, 1, 60, { session: 100 }),
      processInfo(103, 1, 60),
    ];
    assert.deepEqual(pids(selectTree(table, query({ roots: [{ pid: 100, start: 50, end: 70 }] }))), [101, 102]);
  });

  it('takes what carries the mark, and what descends from that', () => {
    const table = [ours, root, processInfo(300, 1, 60), processInfo(301, 300, 61), processInfo(302, 1, 60)];
    assert.deepEqual(pids(selectTree(table, query({ marked: new Set([300]) }))), [100, 300, 301]);
  });

  it('takes a known process while its start time is the same', () => {
    const known = new Map([
      [300, { pid: 300, start: 60, end: 65 }],
      [301, { pid: 301, start: 60, end: 65 }],
    ]);
    const table = [processInfo(300, 1, 60), processInfo(301, 1, 99)];
    assert.deepEqual(pids(selectTree(table, query({ known }))), [300]);
  });

  it('never takes ourselves, process 1, or what started before the root', () => {
    const marked = new Set([1, 10, 20]);
    const table = [processInfo(1, 0, 1), processInfo(10, 100, 60), processInfo(20, 100, 40), root];
    assert.deepEqual(pids(selectTree(table, query({ marked }))), [100]);
  });

  it('does not take a later process under the root’s pid, nor what that one started or leads', () => {
    const table = [processInfo(100, 1, 80), processInfo(101, 100, 81), processInfo(102, 1, 82, { group: 100 })];
    assert.deepEqual(pids(selectTree(table, query({ roots: [{ pid: 100, start: 50, end: 70 }] }))), []);
  });

  it('leaves zombies out and still follows their children', () => {
    const table = [root, processInfo(101, 100, 60, { zombie: true }), processInfo(102, 101, 61)];
    assert.deepEqual(pids(selectTree(table, query())), [100, 102]);
  });

  describe('where parent ids outlive their processes', () => {
    const windows = { keepsParents: true, roots: [{ pid: 100, start: 50, end: 70 }] };
    const plain = (pid: number, ppid: number, start: number): ProcessInfo =>
      processInfo(pid, ppid, start, { group: undefined, session: undefined });

    it('takes what the ended root had started, and what descends from that', () => {
      const table = [plain(101, 100, 60), plain(102, 101, 75)];
      assert.deepEqual(pids(selectTree(table, query(windows))), [101, 102]);
    });

    it('does not take what a later process under the root’s pid has started', () => {
      const table = [plain(100, 1, 80), plain(101, 100, 81), plain(103, 100, 60)];
      assert.deepEqual(pids(selectTree(table, query(windows))), [103]);
    });

    it('takes what a member had started before it was last seen', () => {
      const known = new Map([[200, { pid: 200, start: 55, end: 65 }]]);
      const table = [plain(201, 200, 60), plain(202, 200, 90)];
      assert.deepEqual(pids(selectTree(table, query({ ...windows, known }))), [201]);
    });
  });
});

describe('markCandidates', () => {
  it('names only living processes that started after the root and were not found by other means', () => {
    const table = [
      ours,
      processInfo(20, 1, 40),
      root,
      processInfo(300, 1, 60),
      processInfo(301, 1, 60, { zombie: true }),
    ];
    const members = selectTree(table, query());
    assert.deepEqual(pids(markCandidates(table, query(), members)), [300]);
  });
});
