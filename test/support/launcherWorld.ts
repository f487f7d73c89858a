// Installs the built command line as a window does, into a home of its own, and starts its launcher with sh.
import { spawn, type ChildProcessWithoutNullStreams } from 'node:child_process';
import { createHash } from 'node:crypto';
import { once } from 'node:events';
import { chmod, cp, mkdir, readFile, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { binPaths } from '../../src/core/launcher/binPaths.ts';
import { type BuildManifest, manifestName, readManifest } from '../../src/core/launcher/buildManifest.ts';
import { type Installed, installLauncher, type InstallOptions } from '../../src/core/launcher/installLauncher.ts';
import { builtProgram } from './commandLine.ts';
import { patience } from './patience.ts';
import { temporaryFolder } from './temporaryFolder.ts';
import { withDeadline } from './withDeadline.ts';

/** What a shell, a batch file or a URL could stumble over. */
const awkward = 'it\'s "a" $HOME `b` %x% !y! ü';

export interface LaunchResult {
  readonly code: number | null;
  readonly signal: NodeJS.Signals | null;
  readonly out: string;
  readonly err: string;
}

export interface LauncherWorld {
  /** The product's folder, by a path with all that is awkward in it. */
  readonly home: string;
  /** A folder beside it. */
  readonly folder: string;
  readonly bin: ReturnType<typeof binPaths>;
  /** A build with a version of its own; the same one again for the same version. */
  source(version: string): Promise<string>;
  install(version: string, options?: Partial<InstallOptions>): Promise<Installed>;
  start(args: readonly string[], options?: StartOptions): ChildProcessWithoutNullStreams;
  run(args: readonly string[], options?: StartOptions): Promise<LaunchResult>;
  /** A file that sh runs. */
  script(path: string, text: string): Promise<string>;
  dispose(): Promise<void>;
}

export interface StartOptions {
  readonly env?: Readonly<Record<string, string>>;
  readonly cwd?: string;
  /** Another path to it. */
  readonly launcher?: string;
}

export async function launcherWorld(): Promise<LauncherWorld> {
  const root = await temporaryFolder();
  const folder = join(root.path, awkward);
  const home = join(folder, '.mcp-roundhouse');
  await mkdir(folder);
  const bin = binPaths(home, 'linux');
  const sources = new Map<string, Promise<string>>();
  const running = new Set<ChildProcessWithoutNullStreams>();
  const world: LauncherWorld = {
    home,
    folder,
    bin,
    source: (version) => {
      const made = sources.get(version) ?? makeSource(join(folder, `extension ${version}`), version);
      sources.set(version, made);
      return made;
    },
    install: async (version, options = {}) =>
      installLauncher({
        home,
        source: await world.source(version),
        runtime: process.execPath,
        platform: 'linux',
        variables: {},
        ...options,
      }),
    start: (args, { env = {}, cwd = folder, launcher = bin.launcher } = {}) => {
      const child = spawn(launcher, [...args], { cwd, env: { PATH: process.env['PATH'], HOME: folder, ...env } });
      running.add(child);
      child.once('close', () => running.delete(child));
      child.stdin.on('error', () => undefined); // It may end without reading.
      return child;
    },
    run: async (args, options) => {
      const child = world.start(args, options);
      const read = { out: '', err: '' };
      child.stdout.setEncoding('utf8').on('data', (text: string) => (read.out += text));
      child.stderr.setEncoding('utf8').on('data', (text: string) => (read.err += text));
      child.stdin.end();
      const [code, signal] = (await withDeadline(once(child, 'close'), patience, 'the launcher')) as [
        number | null,
        NodeJS.Signals | null,
      ];
      return { code, signal, ...read };
    },
    script: async (path, text) => {
      await mkdir(dirname(path), { recursive: true });
      await writeFile(path, `#!/bin/sh\n${text}\n`);
      await chmod(path, 0o700);
      return path;
    },
    dispose: async () => {
      const ends = [...running].map((child) => {
        child.kill('SIGKILL');
        return once(child, 'close');
      });
      await Promise.all(ends);
      await root.remove();
    },
  };
  return world;
}

/** What an extension of this version holds: the built program, with the version written into one of its files. */
async function makeSource(folder: string, version: string): Promise<string> {
  const built = dirname(builtProgram());
  const manifest = readManifest(await readFile(join(built, manifestName), 'utf8'));
  for (const { path } of manifest.files) await cp(join(built, path), join(folder, path));
  const program = join(folder, 'cli.js');
  await writeFile(program, `${await readFile(program, 'utf8')}\n// ${version}\n`);
  await writeManifest(folder, { ...manifest, version });
  return folder;
}

/** Writes down the files as they are now. */
export async function writeManifest(folder: string, manifest: BuildManifest): Promise<void> {
  const files = manifest.files.map(async ({ path }) => {
    const content = await readFile(join(folder, path));
    return { path, bytes: content.length, sha256: createHash('sha256').update(content).digest('hex') };
  });
  await writeFile(join(folder, manifestName), JSON.stringify({ ...manifest, files: await Promise.all(files) }));
}
