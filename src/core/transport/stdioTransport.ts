// One process of a stdio server and the messages to and from it, in the form that the SDK's client takes (CONN-7 to 10).
// Promises: `onclose` comes once, when the direct child is gone and what it wrote was delivered, or at `close()`;
// `close()` settles when nothing that the process started is left; a send never hangs on a process that died.
// Ends what a server leaves behind even when it ended by itself. Decides nothing about the protocol.
import type { ChildProcessWithoutNullStreams } from 'node:child_process';
import type { JSONRPCMessage, Transport } from '@modelcontextprotocol/client';
import type { Clock } from '../../base/clock.ts';
import { deferred } from '../../base/deferred.ts';
import { Emitter, type Event } from '../../base/event.ts';
import type { TimeoutOverrides } from '../../contract/serverConfig.ts';
import { ManagerError, type Outcome } from '../errors.ts';
import { limits } from '../limits.ts';
import type { Log } from '../ports.ts';
import type { ChildOwner } from './childOwner.ts';
import { childEnvironment, type InheritedEnvironment } from './environment.ts';
import { FrameReader } from './frameReader.ts';
import { Inflow } from './inflow.ts';
import { launcherOf } from './installProgress.ts';
import { InstallWatch } from './installWatch.ts';
import type { StdioLaunch } from './launch.ts';
import { launchRedactor } from './launchRedactor.ts';
import { createMark } from './ownerMark.ts';
import { whenDrained } from './pipeDrain.ts';
import type { ProcessExit } from './processExit.ts';
import type { ProcessTable } from './processTable.ts';
import type { FoundAnswer } from './rawAnswer.ts';
import { ProcessTree } from './processTree.ts';
import { ladderTimes, stopTree } from './shutdownLadder.ts';
import { spawnServer } from './spawnServer.ts';
import { StderrRing } from './stderrRing.ts';
import { StdinWriter } from './stdinWriter.ts';
import { StdoutNoise } from './stdoutNoise.ts';
import { systemProcessTable } from './systemProcessTable.ts';
import type { TransportErrorCode } from './transportError.ts';

export interface StdioDeps {
  readonly environment: InheritedEnvironment;
  readonly clock: Clock;
  /** One line of stderr: free of secrets and of control characters, bounded. */
  readonly onStderr?: (line: string) => void;
  /** How many lines of stdout were no messages, and the newest; called for the first ones and then ever more rarely. */
  readonly onNoise?: (count: number, sample: string) => void;
  /** The launcher installs something before it can start the server (CONN-6). */
  readonly onInstalling?: (detail: string) => void;
  readonly log?: Log;
  /** The server's time-outs as they stand now; those of the launch where it is absent. */
  readonly timeouts?: (() => TimeoutOverrides) | undefined;
  readonly processTable?: ProcessTable;
  /** Sees to it that nothing stays should this process be killed (KEEP-5). */
  readonly owner?: ChildOwner | undefined;
}

interface Running {
  readonly child: ChildProcessWithoutNullStreams;
  readonly tree: ProcessTree;
  readonly mark: string;
  readonly watch: InstallWatch | undefined;
}

export class StdioTransport implements Transport {
  onclose?: Transport['onclose'];
  onerror?: Transport['onerror'];
  onmessage?: Transport['onmessage'];
  /** Takes answers as bytes, before they are parsed; says whether it did. */
  takeRaw?: (answer: FoundAnswer) => boolean;
  /** There for the SDK, which takes a transport with `stderr` and `pid` for a stdio one. */
  readonly stderr = null;
  readonly #launch: StdioLaunch;
  readonly #deps: StdioDeps;
  readonly #reader: FrameReader;
  readonly #ring: StderrRing;
  readonly #exited = new Emitter<ProcessExit>();
  readonly #rootEnded = deferred<undefined>();
  readonly #noise: StdoutNoise;
  #outgoing: StdinWriter | undefined;
  #inflow: Inflow | undefined;
  #errors: Inflow | undefined;
  #starting: Promise<Running> | undefined;
  /** Somebody takes the messages. */
  #heard = false;
  #running: Running | undefined;
  #exit: ProcessExit | undefined;
  #ownExit: ProcessExit | undefined;
  /** Which of its pipes it closed first. */
  #closedPipe: 'stdin' | 'stdout' | undefined;
  /** It is ended, as it closed a pipe and lived on. */
  #givenUp = false;
  #announced = false;
  #finished = false;
  #stopping: Promise<void> | undefined;
  #closing: Promise<void> | undefined;

  constructor(launch: StdioLaunch, deps: StdioDeps) {
    this.#launch = launch;
    this.#deps = deps;
    const redactor = launchRedactor(launch);
    this.#noise = new StdoutNoise(redactor);
    this.#reader = new FrameReader({
      limit: limits.stdio.frame,
      edge: limits.stdio.frameEdge,
      onMessage: (message) => this.#onMessage(message),
      takeRaw: (answer) => this.takeRaw?.(answer) === true,
      onNoise: (line) => this.#onNoise(line),
      onLost: ({ code, detail }) => {
        const data = code === 'frameTooLarge' ? { limit: limits.stdio.frame / 2 ** 20 } : { detail };
        this.#report(this.#error(code, 'unknown', data));
      },
    });
    this.#ring = new StderrRing({
      line: limits.stdio.stderrLine,
      total: limits.stdio.stderrRing,
      redactor,
      onLine: (line) => {
        this.#running?.watch?.line(line);
        this.#guarded(() => this.#deps.onStderr?.(line));
      },
    });
  }

  /** Of the direct child; null before it was started. */
  get pid(): number | null {
    return this.#running?.child.pid ?? null;
  }

  /** Set from the moment that the direct child's end is known. */
  get exit(): ProcessExit | undefined {
    return this.#exit;
  }

  /** The same, unless our own stop brought it about. */
  get ownExit(): ProcessExit | undefined {
    return this.#ownExit;
  }

  /** The pipe that it closed, which it may have done by ending. */
  get closedPipe(): 'stdin' | 'stdout' | undefined {
    return this.#closedPipe;
  }

  /** The direct child has ended and everything it wrote was delivered; fires once, right before `onclose`. */
  get onExit(): Event<ProcessExit> {
    return this.#exited.event;
  }

  /** Lines of stdout that were no messages. */
  get noiseCount(): number {
    return this.#noise.count;
  }

  /** The newest of them, redacted, sanitised and bounded. */
  get noiseSample(): string {
    return this.#noise.sample;
  }

  /** The last lines of stderr as an error may carry them (CONN-10). */
  stderrTail(): readonly string[] {
    return this.#ring.tail(limits.stdio.errorLines, limits.stdio.errorLine);
  }

  /**
   * Starts the process ahead of `start()`; what it writes to stdout stays in the pipe until then. Fails with a
   * ManagerError: as spawnServer does, or cancelled by a `close()`.
   */
  async begin(): Promise<void> {
    this.#starting ??= this.#spawn();
    this.#running = await this.#starting;
  }

  /** Fails as `begin()` does, and with connectionClosed where a process that was begun has ended already. */
  async start(): Promise<void> {
    if (this.#heard) throw new ManagerError('internal', { detail: 'a transport was started twice' });
    this.#heard = true;
    // Whoever starts it now has not heard of that.
    if (this.#announced && this.#starting) throw this.#error('connectionClosed', 'notSent');
    await this.begin();
    this.#inflow?.check();
  }

  /** Settles when the message was written, or cannot be any more: connectionClosed. */
  send(message: JSONRPCMessage): Promise<void> {
    const outgoing = this.#outgoing;
    const over = outgoing === undefined || this.#exit !== undefined || this.#announced;
    return over ? Promise.reject(this.#error('connectionClosed', 'notSent')) : outgoing.send(message);
  }

  close(): Promise<void> {
    this.#closing ??= this.#close();
    return this.#closing;
  }

  async #spawn(): Promise<Running> {
    const { environment, owner, processTable: table = systemProcessTable() } = this.#deps;
    const { platform } = process;
    const mark = createMark({ ...table.own, namespace: table.namespace });
    const env = childEnvironment({ inherited: environment, own: this.#launch.env, mark, platform });
    await owner?.ready();
    let start = 0;
    const beforeSpawn = (): void => {
      if (this.#closing) throw this.#error('cancelled', 'notSent');
      start = table.now();
    };
    const child = await spawnServer(this.#launch, { env, platform, beforeSpawn });
    const root = { pid: child.pid ?? 0, start };
    owner?.started({ ...root, latest: table.latest(), mark, server: this.#launch.id });
    const tree = new ProcessTree({ table, root, mark, self: table.own.pid });
    this.#listen(child, tree);
    return { child, tree, mark, watch: this.#watchInstall(tree) };
  }

  #watchInstall(tree: ProcessTree): InstallWatch | undefined {
    const { clock, onInstalling } = this.#deps;
    if (!onInstalling) return undefined;
    return new InstallWatch({
      launcher: launcherOf(this.#launch.command, this.#launch.args),
      clock,
      count: async () => (await tree.scan()).length,
      onInstalling: (detail) => this.#guarded(() => onInstalling(detail)),
    });
  }

  #listen(child: ChildProcessWithoutNullStreams, tree: ProcessTree): void {
    // A server that asks and never reads must not fill our memory; what one that has ended still said is read.
    const outgoing = new StdinWriter(child.stdin, {
      onRead: () => this.#inflow?.check(),
      closed: (outcome) => this.#error('connectionClosed', outcome),
    });
    this.#outgoing = outgoing;
    const held = (): boolean =>
      this.#exit === undefined && (!this.#heard || outgoing.unread > limits.stdio.unreadAnswers);
    this.#inflow = new Inflow(child.stdout, this.#reader, { batch: limits.stdio.batch, held });
    this.#errors = new Inflow(child.stderr, this.#ring, { batch: limits.stdio.batch, held: () => false });
    // A broken pipe shows in the callback of a write, or as the end of the process.
    for (const part of [child, child.stdin, child.stdout, child.stderr]) part.on('error', () => undefined);
    child.once('exit', (code, signal) => {
      this.#exit = { code, signal };
      if (!tree.signalled && !child.killed && !this.#givenUp) this.#ownExit = this.#exit;
      tree.rootEnded();
      this.#inflow?.check();
      this.#rootEnded.resolve(undefined);
      whenDrained(child, this.#deps.clock, () => this.#finish());
      void this.#stop();
    });
    // Without an open stdout it can never answer again, and without an open stdin never be asked.
    child.stdout.once('end', () => this.#giveUp('stdout'));
    child.stdin.once('error', () => this.#giveUp('stdin'));
  }

  /** A process that closed a pipe is ended, unless it ends by itself at once. */
  #giveUp(pipe: 'stdin' | 'stdout'): void {
    this.#closedPipe ??= pipe;
    this.#deps.clock.after(limits.stop.toTerminate, () => {
      // A timer that is late comes before an exit that has happened already.
      setImmediate(() => {
        this.#givenUp ||= this.#exit === undefined;
        void this.#stop();
      });
    });
  }

  async #close(): Promise<void> {
    this.#announceClose();
    // A start in progress either sees this and gives up, or has a process to end.
    const running = await this.#starting?.catch(() => undefined);
    if (running) {
      this.#running = running;
      await this.#stop();
    }
    this.#finish();
  }

  #stop(): Promise<void> {
    this.#stopping ??= this.#climbDown();
    return this.#stopping;
  }

  async #climbDown(): Promise<void> {
    const running = this.#running ?? (await this.#starting);
    if (!running) return;
    const { left, rootPending } = await stopTree({
      tree: running.tree,
      clock: this.#deps.clock,
      times: ladderTimes((this.#deps.timeouts?.() ?? this.#launch.timeouts).stop),
      endStdin: () => running.child.stdin.end(),
      killRoot: () => void running.child.kill('SIGKILL'),
      rootEnded: this.#rootEnded.promise,
    });
    if (left.length === 0 && !rootPending) {
      this.#deps.owner?.ended(running.mark);
      return;
    }
    const pids = [...new Set([...left.map(({ pid }) => pid), ...(rootPending ? [running.child.pid] : [])])].join(', ');
    // A window that closes takes its log away first.
    this.#guarded(() => this.#deps.log?.warn(`Processes of server ${this.#launch.id} could not be ended: ${pids}`));
    this.#finish();
  }

  /** The end of the reading: the pipes are given back, even where another process holds their other ends. */
  #finish(): void {
    if (this.#finished) return;
    this.#finished = true;
    this.#inflow?.end();
    this.#errors?.end();
    this.#running?.watch?.dispose();
    const child = this.#running?.child;
    for (const pipe of [child?.stdin, child?.stdout, child?.stderr]) pipe?.destroy();
    if (this.#exit) this.#exited.fire(this.#exit);
    this.#announceClose();
  }

  #announceClose(): void {
    if (this.#announced) return;
    this.#announced = true;
    this.#outgoing?.end();
    this.#guarded(() => this.onclose?.());
  }

  #onMessage(message: JSONRPCMessage): void {
    this.#running?.watch?.dispose();
    if (!this.#announced) this.#guarded(() => this.onmessage?.(message));
  }

  #onNoise(line: string): void {
    const told = this.#noise.add(line);
    const watch = this.#running?.watch;
    // A flood of long lines is looked at no further than a line of a launcher goes.
    if (watch?.active === true) watch.line(this.#noise.clean(line.slice(0, limits.stdio.noiseLine)));
    // A server that only makes noise must not keep everybody busy with it.
    if (told) this.#guarded(() => this.#deps.onNoise?.(this.noiseCount, this.#noise.clean(line)));
  }

  /** A listener's failure is its own: it never ends the reading. */
  #guarded(action: () => void): void {
    try {
      action();
    } catch (error) {
      this.#report(error instanceof Error ? error : new Error(String(error)));
    }
  }

  #report(error: Error): void {
    try {
      this.onerror?.(error);
    } catch {
      // There is nobody left to tell.
    }
  }

  #error(code: 'connectionClosed' | 'cancelled' | TransportErrorCode, outcome: Outcome, data = {}): ManagerError {
    return new ManagerError(code, { server: this.#launch.id, ...data }, { outcome });
  }
}
