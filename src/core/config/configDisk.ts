// The disk side of one configuration file: where it really is, reading it whole or not at all, replacing it in one step.
// Refuses: a project's file that a link leads out of its folder (TRUST-9), what is no ordinary file, what is too large or
// not UTF-8. A read never waits on a pipe and never follows a link that was put there meanwhile.
import { randomBytes } from 'node:crypto';
import { constants, type Stats } from 'node:fs';
import { chmod, lstat, mkdir, open, readdir, realpath, rename, stat, unlink } from 'node:fs/promises';
import { basename, dirname, isAbsolute, join, relative, sep } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import type { ErrorCode } from '../../contract/errorCodes.ts';
import { limits } from '../limits.ts';
import { systemDetail } from '../systemDetail.ts';
import type { ConfigProblem } from './model.ts';
import type { ConfigSource } from './readConfigText.ts';

export type DiskReading =
  /** `path` is where the file would be made. */
  | { readonly kind: 'missing'; readonly path: string }
  /** `path` has no links in it; `mode` are its permission bits. */
  | { readonly kind: 'text'; readonly text: string; readonly path: string; readonly mode: number }
  | { readonly kind: 'refused'; readonly problem: ConfigProblem };

/** Reads the file's text, with its byte order mark if it has one; `most` bytes, where it is not one of ours. */
export async function readConfigFile(
  source: ConfigSource,
  { most = limits.config.fileBytes }: { readonly most?: number } = {},
): Promise<DiskReading> {
  try {
    const path = await realPathOf(source);
    const bytes = await whileBusy(() => readWhole(path, most)).catch((error: unknown) => {
      if (isCode(error, 'ENOENT')) return undefined;
      throw error;
    });
    if (bytes === undefined) return { kind: 'missing', path };
    if ((await realPathOf(source)) !== path) throw new Refusal('configUnreadable', 'it was replaced while it was read');
    return { kind: 'text', text: decode(bytes.content), path, mode: bytes.mode };
  } catch (error) {
    return { kind: 'refused', problem: problemOf(error, source.file) };
  }
}

/** Makes the folder of a file that is to be written: 0700 for the person's own, ordinary in a project. */
export async function makeFolder({ file, scope }: ConfigSource): Promise<void> {
  const folder = dirname(file);
  if (scope.kind === 'user') {
    await mkdir(folder, { recursive: true, mode: 0o700 });
    if (((await stat(folder)).mode & 0o077) !== 0) await chmod(folder, 0o700);
    return;
  }
  await mkdir(folder).catch((error: unknown) => {
    if (!isCode(error, 'EEXIST')) throw error;
  });
}

/**
 * Replaces a file in one step; `path` as `readConfigFile` gave it. Must run under the file's lock: what other writers left
 * behind is tidied up. A mode of undefined makes an ordinary new file. `check` runs when all but the last step is done; where
 * it fails, nothing was replaced.
 */
export async function replaceFile(
  path: string,
  text: string,
  mode: number | undefined,
  check?: () => Promise<void>,
): Promise<void> {
  await tidyUp(path);
  const folder = dirname(path);
  const draft = join(folder, `.${basename(path)}.${process.pid}.${randomBytes(8).toString('hex')}.tmp`);
  try {
    const handle = await open(draft, 'wx', mode ?? 0o666);
    try {
      await handle.writeFile(text, 'utf8');
      if (mode !== undefined) await handle.chmod(mode);
      await handle.sync();
    } finally {
      await handle.close();
    }
    await whileBusy(async () => {
      await check?.();
      await rename(draft, path);
    });
  } catch (error) {
    await unlink(draft).catch(() => undefined);
    throw error;
  }
  await syncFolder(folder);
}

/** Where the file is, or would be, with every link resolved. */
async function realPathOf({ file, scope }: ConfigSource): Promise<string> {
  const path = await resolved(file);
  if (scope.kind === 'user') return path;
  const way = relative(await resolved(scope.folder), path);
  if (way === '' || way === '..' || way.startsWith(`..${sep}`) || isAbsolute(way)) {
    throw new Refusal('configSymlinkOutside', '');
  }
  return path;
}

async function resolved(path: string): Promise<string> {
  try {
    return await realpath(path);
  } catch (error) {
    if (!isCode(error, 'ENOENT')) throw error;
  }
  const dangling = await lstat(path).catch(() => undefined);
  if (dangling?.isSymbolicLink() === true) throw new Refusal('configUnreadable', 'it is a link that leads nowhere');
  const parent = dirname(path);
  return parent === path ? path : join(await resolved(parent), basename(path));
}

async function readWhole(path: string, most: number): Promise<{ content: Buffer; mode: number }> {
  // Absent on Windows, where neither links nor pipes can stand in for a file like this.
  const { O_RDONLY, O_NOFOLLOW = 0, O_NONBLOCK = 0 } = constants as Partial<typeof constants> & { O_RDONLY: number };
  const handle = await open(path, O_RDONLY | O_NOFOLLOW | O_NONBLOCK);
  try {
    const stats: Stats = await handle.stat();
    if (!stats.isFile())
      throw new Refusal('configUnreadable', stats.isDirectory() ? 'it is a folder' : 'it is no file');
    const buffer = Buffer.alloc(Math.min(stats.size, most) + 1);
    let length = 0;
    for (;;) {
      const { bytesRead } = await handle.read(buffer, length, buffer.length - length, length);
      length += bytesRead;
      if (bytesRead === 0 || length === buffer.length) break;
    }
    if (length > most) throw new Refusal('configUnreadable', `it is larger than ${most / 1024 / 1024} MiB`);
    if (length === buffer.length) throw new Refusal('configUnreadable', 'it grew while it was read');
    return { content: buffer.subarray(0, length), mode: stats.mode & 0o777 };
  } finally {
    await handle.close();
  }
}

function decode(content: Buffer): string {
  try {
    return new TextDecoder('utf-8', { fatal: true, ignoreBOM: true }).decode(content);
  } catch {
    throw new Refusal('configUnreadable', 'it is not UTF-8 text');
  }
}

/** Drafts of writers that died, and drafts and claims of their locks (see fileLock.ts). */
async function tidyUp(path: string): Promise<void> {
  const folder = dirname(path);
  const name = basename(path);
  const draft = new RegExp(`^\\.${escaped(name)}\\.\\d+\\.[0-9a-f]{16}\\.tmp$`);
  for (const entry of await readdir(folder)) {
    const ofLock = entry.startsWith(`${name}.lock.`) && (entry.endsWith('.tmp') || entry.includes('.claim-'));
    if (!ofLock && !draft.test(entry)) continue;
    const left = join(folder, entry);
    const age = ofLock ? Date.now() - ((await stat(left).catch(() => undefined))?.mtimeMs ?? Date.now()) : Infinity;
    if (age > limits.config.leftOver) await unlink(left).catch(() => undefined);
  }
}

function escaped(text: string): string {
  return text.replace(/[.*+?^${}()|[\]\\]/g, '\\$&');
}

/** Makes a rename last through a power cut, where folders can be flushed at all. */
export async function syncFolder(folder: string): Promise<void> {
  if (process.platform === 'win32') return;
  const handle = await open(folder, constants.O_RDONLY);
  try {
    await handle.sync();
  } catch (error) {
    if (!isCode(error, 'EINVAL', 'ENOTSUP', 'EPERM')) throw error;
  } finally {
    await handle.close();
  }
}

/** On Windows a file that another program has open just now cannot be opened or replaced; it passes. */
async function whileBusy<T>(action: () => Promise<T>): Promise<T> {
  const tries = limits.config.busyWait / limits.config.busyRetry;
  for (let made = 1; ; made += 1) {
    try {
      return await action();
    } catch (error) {
      const passing = process.platform === 'win32' && isCode(error, 'EBUSY', 'EPERM', 'EACCES');
      if (!passing || made > tries) throw error;
      await delay(limits.config.busyRetry);
    }
  }
}

/** A reason of our own to refuse a file. */
class Refusal extends Error {
  readonly code: ErrorCode;
  constructor(code: ErrorCode, detail: string) {
    super(detail);
    this.code = code;
  }
}

function problemOf(error: unknown, file: string): ConfigProblem {
  if (error instanceof Refusal) return { file, code: error.code, data: { file, detail: error.message } };
  return { file, code: 'configUnreadable', data: { file, detail: systemDetail(error) } };
}

function isCode(error: unknown, ...codes: readonly string[]): boolean {
  return codes.includes((error as NodeJS.ErrnoException).code ?? '');
}
