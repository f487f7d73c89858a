// A folder in which the cases of launchCases.ts are real: programs, links, envFiles and a configuration file on disk. A
// case is launched as the product launches it, and what then runs is told by the kernel, not by the product.
import {
  copyFileSync,
  mkdirSync,
  readFileSync,
  readlinkSync,
  realpathSync,
  rmSync,
  symlinkSync,
  unlinkSync,
  writeFileSync,
} from 'node:fs';
import { join } from 'node:path';
import { systemClock } from '../../src/base/clock.ts';
import { projectConfigFile } from '../../src/core/config/configPaths.ts';
import type { ConfiguredServer } from '../../src/core/config/model.ts';
import { readConfigText } from '../../src/core/config/readConfigText.ts';
import type { LaunchFingerprint } from '../../src/core/transport/launch.ts';
import { markVariable } from '../../src/core/transport/environment.ts';
import { StdioTransport } from '../../src/core/transport/stdioTransport.ts';
import { systemProcessTable } from '../../src/core/transport/systemProcessTable.ts';
import { describeLaunch } from '../../src/core/trust/describeLaunch.ts';
import { commandFinder, type LaunchContext } from '../../src/core/trust/launchContext.ts';
import { resolveLaunch } from '../../src/core/trust/resolveLaunch.ts';
import { eventually } from './eventually.ts';
import type { Disk, LaunchCase } from './launchCases.ts';
import { patience } from './patience.ts';

/** What ran, as the kernel had it. Where a value came from the person it shows as that value, which nothing else holds. */
export interface Run {
  /** The file of the program, without links. */
  readonly program: string;
  readonly argv: readonly string[];
  /** All of its environment but our mark, sorted by name. */
  readonly env: Readonly<Record<string, string>>;
  readonly cwd: string;
  /** The bytes of the envFile, which TRUST-2 binds as they are. */
  readonly envFile: string | undefined;
  /** The bytes of the .npmrc that a launcher reads where it works. */
  readonly npmrc: string | undefined;
}

export interface Launched {
  readonly fingerprint: LaunchFingerprint;
  readonly run: Run;
}

export class LaunchLane {
  readonly #root: string;
  readonly #clock = systemClock();
  readonly #context: LaunchContext;
  readonly #inherited: { readonly base: Record<string, string>; readonly inherit: readonly string[] };
  #disk: Partial<Disk> = {};
  #text = '';

  /** `root` is an empty folder, by its real path. */
  constructor(root: string) {
    this.#root = root;
    const at = (...names: string[]): string => join(root, ...names);
    for (const folder of ['bin', 'first', 'work/.roundhouse', ...places]) mkdirSync(at(folder), { recursive: true });
    // Each is the system's shell, which waits for the end of its input: a native program, so that its whole argv shows.
    for (const name of ['program-1', 'program-2']) copyFileSync(realpathSync('/bin/sh'), at('bin', name));
    symlinkSync('program-1', at('bin', 'by-env'));
    symlinkSync('program-1', at('bin', 'npx'));
    symlinkSync('../bin', at('work', 'bin'));
    writeFileSync(at('work', 'by-env.env'), 'A=by-env\n');
    const base = { PATH: `${at('first')}:${at('bin')}` };
    this.#inherited = { base, inherit: [] };
    this.#context = {
      home: at('home'),
      workspaceFolder: at('work'),
      env: {
        ...{ A: '\u2039A\u203A', B: '\u2039B\u203A' },
        ...{ TOOL: at('bin', 'by-env'), DIR: at('work', 'by-env'), FILE: at('work', 'by-env.env') },
      },
      personalValues: {
        input: (id) => Promise.resolve(`\u2039input ${id}\u203A`),
        secret: (name) => Promise.resolve(`\u2039secret ${name}\u203A`),
      },
      findExecutable: commandFinder(this.#inherited),
    };
  }

  /** Makes a case real, launches it, and ends it. */
  async launch(of: LaunchCase): Promise<Launched> {
    this.#write(of.disk);
    const server = this.#define(of);
    const question = await describeLaunch(server, this.#context);
    const launch = await resolveLaunch(server, this.#context);
    const { fingerprint } = launch;
    if (launch.kind !== 'stdio' || fingerprint !== question.fingerprint) {
      throw new Error('the question is about another launch');
    }
    const transport = new StdioTransport(launch, {
      ...{ environment: this.#inherited, clock: this.#clock },
      // Each ends by itself and starts nothing: that it has ended is seen without a look at all processes.
      processTable: { ...systemProcessTable(), list: () => Promise.resolve([]) },
    });
    try {
      await transport.start();
      const pid = transport.pid ?? 0;
      // The kernel says that a program runs a moment before it shows what it was given: the environment is set last.
      await eventually(() => readFileSync(`/proc/${pid}/environ`).length > 0, patience, 'the environment');
      return { fingerprint, run: this.#seen(pid, of) };
    } finally {
      await transport.close();
    }
  }

  /** The text with the folder's place in it, as it stands in the file. */
  #placed(text: string): string {
    return text.replaceAll('LANE', this.#root);
  }

  #define({ scope: kind, entry }: LaunchCase): ConfiguredServer {
    const { command, args, env, envFile, cwd, idle } = entry;
    const written = {
      ...{ ...idle, command, args: [...waits, ...args], env },
      ...(envFile !== undefined && { envFile }),
      ...(cwd !== undefined && { cwd }),
    };
    const file = projectConfigFile(join(this.#root, 'work'));
    const text = this.#placed(JSON.stringify({ version: 3, mcpServers: { server: written } }));
    if (text !== this.#text) writeFileSync(file, text);
    this.#text = text;
    const scope =
      kind === 'user' ? ({ kind } as const) : ({ kind, folder: join(this.#root, 'work'), name: 'work' } as const);
    const reading = readConfigText(readFileSync(file, 'utf8'), { file, scope });
    const [server] = reading.kind === 'config' ? reading.servers : [];
    if (server === undefined) throw new Error(`the case is refused: ${JSON.stringify(reading)}`);
    return server;
  }

  #write(disk: Disk): void {
    const before = this.#disk;
    const at = (...names: string[]): string => join(this.#root, ...names);
    if (disk.tool !== before.tool) link(disk.tool, at('bin', 'tool'));
    if (disk.earlier !== before.earlier)
      link(disk.earlier === 'absent' ? undefined : `../bin/${disk.earlier}`, at('first', 'tool'));
    for (const place of places) {
      const up = place.includes('/') ? '../..' : '..';
      if (disk.run !== before.run) link(`${up}/bin/${disk.run}`, at(place, 'run'));
      if (disk.here !== before.here) link(`${up}/work/${disk.here}`, at(place, 'here'));
    }
    if (disk.more !== before.more) link(disk.more, at('work', 'more.env'));
    if (disk.env !== before.env) writeFileSync(at('work', '.env'), disk.env);
    if (disk.other !== before.other) writeFileSync(at('work', 'other.env'), disk.other);
    if (disk.npmrc !== before.npmrc) {
      if (disk.npmrc === '') rmSync(at('work', '.npmrc'), { force: true });
      else writeFileSync(at('work', '.npmrc'), disk.npmrc);
    }
    this.#disk = disk;
  }

  #seen(pid: number, { entry }: LaunchCase): Run {
    const listed = (name: string): string[] => readFileSync(`/proc/${pid}/${name}`, 'utf8').split('\0').slice(0, -1);
    const env = listed('environ').map((pair) => [pair.slice(0, pair.indexOf('=')), pair.slice(pair.indexOf('=') + 1)]);
    const work = join(this.#root, 'work');
    const cwd = readlinkSync(`/proc/${pid}/cwd`);
    const path = entry.envFile?.replace('${env:FILE}', 'by-env.env');
    return {
      program: readlinkSync(`/proc/${pid}/exe`),
      argv: listed('cmdline'),
      env: Object.fromEntries(env.filter(([name]) => name !== markVariable).sort()) as Record<string, string>,
      cwd,
      npmrc: entry.command.endsWith('npx') && cwd.startsWith(work) ? this.#disk.npmrc : undefined,
      envFile:
        path === undefined
          ? undefined
          : readFileSync(join(this.#root, 'work', path.replace(/^LANE\/work/, '.')), 'utf8'),
    };
  }
}

/** The folders that a case may work in: each has the links `run` and `here`. */
const places = ['work', 'home', 'work/sub', 'work/sub2', 'work/by-env'];

/** Arguments of the system's shell: it does nothing and ends with its input, whatever arguments follow. */
const waits = ['-c', 'read ended'];

function link(target: string | undefined, path: string): void {
  try {
    unlinkSync(path);
  } catch {
    // It was not there.
  }
  if (target !== undefined) symlinkSync(target, path);
}
