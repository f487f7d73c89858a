// Finds the keeper of this person and machine, starts one where there is none, and ends one that does not answer any more, so
// that the next can take its place (KEEP-4). Promises: the lock that a keeper holds for its life decides who it is, whoever
// starts how many; one is killed only as the process that it is (pid and start), after it was silent for longer than its start
// or its end takes, and only where it runs the keeper's program; whoever starts one tells why it did not come up.
import { spawn } from 'node:child_process';
import { setTimeout as delay } from 'node:timers/promises';
import type { Clock } from '../../base/clock.ts';
import {
  type KeeperDescriptor,
  keeperExits,
  type KeeperStatus,
  keeperStatus,
  keeperWire,
} from '../../contract/keeperWire.ts';
import { lockHolder, withFileLock } from '../config/fileLock.ts';
import { judge, type ProcessIdentity } from '../config/processIdentity.ts';
import { ManagerError } from '../errors.ts';
import { limits } from '../limits.ts';
import { systemDetail } from '../systemDetail.ts';
import { isKeeper } from './isKeeper.ts';
import { keeperCommand, type KeeperRequest } from './keeperCommand.ts';
import { type KeeperFiles, keeperFiles, makeKeeperFolder, readKeeper } from './keeperFiles.ts';
import { KeeperLink, KeeperSilent } from './keeperLink.ts';

export interface FindOptions extends Pick<KeeperRequest, 'home' | 'program' | 'idleSeconds' | 'runtime'> {
  readonly clock: Clock;
  readonly signal?: AbortSignal | undefined;
}

/** The keeper that is there and answers. Starts and ends nothing. Fails with `keeperDiffers`. */
export async function findKeeper(
  options: Pick<FindOptions, 'home' | 'clock' | 'signal'>,
): Promise<KeeperLink | undefined> {
  const descriptor = await readKeeper(await keeperFiles(options.home));
  return descriptor === undefined ? undefined : linkTo(descriptor, options);
}

/** The same, started where there is none. Fails with `keeperFailed`, `keeperDiffers`, or the signal's reason. */
export async function ensureKeeper(options: FindOptions): Promise<KeeperLink> {
  const found = await findKeeper(options);
  if (found !== undefined) return found;
  const files = await keeperFiles(options.home);
  try {
    await makeKeeperFolder(files);
    // Of many that look at the same time one starts a program, the others find it.
    const { signal } = options;
    return await withFileLock(files.starting, () => new Starting(files, options).run(), {
      wait: limits.keeper.start,
      signal,
    });
  } catch (error) {
    if (error instanceof ManagerError && error.code === 'configLocked') return new Starting(files, options).run();
    if (error instanceof ManagerError || options.signal?.aborted === true) throw error;
    throw failedWith(systemDetail(error));
  }
}

/** Undefined where its process is gone, or it does not answer. */
async function linkTo(
  descriptor: KeeperDescriptor,
  { clock, signal }: Pick<FindOptions, 'clock' | 'signal'>,
): Promise<KeeperLink | undefined> {
  if ((await judge(descriptor.process)) === 'gone') return undefined;
  if (descriptor.wire !== keeperWire) throw new ManagerError('keeperDiffers', { build: descriptor.build });
  const link = new KeeperLink(descriptor, clock);
  const status = await statusOf(link, signal);
  // Another process may listen at its port by now.
  return status !== undefined && isSame(status.process, descriptor.process) ? link : undefined;
}

async function statusOf(link: KeeperLink, signal: AbortSignal | undefined): Promise<KeeperStatus | undefined> {
  try {
    return await link.ask('status', { form: keeperStatus, within: limits.keeper.answer, signal });
  } catch (error) {
    if (error instanceof KeeperSilent || error instanceof ManagerError) return undefined;
    throw error;
  }
}

/** One that was asked for and does not answer; since when, and how often it was looked at. */
interface Suspect {
  readonly who: ProcessIdentity;
  readonly since: number;
  looks: number;
}

class Starting {
  readonly #files: KeeperFiles;
  readonly #options: FindOptions;
  #suspect: Suspect | undefined;
  /** What became of the programs that were started. */
  #running = 0;
  #failure: ManagerError | undefined;
  #started = 0;

  constructor(files: KeeperFiles, options: FindOptions) {
    this.#files = files;
    this.#options = options;
  }

  async run(): Promise<KeeperLink> {
    const { signal } = this.#options;
    const begin = performance.now();
    for (;;) {
      const descriptor = await readKeeper(this.#files);
      const link = descriptor && (await linkTo(descriptor, this.#options));
      if (link !== undefined) return link;
      const silent = await this.#silentOne(descriptor?.process);
      if (silent !== undefined) await this.#suspectOf(silent, descriptor?.process);
      else if (this.#running === 0 && this.#failure === undefined) this.#start();
      if (this.#failure !== undefined) throw this.#failure;
      if (performance.now() - begin > limits.keeper.start) throw failedWith('it did not answer in time');
      await delay(limits.keeper.look);
      signal?.throwIfAborted();
    }
  }

  /** Who is the keeper and does not say so: whoever holds the lock, or is named in the file and runs without it. */
  async #silentOne(named: ProcessIdentity | undefined): Promise<ProcessIdentity | undefined> {
    const holder = await lockHolder(this.#files.elected);
    if (holder !== undefined && (await judge(holder)) !== 'gone') return holder;
    const runs = named !== undefined && (await judge(named)) === 'alive' && (await isKeeper(named.pid));
    return runs ? named : undefined;
  }

  /**
   * One that is named in the file had come up, and should answer; any other may be at its start or its end. Counted in looks
   * as well as in time: a machine that slept has had none meanwhile.
   */
  async #suspectOf(who: ProcessIdentity, named: ProcessIdentity | undefined): Promise<void> {
    if (this.#suspect === undefined || !isSame(this.#suspect.who, who)) {
      this.#suspect = { who, since: performance.now(), looks: 0 };
    }
    this.#suspect.looks += 1;
    const { hung, slow, answer } = limits.keeper;
    const least = named !== undefined && isSame(named, who) ? hung : slow;
    if (performance.now() - this.#suspect.since < least || this.#suspect.looks < hung / answer) return;
    await end(who, this.#files);
    this.#suspect = undefined;
  }

  #start(): void {
    if (this.#started === mostStarts) {
      this.#failure ??= failedWith('it ended as soon as it was started');
      return;
    }
    this.#started += 1;
    this.#running += 1;
    const { file, args, env, cwd } = keeperCommand(this.#options);
    const over = (failure: ManagerError | undefined): void => {
      this.#running = 0;
      this.#failure ??= failure;
    };
    try {
      const child = spawn(file, args, { env, cwd, detached: true, windowsHide: true, stdio: 'ignore' });
      child.once('error', (error) => over(failedWith(systemDetail(error))));
      child.once('exit', (code) => over(failureOf(code)));
      // It outlives us.
      child.unref();
    } catch (error) {
      over(failedWith(systemDetail(error)));
    }
  }
}

const mostStarts = 3;

/** Its children end by their guard, and all that is left of them before the next one serves. */
async function end(who: ProcessIdentity, { elected }: KeeperFiles): Promise<void> {
  if (!(await isKeeper(who.pid))) throw failedWith(`${elected}.lock names a program that is none, process ${who.pid}`);
  if ((await judge(who)) !== 'alive') return;
  try {
    process.kill(who.pid, 'SIGKILL');
  } catch {
    // It ended by itself.
  }
  const begin = performance.now();
  while ((await judge(who)) !== 'gone') {
    if (performance.now() - begin > limits.keeper.killed)
      throw failedWith(`it hangs and cannot be ended, process ${who.pid}`);
    await delay(limits.keeper.look);
  }
}

function isSame(one: ProcessIdentity, other: ProcessIdentity): boolean {
  return one.pid === other.pid && one.start === other.start && one.boot === other.boot;
}

/** Undefined where another one may be there by now, which is looked for. */
function failureOf(code: number | null): ManagerError | undefined {
  switch (code) {
    case keeperExits.ended:
    case keeperExits.taken:
    case null:
      return undefined;
    case keeperExits.diskFull:
      return failedWith('the disk is full');
    case keeperExits.folder:
      return failedWith('its folder is not yours alone, or cannot be written to');
    default:
      return failedWith(`it ended with code ${code}`);
  }
}

function failedWith(detail: string): ManagerError {
  return new ManagerError('keeperFailed', { detail });
}
