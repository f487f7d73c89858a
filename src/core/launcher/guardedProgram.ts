// Whether the launcher may name a program that it runs at any later time (GATE-5): nobody but the person and root can put
// another one in its place, now or when it is gone. Refuses what it cannot tell. A folder that a group may write to passes,
// as /Applications of macOS: what somebody else puts there belongs to them, and the launcher looks again before it runs it.
// Does not read access lists. Windows has no such owners and bits: there a program only has to be there.
import { accessSync, constants, lstatSync, realpathSync } from 'node:fs';
import { dirname } from 'node:path';

export interface GuardOptions {
  readonly platform: NodeJS.Platform;
  /** Tests bring their own; each throws where there is nothing. */
  readonly files?: GuardFiles;
}

export interface GuardFiles {
  /** The person's id; undefined where the system has none. */
  readonly own: number | undefined;
  real(path: string): string;
  /** Of the thing itself, links not followed. */
  stats(path: string): { readonly uid: number; readonly mode: number };
  /** Throws where it may not be run. */
  run(path: string): void;
}

/** Its path without links, which is the one to keep; undefined where it is not to be run. */
export function guardedProgram(path: string, { platform, files = diskFiles }: GuardOptions): string | undefined {
  try {
    if (platform === 'win32') {
      files.run(path);
      return path;
    }
    const real = files.real(path);
    files.run(real);
    const theirs = ({ uid }: { readonly uid: number }): boolean => uid !== 0 && uid !== files.own;
    const program = files.stats(real);
    if (theirs(program) || (program.mode & 0o022) !== 0) return undefined;
    for (let place = dirname(real); ; place = dirname(place)) {
      const folder = files.stats(place);
      // In a sticky folder nobody moves what is not theirs.
      if (theirs(folder) || ((folder.mode & 0o002) !== 0 && (folder.mode & 0o1000) === 0)) return undefined;
      if (place === dirname(place)) return real;
    }
  } catch {
    return undefined;
  }
}

const diskFiles: GuardFiles = {
  own: process.getuid?.(),
  real: (path) => realpathSync.native(path),
  stats: (path) => lstatSync(path),
  run: (path) => accessSync(path, constants.X_OK),
};
