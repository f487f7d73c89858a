// Whether the program of this editor will be where it is when an agent starts the launcher, days from now (GATE-5). Pure. An
// AppImage runs from a folder that is mounted anew for each start, and what lies among temporary files is gone some day:
// then anybody of this machine could put a program there.
import { posix, win32 } from 'node:path';

export interface LastingOptions {
  readonly platform: NodeJS.Platform;
  readonly variables: Readonly<Record<string, string | undefined>>;
  /** The folders of temporary files here, besides the usual ones. */
  readonly temporary: readonly string[];
}

export function isLastingRuntime(path: string, { platform, variables, temporary }: LastingOptions): boolean {
  if ((variables['APPIMAGE'] ?? '') !== '') return false;
  const paths = platform === 'win32' ? win32 : posix;
  const written = (text: string): string => {
    const normal = paths.normalize(text);
    return platform === 'win32' ? normal.toLowerCase() : normal;
  };
  const usual = platform === 'win32' ? [] : usualFolders;
  return ![...temporary, ...usual].some((folder) => {
    const start = written(folder);
    return written(path).startsWith(start.endsWith(paths.sep) ? start : `${start}${paths.sep}`);
  });
}

/** Those of macOS by both of their names. */
const usualFolders = [
  '/tmp',
  '/var/tmp',
  '/dev/shm',
  '/var/folders',
  '/private/tmp',
  '/private/var/tmp',
  '/private/var/folders',
];
