// What resolving a launch needs from outside: the person's places and values, the environment, files, and a look-up of
// commands. Whoever builds one has already decided that the server may be looked at (product TRUST-1).
import { constants } from 'node:fs';
import { open, realpath } from 'node:fs/promises';
import type { BoundValues, PersonalValues } from '../ports.ts';
import { childEnvironment, defaultInherit, type InheritedEnvironment } from '../transport/environment.ts';
import { findCommand } from '../transport/findCommand.ts';

export interface LaunchContext {
  /** The person's home directory, for `${userHome}`. */
  readonly home: string;
  /** The folder that a person's own server works in; a project's server works in the folder that defines it. */
  readonly workspaceFolder?: string | undefined;
  /**
   * The folders of a workspace that is not trusted, in place of `workspaceFolder`: no server of the person's works in
   * one of them, since what lies there could change what it loads (TRUST-1). Absent in a trusted workspace.
   */
  readonly untrustedFolders?: readonly string[] | undefined;
  /** Where `${env:NAME}` is looked up. */
  readonly env: Readonly<Record<string, string | undefined>>;
  readonly personalValues: PersonalValues;
  /** What the person keeps for servers of projects (TRUST-6). Absent where nothing can be kept. */
  readonly boundValues?: BoundValues;
  /** Whether a finished URL may be reached at all (TRUST-7). */
  readonly mayReach?: ((url: string) => boolean) | undefined;
  /** Ends the resolving: nobody waits for it any more. */
  readonly signal?: AbortSignal | undefined;
  /** Whether a person waits for this launch, and may be asked for values; by default one does. */
  readonly mayAsk?: (() => boolean) | undefined;
  /** By default the machine's own. */
  readonly files?: LaunchFiles;
  readonly findExecutable?: FindExecutable;
  readonly platform?: NodeJS.Platform;
}

/** The absolute path of the file that a command names, or undefined. `env` are the entry's own variables. */
export type FindExecutable = (
  command: string,
  options: { readonly cwd: string; readonly env: Readonly<Record<string, string>> },
) => Promise<string | undefined>;

export interface LaunchFiles {
  /** Reads an ordinary file of at most `limit` bytes; fails on anything else, with a RangeError on a larger one. */
  readFile(path: string, limit: number): Promise<Uint8Array>;
  /** The path without links; the path itself where it does not exist. */
  realPath(path: string): Promise<string>;
}

export const launchFiles: LaunchFiles = {
  async readFile(path, limit) {
    // Without O_NONBLOCK (absent on Windows) a pipe in the file's place would be waited for.
    const { O_NONBLOCK = 0 } = constants as Partial<typeof constants>;
    const handle = await open(path, constants.O_RDONLY | O_NONBLOCK);
    try {
      if (!(await handle.stat()).isFile()) throw new Error('it is no ordinary file');
      const buffer = Buffer.alloc(limit + 1);
      let length = 0;
      for (let bytesRead = -1; bytesRead !== 0 && length <= limit; length += bytesRead) {
        ({ bytesRead } = await handle.read(buffer, length, buffer.length - length, length));
      }
      if (length > limit) throw new RangeError(`it is larger than ${limit / 1024} KiB`);
      return buffer.subarray(0, length);
    } finally {
      await handle.close();
    }
  },
  realPath: (path) => realpath(path).catch(() => path),
};

/** Looks a command up as a server that inherits this would find it; by default one of this process. */
export function commandFinder(
  inherited: InheritedEnvironment = { base: process.env, inherit: defaultInherit },
): FindExecutable {
  const { platform } = process;
  return async (command, { cwd, env: own }) => {
    const env = childEnvironment({ inherited, own, mark: undefined, platform });
    const found = await findCommand(command, { env, cwd, platform });
    return found.kind === 'found' ? found.path : undefined;
  };
}
