// Exclusion between processes for one file, without a lock call in Node: the lock is a small file `<file>.lock` that is
// made whole by one atomic step (a hard link) and names its holder. Promises: never two holders, and a lock whose holder
// died is taken over. Only two processes may ever remove a lock file with a given token: its holder, and the one that
// owns the *claim* to remove that very token, once the holder is certainly gone. A claim is a lock itself, named by the
// token, so a late, mistaken taker finds that the file it would remove no longer has the token it judged.
// Time is told by the clock's timers alone: they count on while the time of day is set. What a power cut or a stranger
// left there without a holder's name is of nobody once it is old; its identity on the disk is its token.
import { createHash, randomUUID } from 'node:crypto';
import { copyFile, constants, link, lstat, open, readdir, unlink } from 'node:fs/promises';
import { basename, dirname } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { type Clock, systemClock } from '../../base/clock.ts';
import { abortReason } from '../../base/deadline.ts';
import { type Disposable, DisposableStore, toDisposable } from '../../base/disposable.ts';
import { ManagerError } from '../errors.ts';
import { limits } from '../limits.ts';
import { judge, ownIdentity, type ProcessFacts, type ProcessIdentity, systemFacts } from './processIdentity.ts';

export interface LockOptions {
  readonly signal?: AbortSignal | undefined;
  /** Longest wait in milliseconds. */
  readonly wait?: number;
  readonly facts?: ProcessFacts;
  /** Only its timers are used. */
  readonly clock?: Clock;
}

/**
 * Runs `work` while holding the lock of `file`. Throws `configLocked` when it is not free in time; the lock of another
 * machine or container on a shared disk is never taken over, since nobody here can know whether its holder lives.
 */
export async function withFileLock<T>(file: string, work: () => Promise<T>, options: LockOptions = {}): Promise<T> {
  const facts = options.facts ?? systemFacts;
  const path = `${file}.lock`;
  const clock = options.clock ?? systemClock({ unref: true });
  const timers = new DisposableStore();
  const record: LockRecord = { ...(await ownIdentity(facts)), token: randomUUID() };
  const suspect = suspicion(clock, timers);
  let draft = await makeDraft(path, record);
  // One that was taken for a left-over, since the time of day was set, is made again.
  const tryOrRenew = async (): Promise<boolean> => {
    try {
      return await tryCreate(path, draft);
    } catch (error) {
      if (!isCode(error, 'ENOENT')) throw error;
      draft = await makeDraft(path, record);
      return false;
    }
  };
  try {
    const over = timers.add(elapsed(clock, options.wait ?? limits.config.lockWait));
    for (;;) {
      const ahead = await aheadOf(draft, path);
      // Whoever came first tries at once and often, the others the more rarely the more wait before them.
      if (ahead > 0) await delay(pause(ahead));
      if (options.signal?.aborted === true) throw abortReason(options.signal);
      if (await tryOrRenew()) break;
      const found = await read(path);
      if (found === 'noFile')
        throw new ManagerError('configWriteFailed', { file, detail: `${path} is no ordinary file` });
      if (suspect(found)) await removeIfAbandoned(path, facts);
      if (over.yes) throw new ManagerError('configLocked', { file, lock: path });
      await delay(pause(0));
    }
  } finally {
    timers.dispose();
    await removeFile(draft);
  }
  try {
    return await work();
  } finally {
    await removeFile(path);
  }
}

/** Who holds the lock of `file`, as it says; undefined where nobody does, or nobody is named. */
export async function lockHolder(file: string): Promise<ProcessIdentity | undefined> {
  const found = await read(`${file}.lock`);
  return typeof found === 'object' && !('nameless' in found) ? found : undefined;
}

/** Milliseconds between two tries; the chance in it keeps waiters apart. */
function pause(ahead: number): number {
  return limits.config.lockRetry * (0.5 + Math.random()) * Math.min(1 + 3 * ahead, 20);
}

/**
 * How many wait for longer, by the names of their drafts. Only a courtesy, without which a process that writes again and
 * again would win every time: a draft of a process that died costs the others a few milliseconds.
 */
async function aheadOf(draft: string, path: string): Promise<number> {
  const [own, prefix] = [basename(draft), `${basename(path)}.`];
  const names = await readdir(dirname(path)).catch(() => []);
  return names.filter((name) => name.startsWith(prefix) && name.endsWith('.tmp') && name < own).length;
}

/**
 * Whether it is time to ask if a holder lives: it kept one lock for a while, and was not asked about just now.
 * Asking may start a tool, and in the ordinary case a lock changes hands every few milliseconds.
 */
function suspicion(clock: Clock, timers: DisposableStore): (found: Found) => boolean {
  let token: string | undefined;
  let due = elapsed(clock, 0);
  timers.add(toDisposable(() => due.dispose()));
  return (found) => {
    if (typeof found !== 'object') return false;
    if (found.token !== token) {
      token = found.token;
      // One without a name may be being written just now, on a disk without hard links.
      const { lockSuspicion, busyWait } = limits.config;
      due.dispose();
      due = elapsed(clock, 'nameless' in found ? busyWait : lockSuspicion);
      return false;
    }
    if (!due.yes) return false;
    due = elapsed(clock, 10 * limits.config.lockSuspicion);
    return true;
  };
}

/** Whether so much time is over by now. */
function elapsed(clock: Clock, ms: number): Disposable & { readonly yes: boolean } {
  let yes = false;
  const timer = clock.after(ms, () => (yes = true));
  return {
    get yes() {
      return yes;
    },
    dispose: () => timer.dispose(),
  };
}

interface LockRecord extends ProcessIdentity {
  readonly token: string;
}

/** A lock file that names nobody; the token is of this very file with this very content. */
interface Nameless {
  readonly nameless: true;
  readonly token: string;
  /** Milliseconds since it was written, by the time of day. */
  readonly age: number;
}

type Found = LockRecord | Nameless | 'unreadable' | 'noFile' | undefined;

/**
 * The content that is to become the lock, under a name of its own that says when it was made. It is on the disk before
 * the lock is, so that a power cut leaves no lock without a name.
 */
async function makeDraft(path: string, record: LockRecord): Promise<string> {
  const draft = `${path}.${Date.now().toString(36).padStart(9, '0')}-${record.token}.tmp`;
  const handle = await open(draft, 'wx', 0o600);
  try {
    await handle.writeFile(JSON.stringify(record));
    await handle.sync();
  } catch (error) {
    await removeFile(draft);
    throw error;
  } finally {
    await handle.close();
  }
  return draft;
}

/** Makes the lock file with its content in one step; false when there is one already. */
async function tryCreate(path: string, draft: string): Promise<boolean> {
  try {
    await link(draft, path);
    return true;
  } catch (error) {
    if (isCode(error, 'EEXIST')) return false;
    // A name whose removal Windows has not finished yet.
    if (process.platform === 'win32' && isCode(error, 'EBUSY', 'EACCES', 'EPERM') && (await read(path)) !== undefined) {
      return false;
    }
    if (!isCode(error, 'EPERM', 'ENOTSUP', 'ENOSYS', 'EOPNOTSUPP', 'EMLINK', 'EXDEV', 'EACCES')) throw error;
    return await copyExclusively(draft, path);
  }
}

/** For disks without hard links. A death between making and filling leaves a lock without a name. */
async function copyExclusively(draft: string, path: string): Promise<boolean> {
  try {
    await copyFile(draft, path, constants.COPYFILE_EXCL);
    return true;
  } catch (error) {
    if (isCode(error, 'EEXIST')) return false;
    throw error;
  }
}

/** Removes a lock or claim whose holder is certainly gone. May do nothing; the caller tries again. */
async function removeIfAbandoned(path: string, facts: ProcessFacts): Promise<void> {
  const found = await read(path);
  if (typeof found !== 'object') return;
  if ('nameless' in found) {
    // A disk of another machine may be ahead of our time of day as well as behind it.
    if (Math.abs(found.age) < limits.config.leftOver) return;
  } else if ((await judge(found, facts)) !== 'gone') return;
  const claim = claimPath(path, found.token);
  const draft = await makeDraft(claim, { ...(await ownIdentity(facts)), token: randomUUID() });
  const owned = await tryCreate(claim, draft).finally(() => removeFile(draft));
  if (!owned) {
    await removeIfAbandoned(claim, facts);
    return;
  }
  try {
    // While the claim is ours, nobody else may remove this token: what is read here is what is removed.
    const now = await read(path);
    if (typeof now === 'object' && now.token === found.token) await removeFile(path);
  } finally {
    await removeFile(claim);
  }
}

/** Names of claims stay short however often a taker died: they hash what they are about. */
export function claimPath(path: string, token: string): string {
  const hash = createHash('sha256').update(`${path}\0${token}`).digest('hex').slice(0, 24);
  return `${path.replace(/\.claim-[0-9a-f]{24}$/, '')}.claim-${hash}`;
}

/** Undefined where there is nothing; `noFile`: a link, a pipe or a device that somebody put there. */
async function read(path: string): Promise<Found> {
  try {
    if (!(await lstat(path)).isFile()) return 'noFile';
    const { text, nameless } = await readStart(path);
    return recordOf(text) ?? nameless;
  } catch (error) {
    return isCode(error, 'ENOENT') ? undefined : 'unreadable';
  }
}

function recordOf(text: string): LockRecord | undefined {
  try {
    const value = JSON.parse(text) as Partial<LockRecord> | null;
    const { pid, start, boot, host, namespace, token } = value ?? {};
    if (typeof pid !== 'number' || typeof token !== 'string' || typeof host !== 'string') return undefined;
    if (typeof start !== 'string' || typeof boot !== 'string' || typeof namespace !== 'string') return undefined;
    return { pid, start, boot, host, namespace, token };
  } catch {
    return undefined;
  }
}

/** Its first bytes; never waits on a pipe and never follows a link that came meanwhile. */
async function readStart(path: string): Promise<{ readonly text: string; readonly nameless: Nameless }> {
  const { O_RDONLY, O_NOFOLLOW = 0, O_NONBLOCK = 0 } = constants as Partial<typeof constants> & { O_RDONLY: number };
  const handle = await open(path, O_RDONLY | O_NOFOLLOW | O_NONBLOCK);
  try {
    const { dev, ino, size, mtimeNs, mtimeMs } = await handle.stat({ bigint: true });
    const token = `nameless ${dev} ${ino} ${size} ${mtimeNs}`;
    const nameless: Nameless = { nameless: true, token, age: Date.now() - Number(mtimeMs) };
    const { buffer, bytesRead } = await handle.read(
      Buffer.alloc(limits.config.lockBytes),
      0,
      limits.config.lockBytes,
      0,
    );
    return { text: buffer.toString('utf8', 0, bytesRead), nameless };
  } finally {
    await handle.close();
  }
}

async function removeFile(path: string): Promise<void> {
  const tries = limits.config.busyWait / limits.config.busyRetry;
  for (let made = 1; ; made += 1) {
    try {
      await unlink(path);
      return;
    } catch (error) {
      if (isCode(error, 'ENOENT')) return;
      if (!isCode(error, 'EBUSY', 'EPERM', 'EACCES') || made > tries) throw error;
      await delay(limits.config.busyRetry);
    }
  }
}

function isCode(error: unknown, ...codes: readonly string[]): boolean {
  return codes.includes((error as NodeJS.ErrnoException).code ?? '');
}
