// Starts the process of a stdio server, or says exactly why it cannot be started: working directory, command, or the
// system's own reason. Where the launch names its executable, that very file is started and nothing is searched for
// (TRUST-2). No shell takes part; on Windows a batch file goes through cmd.exe with its arguments quoted, and what
// cannot be quoted there is refused.
import type { ChildProcessWithoutNullStreams } from 'node:child_process';
import { stat } from 'node:fs/promises';
import { win32 } from 'node:path';
import spawn from 'cross-spawn';
import { ManagerError } from '../errors.ts';
import { commandFailure } from './commandFailure.ts';
import { findCommand } from './findCommand.ts';
import type { StdioLaunch } from './launch.ts';

export interface SpawnOptions {
  /** The whole environment of the child. */
  readonly env: Readonly<Record<string, string>>;
  readonly platform: NodeJS.Platform;
  /** Called right before the process starts; throws to prevent it. */
  readonly beforeSpawn: () => void;
}

/** Fails with a ManagerError: workingDirectoryMissing, those of commandFailure, spawnFailed or blockedApproval. */
export async function spawnServer(launch: StdioLaunch, options: SpawnOptions): Promise<ChildProcessWithoutNullStreams> {
  const { id: server, cwd, command, args, executable } = launch;
  const { env, platform } = options;
  const [folder, found] = await Promise.all([
    isFolder(cwd),
    findCommand(executable ?? command, { env, cwd, platform }),
  ]);
  // A missing folder shows as a missing command in the system's error, so it is told first.
  if (!folder) throw new ManagerError('workingDirectoryMissing', { server, cwd });
  if (found.kind !== 'found') throw commandFailure(found, { server, command: executable ?? command });
  if (launch.bound === true && executable === undefined) throw new ManagerError('blockedApproval', { server });
  const refused = batchRefusal(found.path, args, platform);
  if (refused !== undefined) throw new ManagerError('spawnFailed', { server, detail: refused });
  options.beforeSpawn();
  return started(launch, found.path, options);
}

/**
 * Why cmd.exe cannot take a batch file with these arguments literally; undefined where it can, or where it takes no part.
 * cmd.exe reads the arguments at least twice: in our line, and where the file hands `%*` on. Each stands in quotes, in
 * which & | < > ^ and brackets are letters however often they are read. So what may not be in one is what ends the
 * quotes, a quotation mark or a line end, and what is expanded inside of them, % and !; nor two backslashes at the end,
 * of which cross-spawn doubles one only, so that a program takes the quotes for a letter. The path of the file is read
 * again too (`SET dp0=%~dp0`), there without quotes, by shims that npm made.
 */
export function batchRefusal(file: string, args: readonly string[], platform: NodeJS.Platform): string | undefined {
  if (platform !== 'win32' || /^\.(?:exe|com)$/i.test(win32.extname(file))) return undefined;
  const name = win32.basename(file);
  if (/[%!&^"\r\n]/.test(file)) {
    return `the path of the batch file ${name} holds %, !, & or ^, which cmd.exe cannot take literally: move or rename its folder, or name the program itself`;
  }
  const index = args.findIndex((arg) => /[%!"\r\n]|\\\\$/.test(arg));
  if (index < 0) return undefined;
  return `argument ${index + 1} holds %, !, a quotation mark or a line end, or ends with two backslashes, which the batch file ${name} cannot take literally: write it into a file or into env, or name the program itself`;
}

function started(launch: StdioLaunch, file: string, options: SpawnOptions): Promise<ChildProcessWithoutNullStreams> {
  return new Promise((resolve, reject) => {
    const fail = (error: unknown): void => reject(spawnFailure(error, launch, file));
    try {
      const child = spawn(file, [...launch.args], {
        cwd: launch.cwd,
        env: options.env,
        stdio: ['pipe', 'pipe', 'pipe'],
        shell: false,
        // The name of a link tells some programs what to be or where their home is. Windows has no such links, and
        // cmd.exe would take the name for its own.
        ...(launch.calledAs === undefined || options.platform === 'win32' ? {} : { argv0: launch.calledAs }),
        windowsHide: true,
        // A process group and session of its own, led by the child (CONN-7).
        detached: options.platform !== 'win32',
      }) as ChildProcessWithoutNullStreams;
      child.once('error', fail);
      child.once('spawn', () => {
        child.off('error', fail);
        resolve(child);
      });
    } catch (error) {
      fail(error);
    }
  });
}

function spawnFailure(error: unknown, { id: server, cwd }: StdioLaunch, file: string): ManagerError {
  const code = error instanceof Error && 'code' in error ? String(error.code) : '';
  const details: Readonly<Record<string, string>> = {
    ENOENT: `${file} names an interpreter or a loader that does not exist`,
    ENOEXEC: `${file} is no program of this system`,
    EACCES: `${file} may not be run from ${cwd}`,
    E2BIG: 'its arguments and variables are too long',
    EMFILE: 'too many files are open',
    EAGAIN: 'too many processes run',
    ENOMEM: 'there is not enough memory',
  };
  const detail = details[code] ?? (code === '' ? 'the system refused' : `the system refused with ${code}`);
  // The system's error is not kept as the cause: it holds the arguments.
  return new ManagerError('spawnFailed', { server, detail });
}

async function isFolder(path: string): Promise<boolean> {
  try {
    return (await stat(path)).isDirectory();
  } catch {
    return false;
  }
}
