// Puts the command line and its launcher into the product's folder (GATE-5). Promises: what agents start has one path for
// ever, an update changes what is behind it in one step, two windows at once wait for each other, and an old build goes
// only when nobody uses it: not before the launcher has named another one for a while, so that whoever started the old
// one just now has left its mark.
import { chmod, lstat, mkdir, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { replaceFile } from '../config/configDisk.ts';
import { withFileLock } from '../config/fileLock.ts';
import { type ProcessFacts, systemFacts } from '../config/processIdentity.ts';
import { ManagerError } from '../errors.ts';
import { limits } from '../limits.ts';
import { systemDetail } from '../systemDetail.ts';
import { type BinPaths, binPaths } from './binPaths.ts';
import { manifestName, readManifest } from './buildManifest.ts';
import { guardedProgram } from './guardedProgram.ts';
import { installBuild } from './installBuild.ts';
import { launcherText } from './launcherText.ts';
import { ownFolder } from './ownFolder.ts';
import { removeBuilds } from './removeBuilds.ts';
import { readRuntimes, withRuntime, writtenRuntimes } from './runtimeList.ts';
import { textOrNothing, wholeFile } from './wholeFile.ts';

export interface InstallOptions {
  /** The product's folder. */
  readonly home: string;
  /** Holds the built command line, its chunks and the list of them. */
  readonly source: string;
  /** The program that runs us, which is Node when ELECTRON_RUN_AS_NODE is 1; undefined where it is not to be kept. */
  readonly runtime: string | undefined;
  readonly platform: NodeJS.Platform;
  /** For Windows: the environment, some of which stands for the beginning of paths. */
  readonly variables: Readonly<Record<string, string | undefined>>;
  readonly facts?: ProcessFacts;
  readonly signal?: AbortSignal;
}

export interface Installed {
  readonly launcher: string;
  /** The name of the build's folder. */
  readonly build: string;
}

/** Fails with ManagerError: `configLocked`, or `configWriteFailed` with what is wrong. */
export async function installLauncher(options: InstallOptions): Promise<Installed> {
  try {
    return await install(options);
  } catch (error) {
    if (error instanceof ManagerError || options.signal?.aborted === true) throw error;
    const { code, message } = error as NodeJS.ErrnoException;
    const detail = code === undefined ? message : systemDetail(error, { ENOENT: 'a file of the extension is missing' });
    throw new ManagerError('configWriteFailed', { file: binPaths(options.home, options.platform).folder, detail });
  }
}

async function install(options: InstallOptions): Promise<Installed> {
  const { home, source, platform, facts = systemFacts, signal } = options;
  const manifest = readManifest((await wholeFile(join(source, manifestName), limits.launcher.list)).toString('utf8'));
  const paths = binPaths(home, platform);
  await mkdir(home, { recursive: true, mode: 0o700 });
  if (platform !== 'win32' && ((await stat(home)).mode & 0o077) !== 0) await chmod(home, 0o700);
  await ownFolder(paths.folder);
  return withFileLock(
    join(paths.folder, lockName),
    async () => {
      const build = await installBuild(manifest, { folder: paths.folder, source });
      await writeLauncher(paths, build, options);
      const changed = (await lstat(paths.launcher)).mtimeMs;
      // Also where the time of day was set back.
      if (Math.abs(Date.now() - changed) > limits.launcher.settle) await removeBuilds(paths.folder, build, facts);
      return { launcher: paths.launcher, build };
    },
    { facts, signal },
  );
}

/** `<name>.lock` beside the builds. */
export const lockName = 'install';

async function writeLauncher(paths: BinPaths, build: string, options: InstallOptions): Promise<void> {
  const { platform, runtime, variables } = options;
  const known = readRuntimes(await textOrNothing(paths.runtimes, limits.launcher.list));
  const own = runtime === undefined ? undefined : guardedProgram(runtime, { platform });
  const isThere = (path: string): boolean => guardedProgram(path, { platform }) === path;
  const runtimes = withRuntime(known, own, { platform, isThere });
  await writeWhereOther(paths.runtimes, writtenRuntimes(runtimes), 0o600);
  const text = launcherText({ folder: paths.folder, build, runtimes, variables }, platform);
  await writeWhereOther(paths.launcher, text, 0o700);
}

async function writeWhereOther(path: string, text: string, mode: number): Promise<void> {
  if ((await textOrNothing(path, limits.launcher.list)) !== text) {
    await replaceFile(path, text, mode);
  } else if (((await lstat(path)).mode & 0o777) !== mode) {
    await chmod(path, mode);
  }
}
