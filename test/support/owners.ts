// Owners of servers that a test kills, and what is left of them: by a variable that each process of one owner has.
import { type ChildProcessByStdio, spawn } from 'node:child_process';
import { randomUUID } from 'node:crypto';
import { once } from 'node:events';
import { join } from 'node:path';
import type { Readable, Writable } from 'node:stream';
import { builtProgram } from './commandLine.ts';
import { bundledProgram } from './configProcesses.ts';
import { eventually } from './eventually.ts';
import { patience } from './patience.ts';
import { findProcess, type ProcessEntry, processesWithEnvironment } from './processTable.ts';

export interface Command {
  readonly command: string;
  readonly args: readonly string[];
}

interface Said {
  readonly guard?: number;
  readonly again?: true;
  readonly failure?: string;
  readonly servers?: readonly number[];
  readonly logged?: string;
}

export interface Owner {
  readonly child: ChildProcessByStdio<Writable, Readable, null>;
  readonly pid: number;
  readonly guard: number;
  readonly failure: string;
  readonly servers: readonly number[];
  readonly said: readonly Said[];
  /** Every process with this owner's variable but the owner. */
  left(): ProcessEntry[];
  kill(signal?: NodeJS.Signals): Promise<void>;
}

export interface StartOwner {
  readonly home: string;
  readonly commands: readonly Command[];
  readonly shell?: string;
  /** Leads a process group. */
  readonly detached?: boolean;
  readonly env?: Readonly<Record<string, string>>;
}

/** The guard as it is built. */
export function guardProgram(): string {
  return join(builtProgram(), '..', 'guard.js');
}

export interface Owners {
  readonly start: (options: StartOwner) => Promise<Owner>;
  /** Ends whatever a test that failed has left. */
  dispose(): void;
}

export async function ownersIn(folder: string): Promise<Owners> {
  const program = await bundledProgram(folder, 'ownerProcess');
  const runs: string[] = [];
  const start: Owners['start'] = async ({ home, commands, shell, detached = false, env = {} }) => {
    const run = randomUUID();
    runs.push(run);
    const args = [program, home, guardProgram(), JSON.stringify(commands), ...(shell === undefined ? [] : [shell])];
    const child = spawn(process.execPath, args, {
      env: { PATH: process.env['PATH'], OWNED_RUN: run, ...env },
      stdio: ['pipe', 'pipe', 'inherit'],
      detached,
    });
    child.stdin.on('error', () => undefined);
    const said: Said[] = [];
    let text = '';
    child.stdout.setEncoding('utf8').on('data', (piece: string) => {
      const lines = (text + piece).split('\n');
      text = lines.pop() ?? '';
      said.push(...lines.map((line) => JSON.parse(line) as Said));
    });
    const ended = once(child, 'exit');
    const first = await eventually(() => said.find(({ servers }) => servers !== undefined));
    const pid = child.pid ?? 0;
    return {
      child,
      pid,
      guard: first.guard ?? 0,
      failure: first.failure ?? '',
      servers: first.servers ?? [],
      said,
      left: () => processesWithEnvironment('OWNED_RUN', run).filter((entry) => entry.pid !== pid),
      kill: async (signal = 'SIGKILL') => {
        child.kill(signal);
        await ended;
      },
    };
  };
  return {
    start,
    dispose: () => {
      const left = runs.flatMap((run) => processesWithEnvironment('OWNED_RUN', run));
      for (const { pid } of left) process.kill(pid, 'SIGKILL');
    },
  };
}

export async function isGone(pid: number): Promise<void> {
  await eventually(() => findProcess(pid) === undefined, patience, `the end of ${pid}`);
}
