// Takes the decision whether an exact launch may run, from disk and anew each time it is asked (product TRUST-2).
// Knows what a person answered, by definition and fingerprint: for the life of the process in its own memory, beyond it
// in the memory that it is given, which is read anew each time. An approval in one folder says nothing about another.
// Without anybody to ask, nothing new is approved (TRUST-4).
import { untilAborted } from '../../base/deadline.ts';
import { SerialQueue } from '../../base/serialQueue.ts';
import type { ConfiguredServer, ServerKey } from '../config/model.ts';
import { ManagerError } from '../errors.ts';
import type { ApprovalAnswer, ApprovalMemory, ApprovalPrompt, ApprovalRequest } from '../ports.ts';
import type { Launch, LaunchFingerprint } from '../transport/launch.ts';
import { approvalProblem, type Standing } from './barOf.ts';

export interface LaunchSource {
  /** What would run or be reached now, from disk; expands nothing that belongs to the person. */
  identify(server: ConfiguredServer): Promise<ApprovalRequest>;
  /** The launch itself, with the same fingerprint while nothing changed. */
  resolve(server: ConfiguredServer, signal: AbortSignal, mayAsk?: () => boolean): Promise<Launch>;
}

export interface ApprovalDeskOptions {
  /** Absent where nobody can be asked. */
  readonly prompt?: ApprovalPrompt | undefined;
  /** Absent where nothing is kept beyond the process. */
  readonly memory?: ApprovalMemory | undefined;
  /** The person approved the configuration as a whole, by naming it: nothing of it is asked about. */
  readonly approvesAll?: boolean | undefined;
}

/** A definition of which something is approved, for the person who looks through them. */
export interface Approval {
  readonly key: ServerKey;
  /** Beyond this process. */
  readonly remembered: boolean;
}

type Decided = Exclude<Standing, 'unlooked'>;

export class ApprovalDesk {
  readonly #launches: LaunchSource;
  readonly #prompt: ApprovalPrompt | undefined;
  readonly #memory: ApprovalMemory | undefined;
  readonly #approvesAll: boolean;
  /** Answers that hold for this process. */
  readonly #answers = new Map<ServerKey, Map<LaunchFingerprint, 'approved' | 'refused'>>();
  /** What was approved last, as it was shown, for the difference from what comes next (TRUST-3). */
  readonly #last = new Map<ServerKey, ApprovalRequest>();
  readonly #questions = new SerialQueue();

  constructor(launches: LaunchSource, options: ApprovalDeskOptions = {}) {
    this.#launches = launches;
    this.#prompt = options.prompt;
    this.#memory = options.memory;
    this.#approvesAll = options.approvesAll === true;
  }

  /** Of what would run now; fails where that cannot be found out. */
  async fingerprint(server: ConfiguredServer): Promise<LaunchFingerprint> {
    return (await this.#launches.identify(server)).fingerprint;
  }

  /** Without a look at the disk: `unlooked` where only a look can tell. */
  atFirst({ key }: ConfiguredServer): Standing {
    if (this.#approvesAll) return 'approved';
    return this.#answers.has(key) || this.#memory?.get(key) !== undefined ? 'unlooked' : 'waiting';
  }

  /** Whether some launch of this definition was approved: one that is not is a changed one then. */
  approvedBefore({ key }: ConfiguredServer): boolean {
    return this.#last.has(key) || this.#memory?.get(key) !== undefined;
  }

  /** How what would run now stands with the person. Fails where it cannot be found out what that is. */
  async standing(server: ConfiguredServer): Promise<Decided> {
    return this.#standingOf(server, await this.#launches.identify(server));
  }

  /**
   * One question about those of these servers that are not approved, refused ones too; answers how each stands then. One
   * question is open at a time: who gives up waiting, also for that of somebody else, fails with the signal's reason.
   */
  ask(servers: readonly ConfiguredServer[], signal: AbortSignal): Promise<ReadonlyMap<ConfiguredServer, Decided>> {
    const answered = this.#questions.run(async () => {
      if (signal.aborted) return new Map<ConfiguredServer, Decided>();
      const all = (await Promise.all(servers.map((server) => this.#look(server)))).filter(isDefined);
      const open = all.filter(({ server, request }) => this.#standingOf(server, request) !== 'approved');
      const answers = await this.#answersTo(open, signal);
      for (const { server, request } of open) await this.#take(server, request, answers.get(request.fingerprint));
      return new Map(all.map(({ server, request }) => [server, this.#standingOf(server, request)] as const));
    });
    return untilAborted(answered, signal);
  }

  /**
   * The launch to start now; fails with blockedApproval unless what is on disk at this moment was approved. A person is
   * asked for values that are missing, unless `mayAsk` answers no.
   */
  async launch(server: ConfiguredServer, signal: AbortSignal, mayAsk?: () => boolean): Promise<Launch> {
    if (this.#approvesAll) return this.#launches.resolve(server, signal, mayAsk);
    const request = await this.#launches.identify(server);
    this.#assertApproved(server, request);
    const launch = await this.#launches.resolve(server, signal, mayAsk);
    if (launch.fingerprint !== request.fingerprint) throw this.#missing(server, 'waiting', launch.fingerprint);
    this.#assertApproved(server, request); // A person may have taken a minute to give a value, and revoked meanwhile.
    return launch;
  }

  /** Fails with blockedApproval unless what is on disk at this moment is still this launch, and still approved. */
  async confirm(server: ConfiguredServer, fingerprint: LaunchFingerprint): Promise<void> {
    const request = await this.#launches.identify(server);
    if (request.fingerprint !== fingerprint) throw this.#missing(server, 'waiting', request.fingerprint);
    if (!this.#approvesAll) this.#assertApproved(server, request);
  }

  /** Remembers what a person wrote through us (TRUST-10): whoever typed a command has approved it. */
  async remember(server: ConfiguredServer): Promise<void> {
    const looked = await this.#look(server);
    if (looked !== undefined) await this.#take(server, looked.request, 'remember');
  }

  /** All definitions of which something is approved, those of other folders too. */
  approvals(): readonly Approval[] {
    const remembered = new Set(this.#memory?.keys());
    const here = [...this.#answers].filter(([, answers]) => [...answers.values()].includes('approved'));
    const keys = new Set([...remembered, ...here.map(([key]) => key)]);
    return [...keys].map((key) => ({ key, remembered: remembered.has(key) }));
  }

  /** Whatever was approved of these definitions no longer is. */
  async revoke(keys: readonly ServerKey[]): Promise<void> {
    for (const key of keys) {
      this.#answers.delete(key);
      this.#last.delete(key);
    }
    const memory = this.#memory;
    if (memory !== undefined) await Promise.all(keys.map((key) => memory.delete(key)));
  }

  /** A definition that cannot be resolved is nothing to approve: its start says why. */
  async #look(server: ConfiguredServer): Promise<Looked | undefined> {
    const request = await this.#launches.identify(server).catch(() => undefined);
    return request === undefined ? undefined : { server, request };
  }

  async #answersTo(
    open: readonly Looked[],
    signal: AbortSignal,
  ): Promise<ReadonlyMap<LaunchFingerprint, ApprovalAnswer>> {
    const none = new Map<LaunchFingerprint, ApprovalAnswer>();
    if (open.length === 0 || this.#prompt === undefined) return none;
    const answers = await this.#prompt.ask(
      open.map(({ server, request }) => ({ ...request, ...this.#lastOf(server) })),
      signal,
    );
    return signal.aborted ? none : answers;
  }

  #lastOf({ key }: ConfiguredServer): Pick<ApprovalRequest, 'last'> {
    const last = this.#last.get(key);
    if (last !== undefined) return { last };
    return this.#memory?.get(key) === undefined ? {} : { last: 'forgotten' };
  }

  async #take(server: ConfiguredServer, request: ApprovalRequest, answer: ApprovalAnswer | undefined): Promise<void> {
    const { key } = server;
    const { fingerprint } = request;
    const said = meanings.get(answer);
    if (said === undefined) return; // No clear word: nothing was decided.
    const answers = this.#answers.get(key) ?? new Map<LaunchFingerprint, 'approved' | 'refused'>();
    this.#answers.set(key, answers.set(fingerprint, said));
    if (said === 'refused') return;
    this.#becomes(server, request);
    if (answer === 'once' || this.#memory === undefined) return;
    // Where it cannot be kept it holds for this process; where it is kept, the memory alone says so from now on.
    const kept = await this.#memory.set(key, fingerprint).then(
      () => true,
      () => false,
    );
    if (kept) answers.delete(fingerprint);
  }

  #standingOf(server: ConfiguredServer, request: ApprovalRequest): Decided {
    const { key } = server;
    const { fingerprint } = request;
    const remembered = this.#memory?.get(key) === fingerprint;
    const standing = this.#answers.get(key)?.get(fingerprint) ?? (remembered ? 'approved' : 'waiting');
    if (standing === 'approved') this.#becomes(server, request);
    return standing;
  }

  /** This is what may run of the definition now: whatever was approved of it before is asked about when it comes back. */
  #becomes({ key }: ConfiguredServer, request: ApprovalRequest): void {
    this.#last.set(key, request);
    const answers = this.#answers.get(key);
    for (const [fingerprint, said] of answers ?? []) {
      if (said === 'approved' && fingerprint !== request.fingerprint) answers?.delete(fingerprint);
    }
  }

  #assertApproved(server: ConfiguredServer, request: ApprovalRequest): void {
    const standing = this.#standingOf(server, request);
    if (standing !== 'approved') throw this.#missing(server, standing, request.fingerprint);
  }

  /** A launch that was approved itself, and is no more, has not changed: somebody revoked it. */
  #missing(server: ConfiguredServer, standing: Standing, fingerprint: LaunchFingerprint): ManagerError {
    const changed = this.approvedBefore(server) && this.#last.get(server.key)?.fingerprint !== fingerprint;
    const { code, data } = approvalProblem(server, standing, changed);
    return new ManagerError(code, data);
  }
}

const meanings: ReadonlyMap<unknown, 'approved' | 'refused'> = new Map([
  ['once', 'approved'],
  ['remember', 'approved'],
  ['refuse', 'refused'],
]);

interface Looked {
  readonly server: ConfiguredServer;
  readonly request: ApprovalRequest;
}

function isDefined<T>(value: T | undefined): value is T {
  return value !== undefined;
}
