// The descriptors of the windows that are open, as files in a folder of the person's own (descriptorFile.ts), taken away with
// the window, and with the next look where a window could not. The socket of each window lies beside it. Names tell processes
// apart as their identity does, so none takes another's place.
// Promises: what is no file of ours, is somebody else's or is readable by others is no window; nothing follows a link; what
// another machine or container left in a folder that is shared is none here, where its port is somebody else's.
import { chmod, mkdir, readdir, unlink } from 'node:fs/promises';
import { join } from 'node:path';
import { type AnnouncedWindow, announcedWindow, type WindowDescriptor } from '../contract/windowDescriptor.ts';
import { isHere, readDescriptor, writeDescriptor } from '../core/config/descriptorFile.ts';
import {
  identityName,
  judge,
  type ProcessFacts,
  type ProcessIdentity,
  systemFacts,
} from '../core/config/processIdentity.ts';
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
  await writeDescriptor(await makeWindowsFolder(home), `${nameOf(window.process)}.json`, window);
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
      const window = await readDescriptor(path, announcedWindow, limits.windows.bytes);
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
function nameOf(owner: ProcessIdentity): string {
  return `window-${identityName(owner)}`;
}
