// The legacy sessions of a gateway (GATE-2): bounded in number, the longest unused idle one goes first; looked through
// once in a while for those that nobody will use again. Clients do not recover from a session that is gone, so a pause
// alone costs none its session for half a day.
import type { Clock } from '../base/clock.ts';
import type { Disposable } from '../base/disposable.ts';
import { limits } from '../core/limits.ts';
import type { LegacySession } from './legacySession.ts';
import type { Surface } from './surface.ts';

interface Entry {
  readonly session: LegacySession;
  readonly surface: Surface;
  used: number;
}

export class SessionTable implements Disposable {
  readonly #clock: Clock;
  readonly #isOwnerGone: (session: LegacySession) => boolean;
  /** In the order of their last use. */
  readonly #entries = new Map<string, Entry>();
  #timer: Disposable;

  /** `isOwnerGone`: whether the process that a session said it belongs to has ended. */
  constructor(clock: Clock, isOwnerGone: (session: LegacySession) => boolean = () => false) {
    this.#clock = clock;
    this.#isOwnerGone = isOwnerGone;
    this.#timer = clock.after(limits.gateway.reap, () => this.#reap());
  }

  get size(): number {
    return this.#entries.size;
  }

  /** False where every session is in use: then nobody else gets one. */
  add(session: LegacySession, surface: Surface): boolean {
    if (this.#entries.size >= limits.gateway.sessions && !this.#makeRoom()) return false;
    this.#entries.set(session.id, { session, surface, used: this.#clock.now() });
    return true;
  }

  /** The session of this id at this surface, used now. */
  use(id: string, surface: Surface): LegacySession | undefined {
    const entry = this.#entries.get(id);
    if (entry?.surface !== surface) return undefined;
    entry.used = this.#clock.now();
    this.#entries.delete(id);
    this.#entries.set(id, entry);
    return entry.session;
  }

  end(id: string): void {
    const entry = this.#entries.get(id);
    this.#entries.delete(id);
    entry?.session.dispose();
  }

  dispose(): void {
    this.#timer.dispose();
    for (const id of [...this.#entries.keys()]) this.end(id);
  }

  #makeRoom(): boolean {
    for (const [id, { session }] of this.#entries) {
      if (session.busy) continue;
      this.end(id);
      return true;
    }
    return false;
  }

  #reap(): void {
    const oldest = this.#clock.now() - limits.gateway.unused;
    for (const [id, { session, used }] of [...this.#entries]) {
      if (this.#isOwnerGone(session) || (used < oldest && !session.busy)) this.end(id);
    }
    this.#timer = this.#clock.after(limits.gateway.reap, () => this.#reap());
  }
}
