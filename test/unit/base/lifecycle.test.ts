import assert from 'node:assert/strict';
import { describe, it } from 'mocha';
import { DisposableStore, toDisposable } from '../../../src/base/disposable.ts';
import { Emitter } from '../../../src/base/event.ts';
import { SerialQueue } from '../../../src/base/serialQueue.ts';

describe('DisposableStore', () => {
  it('disposes in reverse order, once, and what is added later at once', () => {
    const order: string[] = [];
    const store = new DisposableStore();
    for (const name of ['first', 'second']) store.add(toDisposable(() => order.push(name)));
    store.dispose();
    store.dispose();
    store.add(toDisposable(() => order.push('late')));
    assert.deepEqual(order, ['second', 'first', 'late']);
  });
});

describe('Emitter', () => {
  it('tells every listener though one throws, and none that left meanwhile', () => {
    const errors: unknown[] = [];
    const heard: string[] = [];
    const emitter = new Emitter<number>((error) => errors.push(error));
    emitter.event(() => {
      second.dispose();
      throw new Error('bad listener');
    });
    const second = emitter.event(() => heard.push('second'));
    emitter.event(() => heard.push('third'));
    emitter.fire(1);
    assert.deepEqual(heard, ['third']);
    assert.equal(errors.length, 1);
  });
});

describe('SerialQueue', () => {
  it('runs one job at a time, in order, past a failed one', async () => {
    const queue = new SerialQueue();
    const order: string[] = [];
    const job =
      (name: string, fails = false) =>
      async () => {
        order.push(`${name} begins`);
        await Promise.resolve();
        order.push(`${name} ends`);
        if (fails) throw new Error(name);
      };
    const results = await Promise.allSettled([queue.run(job('a', true)), queue.run(job('b'))]);
    assert.deepEqual(
      results.map(({ status }) => status),
      ['rejected', 'fulfilled'],
    );
    assert.deepEqual(order, ['a begins', 'a ends', 'b begins', 'b ends']);
  });
});
