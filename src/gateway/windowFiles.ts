// The descriptors of the windows that are open, as files in a folder of the person's own: written whole and in one step,
// readable by them alone (0600 in 0700), taken away with the window, and with the next look where a window could not.
// Promises: what is no file of ours, is somebody else's or is readable by others is no window; nothing follows a link.
import { randomBytes } from 'node:crypto';
import { constants } from 'node:fs';
import { chmod, mkdir, open, readdir, rename, unlink } from 'node:fs/promises';
import { join } from 'node:path';
import * as z from 'zod/mini';
import { type WindowDescriptor, windowDescriptor } from '../contract/windowDescriptor.ts';
import { judge, type ProcessFacts, systemFacts } from '../core/config/processIdentity.ts';
import { limits } from '../core/limits.ts';

/** `home` is the product's folder. */
export function windowsFolder(home: string): string {
  return join(home, 'windows');
}

/** Writes a window's descriptor, in place of an older one. Fails with an error of the system. */
export async function writeWindow(home: string, window: WindowDescriptor): Promise<void> {
  const folder = windowsFolder(home);
  await mkdir(folder, { recursive: true, mode: 0o700 });
  await chmod(folder, 0o700);
  const draft = join(folder, `.${randomBytes(8).toString('hex')}.tmp`);
  const handle = await open(draft, 'wx', 0o600);
  try {
    await handle.writeFile(JSON.stringify(window));
  } finally {
    await handle.close();
  }
  await rename(draft, join(folder, nameOf(window.process.pid)));
}

export async function removeWindow(home: string, pid: number): Promise<void> {
  await unlink(join(windowsFolder(home), nameOf(pid))).catch(() => undefined);
}

/** The windows whose process lives, or may. The files of those that are gone go with the look. */
export async function openWindows(
  home: string,
  facts: ProcessFacts = systemFacts,
): Promise<readonly WindowDescriptor[]> {
  const folder = windowsFolder(home);
  const names = await readdir(folder).catch(() => []);
  const found = names.filter((name) => pattern.test(name)).slice(0, limits.windows.files);
  const windows = await Promise.all(
    found.map(async (name) => {
      const path = join(folder, name);
      const window = await read(path);
      if (window === undefined || name !== nameOf(window.process.pid)) return undefined;
      if ((await judge(window.process, facts)) !== 'gone') return window;
      await unlink(path).catch(() => undefined);
      return undefined;
    }),
  );
  return windows.filter((window) => window !== undefined);
}

const pattern = /^window-\d{1,10}\.json$/;

function nameOf(pid: number): string {
  return `window-${pid}.json`;
}

async function read(path: string): Promise<WindowDescriptor | undefined> {
  try {
    const handle = await open(path, constants.O_RDONLY | constants.O_NOFOLLOW | constants.O_NONBLOCK);
    try {
      const stats = await handle.stat();
      if (!stats.isFile() || stats.size > limits.windows.bytes || !isOwnersAlone(stats)) return undefined;
      const parsed = z.safeParse(windowDescriptor, JSON.parse(await handle.readFile('utf8')));
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
