// Tries one server from its definition to its lists, and says of each step whether it works (UI-4). One process, gone
// at the end whatever happened; from its definition on, which may wait for a person to decide or to type a value, 30 s
// without a sign of life or 120 s in all end it (UI-2). Starts nothing by itself:
// the steps are given, and with them the trust decision.
import type { Clock } from '../../base/clock.ts';
import { untilAborted, withDeadline } from '../../base/deadline.ts';
import type { CheckName, SkipReason } from '../../contract/checkNames.ts';
import type { ServerId } from '../../contract/serverConfig.ts';
import { problemOf } from '../connection/failureState.ts';
import type { LiveClient } from '../connection/liveClient.ts';
import type { OfferKind } from '../discovery/snapshot.ts';
import { type ErrorData, ManagerError } from '../errors.ts';
import { limits } from '../limits.ts';
import type { Launch } from '../transport/launch.ts';
import { checkOfFailure, type ConnectCheck, connectChecks, showsAnswer } from './checkOfFailure.ts';
import { type Check, type Diagnosis, listKinds, type ListReport } from './diagnosis.ts';
import { Watchdog } from './watchdog.ts';

export interface StepOptions {
  readonly signal: AbortSignal;
  /** To be called at each sign of life: a line on stderr, an installer's progress. */
  readonly alive: () => void;
}

export interface DiagnosisSteps {
  /** The trust decision, variables, envFile and cwd. */
  resolve(options: StepOptions): Promise<Launch>;
  /** Finds the command, or checks the URL, without starting or reaching anything. */
  find(launch: Launch, options: StepOptions): Promise<ErrorData>;
  /** Once the signal aborts it must leave nothing behind, and settle only then. */
  connect(launch: Launch, options: StepOptions): Promise<LiveClient>;
  list(client: LiveClient, kind: OfferKind, options: StepOptions): Promise<ListReport>;
  /** How many lines on stdout were no protocol messages. */
  noiseCount?(): number;
  /** A tool call that the person asked for. */
  call?(client: LiveClient, options: StepOptions): Promise<ErrorData>;
}

export interface DiagnoseOptions {
  readonly clock: Clock;
  readonly signal?: AbortSignal | undefined;
  /** Hears each check as soon as it is known. */
  readonly onCheck?: (check: Check) => void;
}

/** Never rejects: a cancelled diagnosis shows the check that was under way as failed with `cancelled`. */
export async function diagnose(server: ServerId, steps: DiagnosisSteps, options: DiagnoseOptions): Promise<Diagnosis> {
  const run = new Run(server, options);
  try {
    await run.connect(steps);
    await run.look(steps);
  } finally {
    await run.close();
  }
  return run.result(steps.noiseCount?.() ?? 0);
}

class Run {
  readonly #server: ServerId;
  readonly #options: DiagnoseOptions;
  readonly #stop = new AbortController();
  #watchdog: Watchdog | undefined;
  readonly #checks: Check[] = [];
  /** What was under way when the time was up. */
  #doing: CheckName = 'definition';
  #opening: Promise<LiveClient> | undefined;
  #client: LiveClient | undefined;

  constructor(server: ServerId, options: DiagnoseOptions) {
    this.#server = server;
    this.#options = options;
    const { signal } = options;
    if (signal?.aborted === true) this.#cancel();
    signal?.addEventListener('abort', this.#cancel, { once: true });
  }

  async connect(steps: DiagnosisSteps): Promise<void> {
    let launch: Launch | undefined;
    try {
      launch = await this.#within('definition', () => steps.resolve(this.#step()));
      this.#watchdog = this.#watch();
      this.#add({ name: 'definition', verdict: 'ok', facts: {} });
      const resolved = launch;
      const found = await this.#within('target', () => steps.find(resolved, this.#step()));
      this.#add({ name: 'target', verdict: 'ok', facts: found });
      const client = await this.#within('initialise', () => (this.#opening = steps.connect(resolved, this.#step())));
      this.#client = client;
      const { era, revision, transport, pid, serverName, serverVersion } = client.negotiated;
      this.#add({ name: 'transport', verdict: 'ok', facts: { transport, pid } });
      if (transport === 'stdio') this.#skip('signIn', 'notNeeded');
      else this.#add({ name: 'signIn', verdict: 'ok', facts: {} });
      this.#add({ name: 'initialise', verdict: 'ok', facts: { era, revision, serverName, serverVersion } });
    } catch (error) {
      this.#failConnect(error, launch);
    }
  }

  async look(steps: DiagnosisSteps): Promise<void> {
    for (const kind of listKinds) await this.#list(kind, steps);
    const client = this.#client;
    const call = steps.call?.bind(steps);
    if (call === undefined || client === undefined) {
      this.#skip('call', client === undefined ? 'notReached' : 'notAsked');
      return;
    }
    try {
      const facts = await this.#within('call', () => call(client, this.#step()));
      this.#add({ name: 'call', verdict: 'ok', facts });
    } catch (error) {
      this.#add({ name: 'call', verdict: 'failed', problem: problemOf(error), facts: {} });
    }
  }

  /** Ends the server, also one that is still being opened; waits for it, but not for ever. */
  async close(): Promise<void> {
    this.#watchdog?.dispose();
    this.#options.signal?.removeEventListener('abort', this.#cancel);
    this.#stop.abort(new ManagerError('cancelled'));
    if (this.#opening === undefined) return;
    const ended = this.#opening.then(
      (client) => client.close(),
      () => undefined,
    );
    await withDeadline(ended, {
      ms: limits.stop.deactivate,
      clock: this.#options.clock,
      onTimeout: () => new ManagerError('cancelled'),
    }).catch(() => undefined);
  }

  result(noiseCount: number): Diagnosis {
    const healthy = this.#checks.every(({ verdict }) => verdict !== 'failed');
    return { server: this.#server, checks: this.#checks, healthy, noiseCount };
  }

  /** Who ends it may say why: the right to run was taken back. */
  readonly #cancel = (): void => {
    const reason: unknown = this.#options.signal?.reason;
    this.#stop.abort(reason instanceof ManagerError ? reason : new ManagerError('cancelled'));
  };

  #watch(): Watchdog {
    const { idle, ceiling } = limits.diagnosis;
    const server = this.#server;
    return new Watchdog({
      clock: this.#options.clock,
      idle,
      ceiling,
      onExpire: (bound) => this.#stop.abort(timeUp(bound, server)),
    });
  }

  async #list(kind: OfferKind, steps: DiagnosisSteps): Promise<void> {
    const client = this.#client;
    if (client === undefined || !isOffered(client, kind)) {
      this.#skip(kind, client === undefined ? 'notReached' : 'notOffered');
      return;
    }
    try {
      const list = await this.#within(kind, () => steps.list(client, kind, this.#step()));
      this.#add({ name: kind, verdict: 'ok', facts: { count: list.count }, list });
    } catch (error) {
      this.#add({ name: kind, verdict: 'failed', problem: problemOf(error), facts: {} });
    }
  }

  /** Puts the failure at the check that it belongs to; no other one is `ok` without an answer that shows it. */
  #failConnect(error: unknown, launch: Launch | undefined): void {
    const problem = problemOf(error);
    const known = this.#checks.length; // What was announced stays: the failure stands behind it.
    const last = Math.max(known, connectChecks.indexOf(placeOf(this.#doing, problem.code)));
    for (const [index, name] of connectChecks.entries()) {
      if (index < known) continue;
      if (index === last) this.#add({ name, verdict: 'failed', problem, facts: {} });
      else if (index > last) this.#skip(name, 'notReached');
      else if (name === 'signIn' && launch?.kind === 'stdio') this.#skip(name, 'notNeeded');
      else if (showsAnswer(problem.code)) this.#add({ name, verdict: 'ok', facts: {} });
      else this.#skip(name, 'notAnswered');
    }
  }

  #skip(name: CheckName, skipped: SkipReason): void {
    this.#add({ name, verdict: 'skipped', skipped, facts: {} });
  }

  #add(check: Check): void {
    this.#checks.push(check);
    this.#watchdog?.alive();
    this.#options.onCheck?.(check);
  }

  #step(): StepOptions {
    return { signal: this.#stop.signal, alive: () => this.#watchdog?.alive() };
  }

  /** Takes a step, and waits for it only while the diagnosis lives. */
  async #within<T>(doing: CheckName, step: () => Promise<T>): Promise<T> {
    this.#doing = doing;
    const { signal } = this.#stop;
    signal.throwIfAborted();
    return untilAborted(step(), signal);
  }
}

/** A step's own failures stand where they happened; what opening reports says itself how far it got. */
function placeOf(doing: CheckName, code: Parameters<typeof checkOfFailure>[0]): ConnectCheck {
  return doing === 'definition' || doing === 'target' ? doing : checkOfFailure(code);
}

function isOffered({ capabilities, negotiated }: LiveClient, kind: OfferKind): boolean {
  if (kind === 'tools' && negotiated.era === 'legacy') return true; // DISC-3: asked in any case.
  return capabilities[kind === 'resourceTemplates' ? 'resources' : kind] !== undefined;
}

/** The test's own bounds, which no time-out of the server's moves. */
function timeUp(bound: 'idle' | 'ceiling', server: string): ManagerError {
  const seconds = limits.diagnosis[bound] / 1_000;
  const code = bound === 'idle' ? 'testSilent' : 'testTooLong';
  return new ManagerError(code, { server, seconds }, { outcome: 'unknown' });
}
