// Who is here, and what they launched (KEEP-4): one open stream each, which ends with its process, and over which they hear
// what becomes of their servers. A server may be launched twice over one stream, and is held until it was released twice.
import { randomUUID } from 'node:crypto';
import type { ServerResponse } from 'node:http';
import type { Clock } from '../base/clock.ts';
import type { KeeperEvent } from '../contract/keeperWire.ts';
import { EventStream } from '../gateway/eventStream.ts';

interface Hold {
  readonly stream: EventStream;
  readonly counts: Map<string, number>;
}

export class Holds {
  readonly #clock: Clock;
  readonly #holds = new Map<string, Hold>();

  constructor(clock: Clock) {
    this.#clock = clock;
  }

  get size(): number {
    return this.#holds.size;
  }

  open(response: ServerResponse): void {
    const id = randomUUID();
    const hold: Hold = { stream: new EventStream(response, this.#clock), counts: new Map() };
    this.#holds.set(id, hold);
    response.once('close', () => this.#holds.delete(id));
    say(hold, { kind: 'held', hold: id });
  }

  has(id: string): boolean {
    return this.#holds.has(id);
  }

  /** How many hold this server, but for `except`. */
  holdersOf(key: string, except?: string): number {
    return [...this.#holds].filter(([id, { counts }]) => id !== except && counts.has(key)).length;
  }

  take(id: string, key: string): void {
    const counts = this.#holds.get(id)?.counts;
    counts?.set(key, (counts.get(key) ?? 0) + 1);
  }

  release(id: string, key: string): void {
    const counts = this.#holds.get(id)?.counts;
    const left = (counts?.get(key) ?? 0) - 1;
    if (left > 0) counts?.set(key, left);
    else counts?.delete(key);
  }

  /** To all that hold the server. */
  tell(event: Exclude<KeeperEvent, { kind: 'held' }>): void {
    for (const hold of this.#holds.values()) if (hold.counts.has(event.key)) say(hold, event);
  }

  dispose(): void {
    for (const { stream } of this.#holds.values()) stream.end();
    this.#holds.clear();
  }
}

function say({ stream }: Hold, event: KeeperEvent): void {
  stream.send(JSON.stringify(event));
}
