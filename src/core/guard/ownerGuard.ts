// What answers for the children of this process when it is killed (KEEP-5): a guard that outlives it, started right before
// the first child and anew where it died; a ledger; and, once, the end of what others left. Promises: a server starts
// whatever fails here, which is logged once.
import { type ChildProcess, spawn } from 'node:child_process';
import { type Clock, systemClock } from '../../base/clock.ts';
import { ownIdentity, type ProcessFacts, type ProcessIdentity, systemFacts } from '../config/processIdentity.ts';
import { limits } from '../limits.ts';
import type { Log } from '../ports.ts';
import type { ChildOwner, OwnedChild } from '../transport/childOwner.ts';
import type { ProcessTable } from '../transport/processTable.ts';
import { systemProcessTable } from '../transport/systemProcessTable.ts';
import { type Ended, endLeftoversOfAll } from './endLeftovers.ts';
import { guardCommand } from './guardCommand.ts';
import { wordOfOrder } from './guardWords.ts';
import { OwnerLedger } from './ownerLedger.ts';

export interface OwnerGuardOptions {
  /** The product's folder. */
  readonly home: string;
  /** The guard's program (`guardProcess.ts`, built). */
  readonly program: string;
  readonly log: Pick<Log, 'info' | 'warn'>;
  readonly clock?: Clock;
  readonly table?: ProcessTable;
  /** The program that starts the guard; tests have one that is not there. */
  readonly shell?: string;
}

export class OwnerGuard implements ChildOwner {
  readonly #options: OwnerGuardOptions;
  readonly #table: ProcessTable;
  readonly #clock: Clock;
  readonly #ledger: OwnerLedger;
  readonly #toldOf = new Set<string>();
  #guard: ChildProcess | undefined;
  #failure: string | undefined;
  #identity: Promise<ProcessIdentity> | undefined;
  #own: ProcessIdentity | undefined;
  #leftovers: Promise<Ended | undefined> | undefined;

  constructor(options: OwnerGuardOptions) {
    this.#options = options;
    this.#table = options.table ?? systemProcessTable();
    this.#clock = options.clock ?? systemClock();
    this.#ledger = new OwnerLedger(options.home);
    process.once('exit', this.#onExit);
  }

  /** Of the guard that runs. */
  get pid(): number | undefined {
    return this.#guard?.pid;
  }

  /** Why there is none; undefined while it runs or was not needed yet. */
  get failure(): string | undefined {
    return this.#failure;
  }

  /** Ends what dead owners left, once. Undefined where the system shows no processes. */
  endLeftovers(): Promise<Ended | undefined> {
    this.#leftovers ??= this.#endLeftovers();
    return this.#leftovers;
  }

  async ready(): Promise<void> {
    this.#identity ??= ownIdentity(process.platform === 'win32' ? quickFacts : systemFacts);
    const [identity] = await Promise.all([this.#identity, this.#withinStart(this.endLeftovers())]);
    this.#own = identity;
    this.#watch();
  }

  started(child: OwnedChild): void {
    this.#note((own) => this.#ledger.add({ ...child, since: this.#clock.now() }, own));
  }

  ended(mark: string): void {
    this.#note((own) => this.#ledger.remove(mark, own));
  }

  #note(write: (own: ProcessIdentity) => void): void {
    try {
      if (this.#own !== undefined) write(this.#own);
    } catch (error) {
      this.#tell('ledger', `What is running could not be written down: ${reasonOf(error)}`);
    }
  }

  /** The end of this owner: the guard goes, unless something is left for it to end with this process. */
  dispose(): void {
    if (!this.#ledger.isEmpty) return;
    process.off('exit', this.#onExit);
    this.#release();
  }

  readonly #onExit = (): void => this.dispose();

  /** A pipe takes so few bytes at once, also in the last moment of this process. */
  #release(): void {
    this.#guard?.stdin?.end(`${wordOfOrder}\n`);
    this.#guard = undefined;
  }

  #watch(): void {
    if (this.#guard !== undefined) return;
    const { program, shell } = this.#options;
    const owner = { ...this.#table.own, namespace: this.#table.namespace };
    const command = guardCommand({ owner, program, ledger: this.#ledger.file, shell });
    const { file, args, env } = command;
    try {
      const guard = spawn(file, args, {
        env,
        cwd: command.cwd,
        // A session of its own; on Windows, outside of the job that ends our children with us.
        detached: true,
        windowsHide: true,
        stdio: ['pipe', 'ignore', 'ignore'],
      });
      this.#guard = guard;
      const gone = (detail: string): void => {
        if (this.#guard !== guard) return;
        this.#guard = undefined;
        this.#fail(detail);
      };
      guard.once('error', (error) => gone(reasonOf(error)));
      guard.once('exit', (code, signal) => gone(`it ended with ${signal ?? `code ${code ?? '?'}`}`));
      guard.stdin.on('error', () => undefined);
      // Neither keeps this process.
      guard.unref();
      if ('unref' in guard.stdin) (guard.stdin as { unref(): void }).unref();
      if (guard.pid !== undefined) this.#failure = undefined;
    } catch (error) {
      this.#fail(reasonOf(error));
    }
  }

  #fail(detail: string): void {
    this.#failure = detail;
    this.#tell('guard', `There is no guard that would end servers if this program were killed: ${detail}`);
  }

  #tell(what: string, text: string): void {
    if (this.#toldOf.has(what)) return;
    this.#toldOf.add(what);
    try {
      this.#options.log.warn(text);
    } catch {
      // A window that closes takes its log away first.
    }
  }

  async #endLeftovers(): Promise<Ended | undefined> {
    const { home, log } = this.#options;
    try {
      const ended = await endLeftoversOfAll({ table: this.#table, clock: this.#clock, home });
      if (ended.found > 0) log.info(`Ended what a program that was killed had left: ${ended.found} processes`);
      if (ended.left.length > 0) {
        log.warn(`Processes that are left could not be ended: ${ended.left.map(({ pid }) => pid).join(', ')}`);
      }
      return ended;
    } catch (error) {
      this.#tell(
        'leftovers',
        `What programs that were killed may have left could not be looked for: ${reasonOf(error)}`,
      );
      return undefined;
    }
  }

  /** A server waits for the end of what another one left, which may hold its port or its folder; never for ever. */
  async #withinStart(work: Promise<unknown>): Promise<void> {
    await new Promise<void>((resolve) => {
      const timer = this.#clock.after(limits.guard.atStart, resolve);
      void work.finally(() => {
        timer.dispose();
        resolve();
      });
    });
  }
}

/** To read a start takes a second there: without it the owner counts as alive while any process has its pid. */
const quickFacts: ProcessFacts = { ...systemFacts, start: () => Promise.resolve(undefined) };

function reasonOf(error: unknown): string {
  if (!(error instanceof Error)) return String(error);
  return 'code' in error ? String(error.code) : error.message;
}
