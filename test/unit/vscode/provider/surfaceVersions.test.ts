import assert from 'node:assert/strict';
import { describe, it } from 'mocha';
import type { KeptOffer } from '../../../../src/core/discovery/keptLists.ts';
import { SurfaceVersions } from '../../../../src/vscode/provider/surfaceVersions.ts';
import { offeredItem, offeredTool } from '../../../support/managerView.ts';
import { ManualClock } from '../../../support/manualClock.ts';
import { MementoMap } from '../../../support/mementoMap.ts';
import { snapshotOf } from '../../../support/snapshotOf.ts';

const offer = (...names: readonly string[]): KeptOffer => snapshotOf({ tools: names.map((name) => offeredTool(name)) });

interface World {
  /** The version of one server `a` now. */
  readonly version: (offer: KeptOffer | undefined, held?: boolean) => number;
  readonly memory: MementoMap;
  readonly clock: ManualClock;
}

function open(memory = new MementoMap(), clock = new ManualClock(1_000)): World {
  const versions = new SurfaceVersions(memory, clock);
  return {
    memory,
    clock,
    version: (known, held = false) =>
      versions.take([{ id: 'a', offer: known, held }], new Set(['a'])).get('a') ?? Number.NaN,
  };
}

describe('the versions of what is published', () => {
  it('rise with every change of tools or prompts, also within one millisecond [GATE-7d]', () => {
    const { version } = open();
    const offers = [
      offer('one'),
      offer('one', 'two'),
      offer('two'),
      snapshotOf({ tools: [offeredTool('two', { description: 'other' })] }),
      snapshotOf({ tools: [offeredTool('two', { annotations: { readOnlyHint: true } })] }),
      snapshotOf({ tools: [offeredTool('two', { annotations: { readOnlyHint: true } })], prompts: [offeredItem('p')] }),
      offer('one'),
    ];
    const seen = offers.map((each) => version(each));
    assert.deepEqual(
      seen,
      offers.map((_, at) => 1_000 + at),
    );
  });

  it('stay while the same is offered, by whichever connection and in whichever order', () => {
    const { version } = open();
    const first = version(offer('one', 'two'));
    assert.equal(version(offer('two', 'one')), first);
    assert.equal(version(undefined), first);
    assert.equal(version(offer('one', 'two')), first);
  });

  it('stay when the first tools of a server become known: the editor has none of it', () => {
    const { version, clock } = open();
    const first = version(undefined);
    clock.advance(5_000);
    assert.equal(version(offer('one')), first);
    assert.equal(version(offer('two')), 6_000);
  });

  it('see a change while the window was closed [GATE-7d]', () => {
    const memory = new MementoMap();
    const before = open(memory).version(offer('one'));
    assert.equal(open(memory, new ManualClock(9_000)).version(offer('one')), before);
    assert.equal(open(memory, new ManualClock(9_000)).version(offer('two')), 9_000);
  });

  it('rise when the clock went back, and come in no second time when the memory is lost', () => {
    const memory = new MementoMap();
    const before = open(memory, new ManualClock(5_000)).version(offer('one'));
    assert.equal(open(memory, new ManualClock(10)).version(offer('two')), before + 1);
    assert.equal(open(new MementoMap(), new ManualClock(7_000)).version(offer('one')), 7_000);
  });

  it('wait while the editor is connected, and rise after that', () => {
    const { version, clock } = open();
    const first = version(offer('one'));
    clock.advance(5_000);
    assert.equal(version(offer('two'), true), first);
    assert.equal(version(offer('two', 'three'), true), first);
    assert.equal(version(offer('two', 'three')), 6_000);
  });

  it('do not rise after a change that was taken back', () => {
    const { version } = open();
    const first = version(offer('one'));
    version(offer('two'), true);
    assert.equal(version(offer('one')), first);
  });

  it('are forgotten with the server, and not while it is only kept back', () => {
    const memory = new MementoMap();
    const versions = new SurfaceVersions(memory, new ManualClock(1_000));
    versions.take([{ id: 'a', offer: offer('one'), held: false }], new Set(['a']));
    versions.take([], new Set(['a']));
    assert.deepEqual(Object.keys(memory.get('publishedVersions')), ['a']);
    versions.take([], new Set());
    assert.deepEqual(Object.keys(memory.get('publishedVersions')), []);
  });

  it('begin anew where what was remembered is not what it was', () => {
    for (const stored of [7, 'x', { a: 1 }, { a: { version: '1', hash: 'h' } }, { a: { version: 2.5, hash: '' } }]) {
      const memory = new MementoMap();
      void memory.update('publishedVersions', stored);
      assert.equal(open(memory, new ManualClock(3_000)).version(offer('one')), 3_000);
    }
  });
});
