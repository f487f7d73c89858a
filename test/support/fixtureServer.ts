// Starts the fixture servers of fixtures/servers, by the name of their behaviour, and reads what they recorded.
import { spawn, spawnSync, type ChildProcess } from 'node:child_process';
import { randomUUID } from 'node:crypto';
import { once } from 'node:events';
import { existsSync, mkdtempSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { fileURLToPath } from 'node:url';
import { patience } from './patience.ts';
import { withDeadline } from './withDeadline.ts';

const root = fileURLToPath(new URL('../..', import.meta.url));
const program = join(root, 'out', 'fixtures', 'server.js');
const sources = join(root, 'fixtures', 'servers');

export type Overrides = Readonly<Record<string, unknown>>;

export interface FixtureCommand {
  readonly command: string;
  readonly args: string[];
}

/**
 * The command line of a fixture on stdio. `overrides` are merged into the behaviour (arrays replace).
 * `log` makes it record into that file; FIXTURE_LOG in its environment does the same.
 */
export function fixtureCommand(name: string, overrides?: Overrides, log?: FixtureLog): FixtureCommand {
  buildFixtures();
  return {
    command: process.execPath,
    args: [
      program,
      join(sources, 'behaviours', `${name}.json`),
      ...(overrides === undefined ? [] : ['--set', JSON.stringify(overrides)]),
      ...(log === undefined ? [] : ['--log', log.file]),
    ],
  };
}

/** One line of a fixture's log; fixtures/servers/README.md lists the events and their fields. */
export interface FixtureEvent {
  readonly event: string;
  readonly pid: number;
  readonly at: number;
  readonly [field: string]: unknown;
}

export interface FixtureLog {
  readonly file: string;
  /** A folder of this log alone, for marker files and the like. */
  readonly folder: string;
  /** All events so far, of all processes that wrote here; of one kind when `event` is given. */
  events(event?: string): FixtureEvent[];
  /** How often a tool's body has run. */
  runs(tool: string): number;
  /** How often a method was asked (requests and notifications). */
  asked(method: string): number;
  /** What holds up calls of the tool `slow` with these `args` until it is opened. */
  gate(): { readonly args: { readonly until: string }; open(): void };
  dispose(): void;
}

/** A log in a temporary folder of its own; `dispose` removes both. */
export function fixtureLog(): FixtureLog {
  const folder = mkdtempSync(join(tmpdir(), 'fixture-'));
  const file = join(folder, 'log.jsonl');
  const events = (event?: string): FixtureEvent[] => {
    if (!existsSync(file)) return [];
    const lines = readFileSync(file, 'utf8').split('\n').slice(0, -1);
    const all = lines.map((line) => JSON.parse(line) as FixtureEvent);
    return event === undefined ? all : all.filter((each) => each.event === event);
  };
  return {
    file,
    folder,
    events,
    runs: (tool) => events('tool').filter((each) => each['name'] === tool).length,
    asked: (method) => events().filter((each) => each['method'] === method && each.event !== 'http').length,
    gate: () => {
      const until = join(folder, randomUUID());
      return { args: { until }, open: () => writeFileSync(until, '') };
    },
    // A server that is just ending may still write.
    dispose: () => rmSync(folder, { recursive: true, force: true, maxRetries: 10 }),
  };
}

export interface HttpFixture {
  /** The Streamable HTTP endpoint (in SSE mode the event stream). */
  readonly url: string;
  /** The legacy event stream. */
  readonly sseUrl: string;
  /** The origin of the server, and of its second listener, which stands for another origin. */
  readonly origin: string;
  readonly otherOrigin: string;
  readonly pid: number;
  readonly log: FixtureLog;
  /** `forgetSessions`, `dropStreams`, or `change` with a change as in a rule. */
  control(action: 'forgetSessions' | 'dropStreams' | 'change', body?: Overrides): Promise<void>;
  stop(): Promise<void>;
}

/** Starts a fixture on a port that the system chooses. It ends with `stop()`, or with the process that started it. */
export async function startHttpFixture(name: string, overrides?: Overrides): Promise<HttpFixture> {
  const log = fixtureLog();
  const { command, args } = fixtureCommand(name, overrides, log);
  const child = spawn(command, [...args, '--http', '0', '--with-parent'], { stdio: ['pipe', 'pipe', 'pipe'] });
  const errors: string[] = [];
  child.stderr.on('data', (chunk: Buffer) => errors.push(chunk.toString()));
  const address = await withDeadline(firstLine(child), patience, `fixture ${name} to listen`).catch(
    (cause: unknown) => {
      child.kill('SIGKILL');
      log.dispose();
      throw new Error(`fixture ${name} did not start: ${errors.join('')}`, { cause });
    },
  );
  const stop = async () => {
    if (child.exitCode === null && child.signalCode === null) {
      const gone = once(child, 'exit');
      child.stdin.end();
      const timer = setTimeout(() => child.kill('SIGKILL'), 1_000);
      await gone;
      clearTimeout(timer);
    }
    log.dispose();
  };
  return {
    ...address,
    log,
    stop,
    control: async (action, body = {}) => {
      const answer = await fetch(`${address.origin}/control/${action}`, { method: 'POST', body: JSON.stringify(body) });
      if (!answer.ok) throw new Error(`control ${action}: ${await answer.text()}`);
    },
  };
}

/** Builds out/fixtures when it is missing or older than its sources; once a process. */
export function buildFixtures(): void {
  if (built) return;
  const newest = Math.max(...sourceFiles().map((file) => statSync(file).mtimeMs));
  if (!existsSync(program) || statSync(program).mtimeMs < newest) {
    const made = spawnSync(process.execPath, ['esbuild.mjs', '--fixtures'], { cwd: root, encoding: 'utf8' });
    if (made.status !== 0) throw new Error(`the fixtures could not be built:\n${made.stderr}`);
  }
  built = true;
}

let built = false;

function sourceFiles(): string[] {
  const inside = readdirSync(sources, { recursive: true, encoding: 'utf8' }).filter((file) => file.endsWith('.ts'));
  return [join(root, 'esbuild.mjs'), ...inside.map((file) => join(sources, file))];
}

type Address = Pick<HttpFixture, 'url' | 'sseUrl' | 'origin' | 'otherOrigin' | 'pid'>;

async function firstLine(child: ChildProcess): Promise<Address> {
  const { stdout } = child;
  if (stdout === null) throw new Error('no stdout');
  for await (const line of createInterface({ input: stdout })) return JSON.parse(line) as Address;
  throw new Error('it ended without an address');
}
