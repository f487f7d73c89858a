import assert from 'node:assert/strict';
import { describe, it } from 'mocha';
import { deadOwners, isDeadOwner, type OwnerJudge } from '../../../../src/core/guard/deadOwners.ts';
import { ownerOfMark } from '../../../../src/core/transport/ownerMark.ts';
import type { ProcessInfo } from '../../../../src/core/transport/processTable.ts';

const owner = { pid: 100, start: 50, namespace: 7 };
const uuid = '01234567-89ab-4cde-8f01-23456789abcd';
const mark = `100.50.7.${uuid}`;

function judge(changes: Partial<ProcessInfo> | undefined, exact = true, exists = false): OwnerJudge {
  const own = { pid: 100, ppid: 1, group: 100, session: 100, start: 50, zombie: false };
  return {
    processes: changes === undefined ? [] : [{ ...own, ...changes }],
    table: { namespace: 7, knowsOwnStart: exact },
    exists: () => exists,
  };
}

describe('An owner', () => {
  it('is dead without a process, as a zombie, and where another process has its pid', () => {
    for (const dead of [undefined, { zombie: true }, { start: 51 }]) {
      assert.equal(isDeadOwner(owner, judge(dead)), true);
    }
  });

  it('lives as the same process, and may where the list hides it or its start is not told exactly', () => {
    assert.equal(isDeadOwner(owner, judge({})), false);
    assert.equal(isDeadOwner(owner, judge(undefined, true, true)), false);
    assert.equal(isDeadOwner(owner, judge({ start: 51 }, false)), false);
  });

  it('is never judged from another container', () => {
    assert.equal(isDeadOwner({ ...owner, namespace: 8 }, judge(undefined)), false);
  });
});

describe('The dead owners of marks', () => {
  it('are named once, without those that are spared', () => {
    const other = `101.50.7.${uuid}`;
    assert.deepEqual(deadOwners([[mark], [mark, other]], [{ ...owner, pid: 101 }], judge(undefined)), [owner]);
  });

  it('are not read out of anything that is no mark of ours', () => {
    const forged = ['', 'x', `100.50.${uuid}`, `-1.50.7.${uuid}`, `100.50.7.${uuid}x`, `9100.50.7.`, ` ${mark}`];
    assert.deepEqual(
      forged.map((text) => ownerOfMark(text)),
      forged.map(() => undefined),
    );
    assert.deepEqual(ownerOfMark(mark), owner);
  });
});
