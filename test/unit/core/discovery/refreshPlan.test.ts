import assert from 'node:assert/strict';
import fc from 'fast-check';
import { describe, it } from 'mocha';
import {
  begin,
  finish,
  idlePlan,
  nextStart,
  type RefreshPlan,
  wish,
} from '../../../../src/core/discovery/refreshPlan.ts';

const pace = { coalesce: 50, perMinute: 3 };
const changed = (plan: RefreshPlan, now: number): RefreshPlan => wish(plan, ['tools'], { now, urgent: false });
const asked = (plan: RefreshPlan, now: number): RefreshPlan => wish(plan, ['tools'], { now, urgent: true });
const readOnce = (plan: RefreshPlan, now: number): RefreshPlan => finish(begin(plan, now)).plan;

describe('the refresh plan', () => {
  it('waits a moment after the first of a burst, however long the burst goes on', () => {
    let plan = idlePlan;
    for (let now = 0; now < 40; now++) plan = changed(plan, now);
    assert.equal(nextStart(plan, pace, 40), 50);
    assert.equal(nextStart(changed(plan, 49), pace, 49), 50);
  });

  it('lets a person’s wish begin at once', () => {
    assert.equal(nextStart(asked(changed(idlePlan, 0), 10), pace, 10), 10);
  });

  it('begins nothing while a reading runs or nothing is wanted', () => {
    assert.equal(nextStart(idlePlan, pace, 0), undefined);
    assert.equal(nextStart(changed(begin(asked(idlePlan, 0), 0), 1), pace, 1), undefined);
  });

  it('reads together what was wished for apart', () => {
    const plan = wish(changed(idlePlan, 0), ['prompts'], { now: 1, urgent: false });
    assert.deepEqual([...(begin(plan, 50).running?.kinds ?? [])], ['tools', 'prompts']);
  });

  it('bounds readings to so many in a minute, but not those of a person', () => {
    let plan = idlePlan;
    for (const now of [0, 1_000, 2_000]) plan = readOnce(changed(plan, now), now);
    assert.equal(nextStart(changed(plan, 3_000), pace, 3_000), 60_000);
    assert.equal(nextStart(asked(plan, 3_000), pace, 3_000), 3_000);
    assert.equal(nextStart(changed(plan, 59_990), pace, 59_990), 60_040);
  });

  it('does not publish a reading that a change overtook', () => {
    const plan = wish(begin(wish(idlePlan, ['tools', 'prompts'], { now: 0, urgent: true }), 0), ['tools'], {
      now: 1,
      urgent: false,
    });
    const ended = finish(plan);
    assert.equal(ended.publish, false);
    assert.deepEqual([...ended.plan.wanted], ['tools']);
  });

  it('publishes every other reading of a server that changes all the time', () => {
    let plan = asked(idlePlan, 0);
    const published: boolean[] = [];
    for (let now = 0; now < 6; now++) {
      const ended = finish(changed(begin(plan, now), now));
      published.push(ended.publish);
      plan = ended.plan;
    }
    assert.deepEqual(published, [false, true, false, true, false, true]);
  });

  it('holds to its bounds whatever happens when', () => {
    const events = fc.array(fc.record({ after: fc.nat(200), what: fc.constantFrom('changed', 'end') }), {
      maxLength: 200,
    });
    fc.assert(
      fc.property(events, (list) => {
        let plan = idlePlan;
        let now = 0;
        const starts: number[] = [];
        const run = (until: number): void => {
          const at = nextStart(plan, pace, now);
          if (at === undefined || at > until) return;
          starts.push(at);
          plan = begin(plan, at);
        };
        for (const { after, what } of list) {
          run(now + after);
          now += after;
          if (what === 'changed') plan = changed(plan, now);
          else if (plan.running !== undefined) plan = finish(plan).plan;
        }
        // One of two readings may follow at once, to show what was held back.
        for (const start of starts) {
          assert.ok(starts.filter((other) => other > start - 60_000 && other <= start).length <= 2 * pace.perMinute);
        }
      }),
      { numRuns: 2_000, seed: 20261129 },
    );
  });
});
