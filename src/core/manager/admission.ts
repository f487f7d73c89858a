// Decides which of the configured servers may run, and keeps the answer as their bars: trust and switches (TRUST-1,
// TRUST-7), approvals (TRUST-2), and which definition serves an id (CFG-9). Promises: who loses the right to run is
// disconnected at once, and an approval is looked up from what is on disk at that moment. Starts nothing itself.
import type { ConfiguredServer, ServerKey } from '../config/model.ts';
import { stateOfFailure } from '../connection/failureState.ts';
import type { ConnectionState } from '../connection/state.ts';
import { ManagerError } from '../errors.ts';
import type { ApprovalDesk } from '../trust/approvalDesk.ts';
import type { Circumstances } from '../trust/standing.ts';
import { barError, barState, conflictWith, isWaiting } from './bars.ts';
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

  /** Decides anew about all servers, and looks into each that waits for approval. */
  settle(): void {
    for (const managed of this.#servers.all()) {
      managed.bar = this.#barOf(managed);
      if (managed.bar !== undefined) this.#events.barred(managed);
    }
    this.#settleRoles();
    for (const managed of this.#servers.all()) void this.#examine(managed);
  }

  /** Servers that wait for a person's approval. */
  waiting(): readonly ServerKey[] {
    const waiting = this.#servers.all().filter((managed) => isWaiting(managed.bar));
    return waiting.map(({ server }) => server.key).filter((key) => !this.#servers.isSecond(key));
  }

  /** One question for all of these that wait for approval; lets in those that the person says yes to. */
  async review(keys: readonly ServerKey[], signal: AbortSignal): Promise<void> {
    const asked = keys.map((key) => this.#servers.get(key)).filter((managed) => isWaiting(managed.bar));
    const definitions = asked.map((managed) => managed.server);
    const approved = await this.#desk.ask(definitions, signal);
    for (const [index, managed] of asked.entries()) {
      const definition = definitions[index];
      if (definition === undefined || !approved.includes(definition) || !this.#stillIs(managed, definition)) continue;
      managed.wanted = true;
      managed.mayAsk = true;
      this.#approve(managed);
    }
  }

  /** Decides anew about one server, from disk. */
  async judge(managed: ManagedServer): Promise<void> {
    managed.bar = this.#barOf(managed);
    await this.#examine(managed);
  }

  /** A start that found its approval gone bars the server, so that another definition may stand in. */
  noteState(managed: ManagedServer, state: ConnectionState): void {
    if (managed.bar !== undefined || !isWaiting(state)) return;
    managed.approved = false;
    managed.bar = state;
    this.#settleRoles();
  }

  assertMayRun(managed: ManagedServer): void {
    const error = barError(managed.server, managed.bar);
    if (error !== undefined) throw error;
    if (this.#servers.serves(managed)) return;
    const { problem } = conflictWith(managed.server, this.#servers.owner(managed.server.id));
    throw new ManagerError(problem.code, problem.data);
  }

  #barOf(managed: ManagedServer): ConnectionState | undefined {
    return barState(managed.server, this.#circumstances, managed.approved);
  }

  /** Decides who serves each id (CFG-9), and ends the connections of those that do not. */
  #settleRoles(): void {
    this.#servers.settle();
    for (const managed of this.#servers.all()) {
      const idle = managed.bar !== undefined || !this.#servers.serves(managed);
      if (idle && managed.connection.active) void managed.connection.disconnect();
    }
    this.#events.settled();
  }

  /** Ends the wait of a server whose exact launch was approved before. */
  async #examine(managed: ManagedServer): Promise<void> {
    const { server } = managed;
    if (!isWaiting(managed.bar)) {
      await this.#events.admitted(managed);
      return;
    }
    try {
      const approved = await this.#desk.isApproved(server);
      if (approved && this.#stillIs(managed, server) && isWaiting(managed.bar)) this.#approve(managed);
    } catch (error) {
      if (!this.#stillIs(managed, server) || !isWaiting(managed.bar)) return;
      managed.bar = stateOfFailure(error);
      this.#settleRoles();
    }
  }

  /** A file that was only read again gives equal definitions, which are other objects. */
  #stillIs(managed: ManagedServer, { key, fingerprint }: ConfiguredServer): boolean {
    return this.#servers.has(key) && this.#servers.get(key) === managed && managed.server.fingerprint === fingerprint;
  }

  #approve(managed: ManagedServer): void {
    managed.approved = true;
    // A start that was refused for want of this approval is no longer what there is to see of it.
    if (isWaiting(managed.connection.state)) void managed.connection.disconnect();
    managed.bar = this.#barOf(managed);
    this.#settleRoles();
    void this.#events.admitted(managed);
  }
}

function never(): never {
  throw new Error('an empty configuration has no servers');
}
