import assert from 'node:assert/strict';
import { beforeEach, describe, it } from 'mocha';
import { deferred } from '../../../src/base/deferred.ts';
import { limits } from '../../../src/core/limits.ts';
import { endServing } from '../../../src/vscode/endServing.ts';
import { ManualClock } from '../../support/manualClock.ts';
import { settled } from '../../support/settled.ts';

describe('the end of what a window serves', () => {
  const clock = new ManualClock();
  let order: string[];
  beforeEach(() => (order = []));
  const manager = { dispose: () => Promise.resolve(void order.push('servers end')) };

  it('closes the gateway before any server ends [GATE-5e]', async () => {
    const closed = deferred<undefined>();
    const gateway = {
      end: async () => {
        order.push('gateway ends');
        await closed.promise;
        order.push('gateway ended');
      },
    };
    const ended = endServing({ gateway, manager, clock });
    await settled();
    assert.deepEqual(order, ['gateway ends']);
    closed.resolve(undefined);
    await ended;
    assert.deepEqual(order, ['gateway ends', 'gateway ended', 'servers end']);
    assert.equal(clock.pending, 0);
  });

  it('ends the servers also where the gateway fails, or is not closed in time', async () => {
    await endServing({ gateway: { end: () => Promise.reject(new Error('no')) }, manager, clock });
    assert.deepEqual(order, ['servers end']);
    const hung = deferred<undefined>();
    const ended = endServing({ gateway: { end: () => hung.promise }, manager, clock });
    clock.advance(limits.stop.gateway);
    await settled();
    assert.deepEqual(order, ['servers end', 'servers end']);
    hung.resolve(undefined);
    await ended;
  });
});
