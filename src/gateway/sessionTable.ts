// The legacy sessions of a gateway (GATE-2): bounded in number, and so are those of one process where it said that they are
// its own, so that one that runs wild takes no other its place; the longest unused idle one goes first; looked through
// once in a while for those that nobody will use again, and for those of a process that ended (at once where a connection
// of theirs broke). Clients do not recover from a session that is gone, so a pause alone, or a broken connection, costs
// none its session for half a day.
import { isDeepStrictEqual as isSame } from 'node:util';
import type { Clock } from '../base/clock.ts';
import type { Disposable } from '../base/disposable.ts';
import { judge, type ProcessIdentity, type ProcessStanding } from '../core/config/processIdentity.ts';
import type { ManagerError } from '../core/errors.ts';
import { limits } from '../core/limits.ts';
import type { LegacySession } from './legacySession.ts';
import type { Surface } from './surface.ts';

export interface SessionTableDeps {
  readonly clock: Clock;
  /** Whether a process still runs. */
  readonly judge?: ((owner: ProcessIdentity) => Promise<ProcessStanding>) | undefined;
  /** How many there may be, in all and of one process. */
  readonly most?: { readonly sessions: number; readonly ownerSessions: number } | undefined;
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
  readonly #most: NonNullable<SessionTableDeps['most']>;
  /** In the order of their last use. */
  readonly #entries = new Map<string, Entry>();
  #timer: Disposable;

  constructor(deps: SessionTableDeps) {
    this.#clock = deps.clock;
    this.#judge = deps.judge ?? ((owner) => judge(owner));
    this.#most = deps.most ?? limits.gateway;
    this.#timer = this.#nextReap();
  }

  get size(): number {
    return this.#entries.size;
  }

  /** False where every session that could go for it is in use: then it gets none. `place`: the path that it was opened at. */
  add(session: LegacySession, place: string, surface: Surface): boolean {
    const { owner } = session;
    const own = owner === undefined ? [] : [...this.#entries].filter(([, { session }]) => isSame(session.owner, owner));
    if (own.length >= this.#most.ownerSessions && !this.#makeRoom(own)) return false;
    if (this.#entries.size >= this.#most.sessions && !this.#makeRoom(this.#entries)) return false;
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

  end(id: string, why?: ManagerError): void {
    const entry = this.#entries.get(id);
    this.#entries.delete(id);
    entry?.suspicion?.dispose();
    entry?.session.dispose(why);
  }

  /** There is nothing behind this surface any more. */
  endAllOf(surface: Surface): void {
    for (const [id, entry] of [...this.#entries]) if (entry.surface === surface) this.end(id);
  }

  /** `why`: what requests under way are told. */
  dispose(why?: ManagerError): void {
    this.#timer.dispose();
    for (const id of [...this.#entries.keys()]) this.end(id, why);
  }

  #makeRoom(among: Iterable<[string, Entry]>): boolean {
    for (const [id, { session }] of among) {
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
