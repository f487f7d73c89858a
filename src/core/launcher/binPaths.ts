// Where the copied command line and its launcher stand in the product's folder. Pure; for the paths of any platform.
import { posix, win32 } from 'node:path';

/** `home` is the product's folder, `~/.mcp-roundhouse`. */
export function binPaths(home: string, platform: NodeJS.Platform): BinPaths {
  const windows = platform === 'win32';
  const path = windows ? win32 : posix;
  const folder = path.join(home, 'bin');
  return {
    folder,
    launcher: path.join(folder, windows ? `${launcherName}.cmd` : launcherName),
    runtimes: path.join(folder, 'runtimes.json'),
  };
}

export interface BinPaths {
  /** Holds the launcher and one folder for each build. */
  readonly folder: string;
  /** What agents start; its path never changes. */
  readonly launcher: string;
  /** The programs of editors that it tries. */
  readonly runtimes: string;
}

/** Without the ending that it has on Windows. */
export const launcherName = 'mcp-roundhouse';
/** The program of a build. */
export const program = 'cli.js';
/** In the folder of a build: a file for each process that runs it. */
export const usedFolder = 'used';
