// Exclusion between processes for one file, without a lock call in Node: the lock is a small file `<file>.lock` that is
// made whole by one atomic step (a hard link) and names its holder. Promises: never two holders, and a lock whose holder
// died is taken over. Only two processes may ever remove a lock file with a given token: its holder, and the one that
// owns the *claim* to remove that very token, once the holder is certainly gone. A claim is a lock itself, named by the
// token, so a late, mistaken taker finds that the file it would remove no longer has the token it judged.
import { createHash, randomUUID } from 'node:crypto';
import { copyFile, constants, link, lstat, open, readdir, unlink, writeFile } from 'node:fs/promises';
import { basename, dirname } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { abortReason } from '../../base/deadline.ts';
import { ManagerError } from '../errors.ts';
import { limits } from '../limits.ts';
import { judge, ownIdentity, type ProcessFacts, type ProcessIdentity, systemFacts } from './processIdentity.ts';

export interface LockOptions {
  readonly signal?: AbortSignal | undefined;
  /** Longest wait in milliseconds. */
  readonly wait?: number;
  readonly facts?: ProcessFacts;
}

/**
 * Runs `work` while holding the lock of `file`. Throws `configLocked` when it is not free in time; the lock of another
 * machine or container on a shared disk is never taken over, since nobody here can know whether its holder lives.
 */
export async function withFileLock<T>(file: string, work: () => Promise<T>, options: LockOptions = {}): Promise<T> {
  const facts = options.facts ?? systemFacts;
  const path = `${file}.lock`;
  const started = Date.now();
  const wait = options.wait ?? limits.config.lockWait;
  const record: LockRecord = { ...(await ownIdentity(facts)), token: randomUUID() };
  const suspect = suspicion();
  const draft = await makeDraft(path, record);
  try {
    for (;;) {
      const ahead = await aheadOf(draft, path);
      // Whoever came first tries at once and often, the others the more rarely the more wait before them.
      if (ahead > 0) await delay(pause(ahead));
      if (options.signal?.aborted === true) throw abortReason(options.signal);
      if (await tryCreate(path, draft)) break;
      const found = await read(path);
      if (found === 'noFile')
        throw new ManagerError('configWriteFailed', { file, detail: `${path} is no ordinary file` });
      if (suspect(found)) await removeIfAbandoned(path, facts);
      if (Date.now() - started > wait) throw new ManagerError('configLocked', { file });
      await delay(pause(0));
    }
  } finally {
    await removeFile(draft);
  }
  try {
    return await work();
  } finally {
    await removeFile(path);
  }
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
function suspicion(): (found: LockRecord | 'unreadable' | undefined) => boolean {
  let token: string | undefined;
  let due = 0;
  return (found) => {
    if (found === undefined || found === 'unreadable') return false;
    const now = Date.now();
    if (found.token !== token) {
      token = found.token;
      due = now + limits.config.lockSuspicion;
      return false;
    }
    if (now < due) return false;
    due = now + 10 * limits.config.lockSuspicion;
    return true;
  };
}

interface LockRecord extends ProcessIdentity {
  readonly token: string;
}

/** The content that is to become the lock, under a name of its own that says when it was made. */
async function makeDraft(path: string, record: LockRecord): Promise<string> {
  const draft = `${path}.${Date.now().toString(36).padStart(9, '0')}-${record.token}.tmp`;
  await writeFile(draft, JSON.stringify(record), { flag: 'wx', mode: 0o600 });
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

/** For disks without hard links. A death between making and filling leaves an unreadable lock, which nobody takes over. */
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
  if ((await judge(found, facts)) !== 'gone') return;
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
async function read(path: string): Promise<LockRecord | 'unreadable' | 'noFile' | undefined> {
  let text: string;
  try {
    if (!(await lstat(path)).isFile()) return 'noFile';
    text = await readStart(path);
  } catch (error) {
    return isCode(error, 'ENOENT') ? undefined : 'unreadable';
  }
  try {
    const value = JSON.parse(text) as Partial<LockRecord> | null;
    const { pid, start, boot, host, namespace, token } = value ?? {};
    if (typeof pid !== 'number' || typeof token !== 'string' || typeof host !== 'string') return 'unreadable';
    if (typeof start !== 'string' || typeof boot !== 'string' || typeof namespace !== 'string') return 'unreadable';
    return { pid, start, boot, host, namespace, token };
  } catch {
    return 'unreadable';
  }
}

/** Its first bytes; never waits on a pipe and never follows a link that came meanwhile. */
async function readStart(path: string): Promise<string> {
  const { O_RDONLY, O_NOFOLLOW = 0, O_NONBLOCK = 0 } = constants as Partial<typeof constants> & { O_RDONLY: number };
  const handle = await open(path, O_RDONLY | O_NOFOLLOW | O_NONBLOCK);
  try {
    if (!(await handle.stat()).isFile()) return '';
    const { buffer, bytesRead } = await handle.read(
      Buffer.alloc(limits.config.lockBytes),
      0,
      limits.config.lockBytes,
      0,
    );
    return buffer.toString('utf8', 0, bytesRead);
  } finally {
    await handle.close();
  }
}

async function removeFile(path: string): Promise<void> {
  const deadline = Date.now() + limits.config.busyWait;
  for (;;) {
    try {
      await unlink(path);
      return;
    } catch (error) {
      if (isCode(error, 'ENOENT')) return;
      if (!isCode(error, 'EBUSY', 'EPERM', 'EACCES') || Date.now() > deadline) throw error;
      await delay(limits.config.busyRetry);
    }
  }
}

function isCode(error: unknown, ...codes: readonly string[]): boolean {
  return codes.includes((error as NodeJS.ErrnoException).code ?? '');
}
