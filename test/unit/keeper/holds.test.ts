import assert from 'node:assert/strict';
import { EventEmitter } from 'node:events';
import type { ServerResponse } from 'node:http';
import { describe, it } from 'mocha';
import type { KeeperEvent } from '../../../src/contract/keeperWire.ts';
import { Holds } from '../../../src/keeper/holds.ts';
import { ManualClock } from '../../support/manualClock.ts';

/** A stream that remembers what was sent. */
class Stream extends EventEmitter {
  readonly writableLength = 0;
  readonly heard: KeeperEvent[] = [];
  writeHead(): void {
    // Nobody reads it.
  }
  flushHeaders(): void {
    // The same.
  }
  write(text: string): void {
    const data = /^data: (.*)$/m.exec(text)?.[1];
    if (data !== undefined) this.heard.push(JSON.parse(data) as KeeperEvent);
  }
  end(): void {
    this.emit('close');
  }
}

describe('those who hold servers of the keeper', () => {
  function opened(holds: Holds): { readonly stream: Stream; readonly id: string } {
    const stream = new Stream();
    holds.open(stream as unknown as ServerResponse);
    const [first] = stream.heard;
    return { stream, id: first?.kind === 'held' ? first.hold : '' };
  }

  it('hold a server until they released it as often as they launched it, or are gone', () => {
    const holds = new Holds(new ManualClock());
    const [one, two] = [opened(holds), opened(holds)];
    holds.take(one.id, 'user:a');
    holds.take(one.id, 'user:a');
    holds.take(two.id, 'user:a');
    assert.deepEqual(
      [holds.holdersOf('user:a'), holds.holdersOf('user:a', one.id), holds.holdersOf('user:b')],
      [2, 1, 0],
    );
    holds.release(one.id, 'user:a');
    assert.equal(holds.holdersOf('user:a'), 2);
    holds.release(one.id, 'user:a');
    holds.release(one.id, 'user:a');
    assert.equal(holds.holdersOf('user:a'), 1);
    two.stream.end();
    assert.deepEqual([holds.holdersOf('user:a'), holds.size, holds.has(two.id)], [0, 1, false]);
    holds.take(two.id, 'user:a');
    assert.equal(holds.holdersOf('user:a'), 0);
  });

  it('hear of the servers that they hold, and of no other one', () => {
    const holds = new Holds(new ManualClock());
    const [one, two] = [opened(holds), opened(holds)];
    holds.take(one.id, 'user:a');
    holds.tell({ kind: 'log', key: 'user:a', line: 'said' });
    holds.tell({ kind: 'log', key: 'user:b', line: 'said' });
    assert.deepEqual(one.stream.heard.slice(1), [{ kind: 'log', key: 'user:a', line: 'said' }]);
    assert.deepEqual(two.stream.heard.slice(1), []);
  });
});
