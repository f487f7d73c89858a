import assert from 'node:assert/strict';
import { inspect } from 'node:util';
import fc from 'fast-check';
import { after, before, describe, it } from 'mocha';
import { canonicalJson } from '../../src/base/canonicalJson.ts';
import {
  anyCase,
  anyChange,
  type Change,
  type ChangeKind,
  changed,
  changeKinds,
  idleKinds,
  type LaunchCase,
} from '../support/launchCases.ts';
import type { Launched } from '../support/launchLane.ts';
import { LaunchLanes } from '../support/launchLanes.ts';
import { hasProcessTable } from '../support/processTable.ts';
import { temporaryFolder } from '../support/temporaryFolder.ts';

/** In each of two lanes a launch, and the same after one change. */
const rounds = 2_500;

interface Seen extends Launched {
  readonly lane: number;
  readonly of: LaunchCase;
}

/**
 * What runs is told by the kernel. A fingerprint binds the person's values by reference, so each of them has a value that
 * nothing else holds: two launches run the same exactly when they do so whatever those values are.
 */
describe('the fingerprint of a launch', function () {
  this.timeout(600_000);
  let folder: Awaited<ReturnType<typeof temporaryFolder>> | undefined;
  let lanes: LaunchLanes | undefined;
  before(async function () {
    if (!hasProcessTable) return this.skip();
    folder = await temporaryFolder();
    lanes = await LaunchLanes.start(folder.path, 2);
  });
  after(async () => {
    await lanes?.dispose();
    await folder?.remove();
  });

  it('is equal exactly when what would run is equal (10,000 launches) [TRUST-2b, TRUST-2c, TRUST-2d]', async () => {
    const seen: Seen[] = [];
    const effects = new Map(changeKinds.map((kind) => [kind, { same: 0, differs: 0 }]));
    const launch = async (lane: number, of: LaunchCase): Promise<Seen> => {
      const launched = { lane, of, ...(await lanes!.launch(lane, of)) };
      seen.push(launched);
      return launched;
    };
    const changeIn = async (lane: number, [first, change]: readonly [LaunchCase, Change]): Promise<void> => {
      const before = await launch(lane, first);
      const after = await launch(lane, changed(change, first));
      assertAgree(before, after, `after a change of ${change.kind}`);
      effects.get(change.kind)![runsSame(before, after) ? 'same' : 'differs'] += 1;
    };
    const pair = fc.tuple(anyCase, anyChange);
    const property = fc.asyncProperty(pair, pair, async (...both) => {
      const ends = await Promise.allSettled(both.map((each, lane) => changeIn(lane, each)));
      for (const end of ends) if (end.status === 'rejected') throw end.reason;
    });
    await fc.assert(property, { seed: 20261130, numRuns: rounds });
    assert.equal(seen.length, 4 * rounds);
    assertAllAgree(seen);
    assertTelling(effects);
  });
});

/** Equal launches have equal fingerprints, and different ones different fingerprints. */
function assertAgree(one: Seen, two: Seen, when: string): void {
  const same = one.fingerprint === two.fingerprint;
  if (same && !runsSame(one, two)) fail('One fingerprint covers two launches', when, one, two);
  // In the person's own file the folder that is open binds by reference as well, though its path may also be written.
  if (!same && runsSame(one, two) && one.of.scope === 'project')
    fail('One launch has two fingerprints', when, one, two);
}

/** The same of any two launches, by the definitions of one scope. */
function assertAllAgree(seen: readonly Seen[]): void {
  for (const [lane, scope] of [0, 1].flatMap((index) =>
    (['project', 'user'] as const).map((kind) => [index, kind] as const),
  )) {
    const byFingerprint = new Map<string, Seen>();
    const byRun = new Map<string, Seen>();
    for (const one of seen.filter((each) => each.lane === lane && each.of.scope === scope)) {
      for (const [known, key] of [
        [byFingerprint, one.fingerprint],
        [byRun, canonicalJson(one.run)],
      ] as const) {
        const before = known.get(key);
        if (before === undefined) known.set(key, one);
        else assertAgree(before, one, 'among all launches');
      }
    }
    assert.ok(byRun.size > 300, `only ${byRun.size} different launches of a ${scope}`);
  }
}

/** What was tried shows something: each change did change what runs, often enough, and what changes nothing did not. */
function assertTelling(effects: ReadonlyMap<ChangeKind, { readonly same: number; readonly differs: number }>): void {
  for (const [kind, { same, differs }] of effects) {
    if (idleKinds.includes(kind)) assert.ok(differs === 0 && same > 100, `${kind}: ${same} the same, ${differs} not`);
    else assert.ok(differs > 10, `${kind} changed what runs only ${differs} times`);
  }
}

function runsSame(one: Seen, two: Seen): boolean {
  return canonicalJson(one.run) === canonicalJson(two.run);
}

function fail(what: string, when: string, one: Seen, two: Seen): never {
  const shown = (part: unknown): string => inspect(part, { depth: 5, breakLength: 120 });
  const [left, right] = [one.run, two.run].map((run) =>
    Object.entries(run).map(([name, value]) => `${name}: ${shown(value)}`),
  );
  const differs = left!.flatMap((line, index) =>
    line === right![index] ? [] : [`  - ${line}`, `  + ${right![index]}`],
  );
  const lines = [
    `${what}, ${when}.`,
    'First:',
    shown(one.of),
    'Second:',
    shown(two.of),
    'What ran differs in:',
    ...differs,
  ];
  assert.fail(lines.join('\n'));
}
