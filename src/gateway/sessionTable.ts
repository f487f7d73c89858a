// The legacy sessions of a gateway (GATE-2): bounded in number, the longest unused idle one goes first; looked through
// once in a while for those that nobody will use again, and for those of a process that ended (at once where a connection
// of theirs broke). Clients do not recover from a session that is gone, so a pause alone, or a broken connection, costs
// none its session for half a day.
import type { Clock } from '../base/clock.ts';
import type { Disposable } from '../base/disposable.ts';
import { judge, type ProcessIdentity, type ProcessStanding } from '../core/config/processIdentity.ts';
import { limits } from '../core/limits.ts';
import type { LegacySession } from './legacySession.ts';
import type { Surface } from './surface.ts';

export interface SessionTableDeps {
  readonly clock: Clock;
  /** Whether a process still runs. */
  readonly judge?: ((owner: ProcessIdentity) => Promise<ProcessStanding>) | undefined;
}

interface Entry {
  readonly session: LegacySession;
  readonly place: string;
  readonly surface: Surface;
  used: number;
  /** The next look at its owner, where one is due. */
  suspicion: Disposable | undefined;
}

export class SessionTable implements Disposable {
  readonly #clock: Clock;
  readonly #judge: (owner: ProcessIdentity) => Promise<ProcessStanding>;
  /** In the order of their last use. */
  readonly #entries = new Map<string, Entry>();
  #timer: Disposable;

  constructor(deps: SessionTableDeps) {
    this.#clock = deps.clock;
    this.#judge = deps.judge ?? ((owner) => judge(owner));
    this.#timer = this.#nextReap();
  }

  get size(): number {
    return this.#entries.size;
  }

  /** False where every session is in use: then nobody else gets one. `place`: the path that it was opened at. */
  add(session: LegacySession, place: string, surface: Surface): boolean {
    if (this.#entries.size >= limits.gateway.sessions && !this.#makeRoom()) return false;
    this.#entries.set(session.id, { session, place, surface, used: this.#clock.now(), suspicion: undefined });
    return true;
  }

  /** The session of this id at this place, used now. */
  use(id: string, place: string): LegacySession | undefined {
    const entry = this.#entries.get(id);
    if (entry?.place !== place) return undefined;
    entry.used = this.#clock.now();
    this.#entries.delete(id);
    this.#entries.set(id, entry);
    return entry.session;
  }

  /** A connection of this session broke: looks soon whether its owner did. */
  suspect({ id }: LegacySession): void {
    const entry = this.#entries.get(id);
    if (entry?.session.owner === undefined || entry.suspicion !== undefined) return;
    entry.suspicion = this.#clock.after(limits.gateway.ownerLook, () => {
      entry.suspicion = undefined;
      void this.#endIfOrphan(id, entry);
    });
  }

  end(id: string): void {
    const entry = this.#entries.get(id);
    this.#entries.delete(id);
    entry?.suspicion?.dispose();
    entry?.session.dispose();
  }

  /** There is nothing behind this surface any more. */
  endAllOf(surface: Surface): void {
    for (const [id, entry] of [...this.#entries]) if (entry.surface === surface) this.end(id);
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

  #nextReap(): Disposable {
    return this.#clock.after(limits.gateway.reap, () => {
      this.#timer = this.#nextReap();
      this.#reap();
    });
  }

  #reap(): void {
    const oldest = this.#clock.now() - limits.gateway.unused;
    for (const [id, entry] of [...this.#entries]) {
      if (entry.used < oldest && !entry.session.busy) this.end(id);
      // A stream that is open has somebody at its other end.
      else if (!entry.session.isHeard) void this.#endIfOrphan(id, entry);
    }
  }

  /** Only what is certain counts: of a process of another machine or container nobody here can know. */
  async #endIfOrphan(id: string, { session: { owner } }: Entry): Promise<void> {
    if (owner === undefined) return;
    const standing = await this.#judge(owner).catch(() => 'unknown');
    if (standing === 'gone') this.end(id);
  }
}
