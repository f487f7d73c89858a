// The descriptors of the windows that are open, as files in a folder of the person's own: written whole and in one step,
// readable by them alone (0600 in 0700), taken away with the window, and with the next look where a window could not. The
// socket of each window lies beside it. Names tell processes apart as their identity does, so none takes another's place.
// Promises: what is no file of ours, is somebody else's or is readable by others is no window; nothing follows a link; what
// another machine or container left in a folder that is shared is none here, where its port is somebody else's.
import { createHash, randomBytes } from 'node:crypto';
import { constants } from 'node:fs';
import { chmod, mkdir, open, readdir, rename, unlink } from 'node:fs/promises';
import { join } from 'node:path';
import * as z from 'zod/mini';
import { type AnnouncedWindow, announcedWindow, type WindowDescriptor } from '../contract/windowDescriptor.ts';
import { judge, type ProcessFacts, type ProcessIdentity, systemFacts } from '../core/config/processIdentity.ts';
import { limits } from '../core/limits.ts';

/** `home` is the product's folder. */
export function windowsFolder(home: string): string {
  return join(home, 'windows');
}

/** Where the gateway of this process has its socket. */
export function windowSocket(home: string, owner: ProcessIdentity): string {
  return join(windowsFolder(home), `${nameOf(owner)}.sock`);
}

/** Answers the folder, which is the person's alone from now on. Fails with an error of the system. */
export async function makeWindowsFolder(home: string): Promise<string> {
  const folder = windowsFolder(home);
  await mkdir(folder, { recursive: true, mode: 0o700 });
  await chmod(folder, 0o700);
  return folder;
}

/** Writes a window's descriptor, in place of an older one. Fails with an error of the system. */
export async function writeWindow(home: string, window: AnnouncedWindow): Promise<void> {
  const folder = await makeWindowsFolder(home);
  const draft = join(folder, `.${randomBytes(8).toString('hex')}.tmp`);
  const handle = await open(draft, 'wx', 0o600);
  try {
    await handle.writeFile(JSON.stringify(window));
  } finally {
    await handle.close();
  }
  await rename(draft, join(folder, `${nameOf(window.process)}.json`));
}

/** Takes back the descriptor of this process. Its socket goes with whoever listens on it. */
export async function removeWindow(home: string, owner: ProcessIdentity): Promise<void> {
  await unlink(join(windowsFolder(home), `${nameOf(owner)}.json`)).catch(() => undefined);
}

/** Those of the announced windows that serve agents. */
export async function openWindows(home: string, facts?: ProcessFacts): Promise<readonly WindowDescriptor[]> {
  return (await announcedWindows(home, facts)).filter((window) => window.kind === 'serving');
}

/** The windows here whose process lives, or may. The files of those that are gone go with the look. */
export async function announcedWindows(
  home: string,
  facts: ProcessFacts = systemFacts,
): Promise<readonly AnnouncedWindow[]> {
  const folder = windowsFolder(home);
  const names = await readdir(folder).catch(() => []);
  const found = names.filter((name) => pattern.test(name)).slice(0, limits.windows.files);
  const windows = await Promise.all(
    found.map(async (name) => {
      const path = join(folder, name);
      const window = await read(path);
      if (window === undefined || name !== `${nameOf(window.process)}.json`) return undefined;
      const isGone = (await judge(window.process, facts)) === 'gone';
      if (!isGone) return (await isHere(window.process, facts)) ? window : undefined;
      await removeWindow(home, window.process);
      await unlink(windowSocket(home, window.process)).catch(() => undefined);
      return undefined;
    }),
  );
  return windows.filter((window) => window !== undefined);
}

const pattern = /^window-\d{1,10}-[0-9a-f]{12}\.json$/;

/** Short: the path of a socket may have about a hundred bytes. */
function nameOf({ pid, start, boot, host, namespace }: ProcessIdentity): string {
  const rest = createHash('sha256').update(JSON.stringify([start, boot, host, namespace]));
  return `window-${pid}-${rest.digest('hex').slice(0, 12)}`;
}

async function isHere({ host, namespace }: ProcessIdentity, facts: ProcessFacts): Promise<boolean> {
  return host === facts.host && namespace === (await facts.namespace());
}

async function read(path: string): Promise<AnnouncedWindow | undefined> {
  try {
    const handle = await open(path, constants.O_RDONLY | constants.O_NOFOLLOW | constants.O_NONBLOCK);
    try {
      const stats = await handle.stat();
      if (!stats.isFile() || stats.size > limits.windows.bytes || !isOwnersAlone(stats)) return undefined;
      const parsed = z.safeParse(announcedWindow, JSON.parse(await handle.readFile('utf8')));
      return parsed.success ? parsed.data : undefined;
    } finally {
      await handle.close();
    }
  } catch {
    return undefined; // Replaced or taken away meanwhile, or not ours to read.
  }
}

/** Windows has no such bits: there the person's own folder keeps others out. */
function isOwnersAlone({ uid, mode }: { readonly uid: number; readonly mode: number }): boolean {
  const own = process.getuid?.();
  return own === undefined || (uid === own && (mode & 0o077) === 0);
}
