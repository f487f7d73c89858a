// Finds the file that a command names, the way the system would, except that folders which are not absolute are passed
// over: a file in the working directory must never stand in for a program. The result goes to spawn as it is.
import { access, constants, stat } from 'node:fs/promises';
import { posix, win32 } from 'node:path';

export type FoundCommand =
  | { readonly kind: 'found'; /** Absolute; links are not resolved. */ readonly path: string }
  | { readonly kind: 'notExecutable' | 'folder'; readonly path: string }
  | { readonly kind: 'notFound'; /** Folders, in order. */ readonly lookedIn: readonly string[] };

export interface FindCommandOptions {
  /** The environment of the child: PATH, and PATHEXT on Windows. */
  readonly env: Readonly<Record<string, string>>;
  /** Absolute; commands with a separator are relative to it. */
  readonly cwd: string;
  readonly platform: NodeJS.Platform;
  /** What a path is; by default the file system tells. */
  readonly kindOf?: (path: string) => Promise<PathKind>;
}

export type PathKind = 'executable' | 'file' | 'folder' | 'other';

export async function findCommand(command: string, options: FindCommandOptions): Promise<FoundCommand> {
  const { kindOf = kindOnDisk } = options;
  const { lookedIn, paths, written } = candidatePaths(command, options);
  const kinds = await Promise.all(paths.map(kindOf));
  const found = paths[kinds.indexOf('executable')];
  if (found !== undefined) return { kind: 'found', path: found };
  const file = paths[kinds.indexOf('file')];
  // On PATH a file that cannot be run is passed over silently by the system; it is still the likelier explanation.
  if (file !== undefined) return { kind: 'notExecutable', path: file };
  // Windows runs only files with an ending of PATHEXT; what has none may still be there.
  const kind = written === undefined ? 'other' : await kindOf(written);
  if (written === undefined || kind === 'other') return { kind: 'notFound', lookedIn };
  return { kind: kind === 'folder' ? 'folder' : 'notExecutable', path: written };
}

/** Where a command may be, best first. */
export function candidatePaths(
  command: string,
  { env, cwd, platform }: Pick<FindCommandOptions, 'env' | 'cwd' | 'platform'>,
): {
  readonly lookedIn: readonly string[];
  readonly paths: readonly string[];
  /** Where the command is a path: that path, with nothing added. */
  readonly written?: string;
} {
  const windows = platform === 'win32';
  const path = windows ? win32 : posix;
  const isPath = windows ? /[\\/:]/.test(command) : command.includes('/');
  const lookedIn = isPath
    ? [path.dirname(path.resolve(cwd, command))]
    : variable(env, 'PATH', windows)
        .split(path.delimiter)
        .map((folder) => (windows ? folder.replace(/^"(.*)"$/, '$1') : folder))
        .filter((folder, index, all) => path.isAbsolute(folder) && all.indexOf(folder) === index);
  const bases = isPath ? [path.resolve(cwd, command)] : lookedIn.map((folder) => path.join(folder, command));
  const written = isPath ? bases[0] : undefined;
  const where = written === undefined ? { lookedIn } : { lookedIn, written };
  if (!windows) return { ...where, paths: bases };
  const extensions = (variable(env, 'PATHEXT', true) || '.COM;.EXE;.BAT;.CMD').split(';').filter((part) => part !== '');
  const named = extensions.some((extension) => command.toLowerCase().endsWith(extension.toLowerCase()));
  return {
    ...where,
    paths: bases.flatMap((base) => (named ? [base] : extensions.map((extension) => base + extension))),
  };
}

function variable(env: Readonly<Record<string, string>>, name: string, windows: boolean): string {
  if (!windows) return env[name] ?? '';
  return Object.entries(env).find(([key]) => key.toUpperCase() === name)?.[1] ?? '';
}

async function kindOnDisk(path: string): Promise<PathKind> {
  try {
    const found = await stat(path);
    if (!found.isFile()) return found.isDirectory() ? 'folder' : 'other';
  } catch {
    return 'other';
  }
  return access(path, constants.X_OK).then(
    () => 'executable',
    () => 'file',
  );
}
