// Runs the built command line as a person does: a process of its own, with a home folder that marks all it starts.
import { spawn, type ChildProcessByStdio, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import {
  closeSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  openSync,
  readdirSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Readable, Writable } from 'node:stream';
import { fileURLToPath } from 'node:url';
import { eventually } from './eventually.ts';
import { patience } from './patience.ts';
import { hasProcessTable, type ProcessEntry, processesWithEnvironment } from './processTable.ts';
import { withDeadline } from './withDeadline.ts';

const root = fileURLToPath(new URL('../..', import.meta.url));
const program = join(root, 'out', 'cli', 'cli.js');
/**
 * Under `npm run coverage` the sources run instead, as nothing true can be told of the parts of a bundle. They have no
 * thread that checks schemas: it is given no loader.
 */
export const runsFromSources = process.env['NODE_V8_COVERAGE'] !== undefined;
const start = runsFromSources ? ['--import', import.meta.resolve('tsx'), join(root, 'src/cli/main.ts')] : [program];

export interface Ended {
  readonly code: number | null;
  readonly out: string;
  readonly err: string;
}

export interface Started {
  readonly child: ChildProcessByStdio<Writable, Readable, Readable>;
  /** What was written so far. */
  readonly written: { readonly out: string; readonly err: string };
  readonly ended: Promise<Ended>;
}

export interface StartOptions {
  readonly env?: Readonly<Record<string, string>>;
  /** Another file than `configFile`. */
  readonly file?: string;
}

export interface CommandLine {
  /** The configuration file of this folder. */
  readonly configFile: string;
  readonly folder: string;
  configure(servers: Readonly<Record<string, unknown>>): void;
  /** The text of the configuration as it is. */
  write(text: string): void;
  start(args: readonly string[], options?: StartOptions): Started;
  /** Runs to the end, with `--config-file` added; `input` is its stdin. */
  run(args: readonly string[], options?: StartOptions & { input?: string }): Promise<Ended>;
  /** Runs with stdout on a device that is always full (Linux). */
  toFullDisk(args: readonly string[]): Promise<Ended>;
  /** Runs in a working directory that was removed; the arguments are taken as they are. Not on Windows. */
  inRemovedFolder(args: readonly string[]): Promise<Ended>;
  /** Processes that this command line or its servers left, waited for a short while. */
  leftovers(): Promise<readonly ProcessEntry[]>;
  dispose(): Promise<void>;
}

export function commandLine(): CommandLine {
  buildCommandLine();
  const folder = mkdtempSync(join(tmpdir(), 'roundhouse-cli-'));
  const home = join(folder, 'home');
  mkdirSync(home);
  const configFile = join(folder, 'mcp.json');
  const running = new Set<Started>();
  const self: CommandLine = {
    configFile,
    folder,
    configure: (servers) => self.write(JSON.stringify({ version: 3, mcpServers: servers })),
    write: (text) => writeFileSync(configFile, text),
    start: (args, { env = {}, file = configFile } = {}) => {
      const child = spawn(process.execPath, [...start, ...args, '--config-file', file], {
        cwd: folder,
        env: { PATH: process.env['PATH'], HOME: home, ...env },
        stdio: ['pipe', 'pipe', 'pipe'],
      });
      const written = { out: '', err: '' };
      child.stdout.setEncoding('utf8').on('data', (text: string) => (written.out += text));
      child.stderr.setEncoding('utf8').on('data', (text: string) => (written.err += text));
      child.stdin.on('error', () => undefined); // It may end without reading.
      const ended = once(child, 'close').then(([code]) => ({ code: code as number | null, ...written }));
      const started = { child, written, ended };
      running.add(started);
      void ended.then(() => running.delete(started));
      return started;
    },
    run: (args, options = {}) => {
      const { child, ended } = self.start(args, options);
      child.stdin.end(options.input ?? '');
      return withDeadline(ended, patience, `mcp-roundhouse ${args.join(' ')}`);
    },
    toFullDisk: (args) => {
      const full = openSync('/dev/full', 'w');
      const child = spawn(process.execPath, [...start, ...args, '--config-file', configFile], {
        cwd: folder,
        env: { PATH: process.env['PATH'], HOME: home },
        stdio: ['ignore', full, 'pipe'],
      });
      closeSync(full);
      let err = '';
      child.stderr?.setEncoding('utf8').on('data', (text: string) => (err += text));
      const ended = once(child, 'close').then(([code]) => ({ code: code as number | null, out: '', err }));
      return withDeadline(ended, patience, 'mcp-roundhouse to a full disk');
    },
    inRemovedFolder: (args) => {
      const gone = mkdtempSync(join(tmpdir(), 'gone-'));
      const argv = [process.execPath, ...start, ...args].map((arg) => `'${arg.replaceAll("'", "'\\''")}'`).join(' ');
      const child = spawn('sh', ['-c', `cd '${gone}' && rmdir '${gone}' && exec ${argv}`], {
        env: { PATH: process.env['PATH'], HOME: home },
        stdio: ['ignore', 'pipe', 'pipe'],
      });
      const written = { out: '', err: '' };
      child.stdout.setEncoding('utf8').on('data', (text: string) => (written.out += text));
      child.stderr.setEncoding('utf8').on('data', (text: string) => (written.err += text));
      const ended = once(child, 'close').then(([code]) => ({ code: code as number | null, ...written }));
      return withDeadline(ended, patience, 'mcp-roundhouse in a folder that is gone');
    },
    leftovers: async () => {
      if (!hasProcessTable) return [];
      const found = (): readonly ProcessEntry[] => processesWithEnvironment('HOME', home);
      await eventually(() => found().length === 0, 2_000).catch(() => undefined);
      return found();
    },
    dispose: async () => {
      for (const { child } of running) child.kill('SIGTERM');
      await Promise.all([...running].map(({ ended }) => ended));
      for (const { pid } of hasProcessTable ? processesWithEnvironment('HOME', home) : []) process.kill(pid, 'SIGKILL');
      rmSync(folder, { recursive: true, force: true });
    },
  };
  return self;
}

/** The built program, which is what `npm run build` makes as dist/cli.js. */
export function builtProgram(): string {
  buildCommandLine();
  return program;
}

/** Builds out/cli when it is missing or older than its sources; once a process. */
function buildCommandLine(): void {
  if (built) return;
  const sources = ['base', 'contract', 'core', 'gateway', 'keeper', 'cli'].flatMap((name) =>
    filesBelow(join(root, 'src', name)),
  );
  const newest = Math.max(...[...sources, join(root, 'esbuild.mjs')].map((file) => statSync(file).mtimeMs));
  if (!existsSync(program) || statSync(program).mtimeMs < newest) {
    const made = spawnSync(process.execPath, ['esbuild.mjs', '--cli'], { cwd: root, encoding: 'utf8' });
    if (made.status !== 0) throw new Error(`the command line could not be built:\n${made.stderr}`);
  }
  built = true;
}

let built = false;

function filesBelow(folder: string): string[] {
  const inside = readdirSync(folder, { recursive: true, encoding: 'utf8' });
  return inside.filter((file) => file.endsWith('.ts')).map((file) => join(folder, file));
}
