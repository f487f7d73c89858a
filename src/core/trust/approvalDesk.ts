// Takes the decision whether an exact launch may run, from disk and anew each time it is asked (product TRUST-2).
// Remembers, in memory and for the life of the process, what a person approved, by definition and fingerprint: an
// approval in one folder says nothing about another. Without anybody to ask, nothing new is approved (TRUST-4).
import { untilAborted } from '../../base/deadline.ts';
import { SerialQueue } from '../../base/serialQueue.ts';
import type { ConfiguredServer } from '../config/model.ts';
import { ManagerError } from '../errors.ts';
import type { ApprovalPrompt, ApprovalRequest } from '../ports.ts';
import type { Launch, LaunchFingerprint } from '../transport/launch.ts';
import { needsApproval } from './standing.ts';

export interface LaunchSource {
  /** What would run or be reached now, from disk; expands nothing that belongs to the person. */
  identify(server: ConfiguredServer): Promise<ApprovalRequest>;
  /** The launch itself, with the same fingerprint while nothing changed. */
  resolve(server: ConfiguredServer, signal: AbortSignal, mayAsk?: () => boolean): Promise<Launch>;
}

export class ApprovalDesk {
  readonly #launches: LaunchSource;
  readonly #prompt: ApprovalPrompt | undefined;
  readonly #approved = new Set<string>();
  readonly #questions = new SerialQueue();

  constructor(launches: LaunchSource, prompt: ApprovalPrompt | undefined) {
    this.#launches = launches;
    this.#prompt = prompt;
  }

  /** Of what would run now; fails where that cannot be found out. */
  async fingerprint(server: ConfiguredServer): Promise<LaunchFingerprint> {
    return (await this.#launches.identify(server)).fingerprint;
  }

  /** Whether what would run now was approved before. Fails where that cannot be found out. */
  async isApproved(server: ConfiguredServer): Promise<boolean> {
    const { fingerprint } = await this.#launches.identify(server);
    return this.#has(server, fingerprint);
  }

  /**
   * One question about all servers given; answers those that the person approved. One question is open at a time: who
   * gives up waiting, also for the question of somebody else, fails with the reason of the signal.
   */
  ask(servers: readonly ConfiguredServer[], signal: AbortSignal): Promise<readonly ConfiguredServer[]> {
    const asked = this.#questions.run(async () => {
      if (signal.aborted) return [];
      const open = (await Promise.all(servers.map((server) => this.#question(server)))).filter(isDefined);
      const asked = open.filter(({ server, request }) => !this.#has(server, request.fingerprint));
      const requests = asked.map(({ request }) => request);
      const yes = requests.length === 0 ? new Set() : ((await this.#prompt?.ask(requests, signal)) ?? new Set());
      for (const { server, request } of asked) {
        if (yes.has(request.fingerprint)) this.#approved.add(entryOf(server, request.fingerprint));
      }
      return open.filter(({ server, request }) => this.#has(server, request.fingerprint)).map(({ server }) => server);
    });
    return untilAborted(asked, signal);
  }

  /**
   * The launch to start now; fails with blockedApproval unless what is on disk at this moment was approved. A person is
   * asked for values that are missing, unless `mayAsk` answers no.
   */
  async launch(server: ConfiguredServer, signal: AbortSignal, mayAsk?: () => boolean): Promise<Launch> {
    if (!needsApproval(server)) return this.#launches.resolve(server, signal, mayAsk);
    const { fingerprint } = await this.#launches.identify(server);
    if (!this.#has(server, fingerprint)) throw approvalMissing(server);
    const launch = await this.#launches.resolve(server, signal, mayAsk);
    if (launch.fingerprint !== fingerprint) throw approvalMissing(server);
    return launch;
  }

  /** A definition that cannot be resolved is no question: its start says why. */
  async #question(
    server: ConfiguredServer,
  ): Promise<{ readonly server: ConfiguredServer; readonly request: ApprovalRequest } | undefined> {
    const request = await this.#launches.identify(server).catch(() => undefined);
    return request === undefined ? undefined : { server, request };
  }

  #has(server: ConfiguredServer, fingerprint: LaunchFingerprint): boolean {
    return this.#approved.has(entryOf(server, fingerprint));
  }
}

function entryOf(server: ConfiguredServer, fingerprint: LaunchFingerprint): string {
  return `${server.key} ${fingerprint}`;
}

function approvalMissing(server: ConfiguredServer): ManagerError {
  return new ManagerError('blockedApproval', { server: server.id });
}

function isDefined<T>(value: T | undefined): value is T {
  return value !== undefined;
}
