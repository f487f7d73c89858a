// Decides which of the configured servers may run, and keeps the answer as their bars: trust and switches (TRUST-1,
// TRUST-7), approvals (TRUST-2, TRUST-10), and which definition serves an id (CFG-9). Promises: who loses the right to run
// is disconnected at once, and an approval is looked up from what is on disk at that moment. Starts nothing itself.
import type { ConfiguredServer, ServerKey } from '../config/model.ts';
import { stateOfFailure } from '../connection/failureState.ts';
import type { ConnectionState } from '../connection/state.ts';
import { ManagerError } from '../errors.ts';
import type { Approval, ApprovalDesk } from '../trust/approvalDesk.ts';
import { barOf, type Circumstances, type Standing } from '../trust/barOf.ts';
import { barError, barState, conflictWith, isUnapproved } from './bars.ts';
import type { ManagedServer } from './managedServer.ts';
import { ServerSet } from './serverSet.ts';

export interface AdmissionEvents {
  /** Nothing bars this server any more, or still nothing does. */
  admitted(managed: ManagedServer): Promise<void>;
  /** It may not run as things are. */
  barred(managed: ManagedServer): void;
  /** Bars and roles of all servers are up to date. */
  settled(): void;
}

export class Admission {
  readonly #desk: ApprovalDesk;
  readonly #events: AdmissionEvents;
  #circumstances: Circumstances;
  #servers: ServerSet = new ServerSet({ files: [] }, never);
  /** Looks at what is on disk that are under way. */
  readonly #looks = new Map<ManagedServer, Promise<void>>();

  constructor(desk: ApprovalDesk, circumstances: Circumstances, events: AdmissionEvents) {
    this.#desk = desk;
    this.#circumstances = circumstances;
    this.#events = events;
  }

  get servers(): ServerSet {
    return this.#servers;
  }

  /** These are the servers from now on; `settle` judges them. */
  take(servers: ServerSet): void {
    this.#servers = servers;
  }

  get circumstances(): Circumstances {
    return this.#circumstances;
  }

  setCircumstances(circumstances: Circumstances): void {
    this.#circumstances = circumstances;
    this.settle();
  }

  /** Decides anew about all servers, and looks into each that lacks an approval. */
  settle(): void {
    for (const managed of this.#servers.all()) {
      if (managed.standing === 'unlooked') managed.standing = this.#desk.atFirst(managed.server);
      managed.bar = this.#barOf(managed);
      const isOpen = managed.standing === 'unlooked' && isUnapproved(managed.bar);
      if (managed.bar !== undefined && !isOpen) this.#events.barred(managed);
    }
    this.#settleRoles();
    for (const managed of this.#servers.all()) void this.#look(managed);
  }

  /** Servers that wait for a person's answer: not those that another definition keeps from running in any case. */
  waiting(): readonly ServerKey[] {
    const waiting = this.#servers.all().filter(({ bar, standing }) => isUnapproved(bar) && standing === 'waiting');
    return waiting.map(({ server }) => server.key).filter((key) => !this.#servers.isSetAside(key));
  }

  /** One question for all of these that lack an approval; lets in those that the person says yes to. */
  async review(keys: readonly ServerKey[], signal: AbortSignal): Promise<void> {
    const asked = keys.map((key) => this.#servers.get(key)).filter((managed) => isUnapproved(managed.bar));
    const definitions = asked.map((managed) => managed.server);
    const standings = await this.#desk.ask(definitions, signal);
    for (const [index, managed] of asked.entries()) {
      const definition = definitions[index];
      const standing = definition && standings.get(definition);
      if (standing === undefined || definition === undefined || !this.#stillIs(managed, definition)) continue;
      if (standing === 'approved') {
        managed.wanted = true;
        managed.mayAsk = true;
      }
      this.#note(managed, standing);
    }
  }

  /** What is approved, in this window and beyond. */
  approvals(): readonly Approval[] {
    return this.#desk.approvals();
  }

  /** What ran of these ends at once, and the person is asked before it runs again. */
  async revoke(keys: readonly ServerKey[]): Promise<void> {
    const revoked = this.#desk.revoke(keys);
    for (const managed of this.#servers.all()) {
      if (!keys.includes(managed.server.key)) continue;
      managed.wanted = false;
      this.#note(managed, 'waiting');
    }
    await revoked;
  }

  /** Decides anew about one server, from disk. */
  judge(managed: ManagedServer): Promise<void> {
    return this.#look(managed);
  }

  /** A start that found its approval gone bars the server, so that another definition may stand in. */
  noteState(managed: ManagedServer, state: ConnectionState): void {
    if (managed.bar !== undefined || !isUnapproved(state)) return;
    const refused = state.kind === 'blocked' && state.by === 'refused';
    this.#set(managed, refused ? 'refused' : 'waiting', state);
  }

  assertMayRun(managed: ManagedServer): void {
    const error = barError(managed.server, managed.bar);
    if (error !== undefined) throw error;
    if (this.#servers.serves(managed)) return;
    const { problem } = conflictWith(managed.server, this.#servers.owner(managed.server.id));
    throw new ManagerError(problem.code, problem.data);
  }

  #barOf({ server, standing }: Pick<ManagedServer, 'server' | 'standing'>): ConnectionState | undefined {
    return barState(server, this.#circumstances, standing, this.#desk.approvedBefore(server));
  }

  /**
   * A definition that may not run, for whatever reason, leaves its id to the person's own. One that the person approved
   * keeps it while it is only turned off; one that they never did has no say.
   */
  #mayServe({ server, bar }: ManagedServer): boolean {
    if (bar?.kind !== 'disabled') return bar === undefined;
    return barOf(server, this.#circumstances) === undefined && this.#desk.approvedBefore(server);
  }

  /** Decides who serves each id (CFG-9), and ends the connections of those that do not. */
  #settleRoles(): void {
    this.#servers.settle((managed) => this.#mayServe(managed));
    for (const managed of this.#servers.all()) {
      const idle = managed.bar !== undefined || !this.#servers.serves(managed);
      if (idle && managed.connection.active) void managed.connection.disconnect();
    }
    this.#events.settled();
  }

  /** Looks whether the exact launch of a server that lacks an approval has one by now. */
  #look(managed: ManagedServer): Promise<void> {
    const look = this.#examine(managed).finally(() => {
      if (this.#looks.get(managed) === look) this.#looks.delete(managed);
    });
    this.#looks.set(managed, look);
    return look;
  }

  async #examine(managed: ManagedServer): Promise<void> {
    // What the project's definition of this id is found to be decides whether this one is needed at all (CFG-9).
    await this.#lookOfOwner(managed);
    const { server } = managed;
    const isOpen = (): boolean => isUnapproved(this.#barOf(managed));
    if (!isOpen()) {
      const bar = this.#barOf(managed);
      this.#set(managed, managed.standing, bar);
      // What is barred for another reason is not looked into at all (TRUST-1).
      if (bar === undefined) await this.#events.admitted(managed);
      return;
    }
    try {
      const standing = await this.#desk.standing(server);
      if (this.#stillIs(managed, server) && isOpen()) this.#note(managed, standing);
    } catch (error) {
      if (this.#stillIs(managed, server) && isOpen()) this.#set(managed, 'waiting', stateOfFailure(error));
    }
  }

  async #lookOfOwner({ server }: ManagedServer): Promise<void> {
    const owner = server.scope.kind === 'user' ? this.#servers.owner(server.id) : undefined;
    if (owner !== undefined) await this.#looks.get(this.#servers.get(owner.key));
  }

  /** A file that was only read again gives equal definitions, which are other objects. */
  #stillIs(managed: ManagedServer, { key, fingerprint }: ConfiguredServer): boolean {
    return this.#servers.has(key) && this.#servers.get(key) === managed && managed.server.fingerprint === fingerprint;
  }

  /** What the person says of its launch, in force from now on. */
  #note(managed: ManagedServer, standing: Standing): void {
    this.#set(managed, standing, this.#barOf({ server: managed.server, standing }));
    if (managed.bar === undefined) void this.#events.admitted(managed);
  }

  #set(managed: ManagedServer, standing: Standing, bar: ConnectionState | undefined): void {
    const same = managed.standing === standing && isSame(managed.bar, bar);
    managed.standing = standing;
    managed.bar = bar;
    if (same) return;
    if (bar !== undefined) this.#events.barred(managed);
    // A start that was refused for want of this approval is no longer what there is to see of it.
    else if (isUnapproved(managed.connection.state)) void managed.connection.disconnect();
    this.#settleRoles();
  }
}

function isSame(one: ConnectionState | undefined, other: ConnectionState | undefined): boolean {
  return JSON.stringify(one) === JSON.stringify(other);
}

function never(): never {
  throw new Error('an empty configuration has no servers');
}
