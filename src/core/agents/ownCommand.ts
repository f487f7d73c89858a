// An agent's own command that adds or removes a server, where that is its supported way: it knows its file better than we
// do, and its running sessions see it. It runs without a shell, with a server's environment, in the home directory, for a
// bounded time; what it prints is bounded. The caller looks at the file afterwards: nothing is believed.
import { spawn } from 'node:child_process';
import { ManagerError } from '../errors.ts';
import { limits } from '../limits.ts';
import { childEnvironment, type InheritedEnvironment } from '../transport/environment.ts';
import { findCommand } from '../transport/findCommand.ts';
import { agentKey, type AgentEntry } from '../launcher/agentEntry.ts';
import type { ClientId, ClientSurroundings } from './clients.ts';
import { writeEntry } from './entryShapes.ts';

export interface OwnCommand {
  /** Absolute. */
  readonly program: string;
  readonly args: readonly string[];
}

export interface OwnCommands {
  /** Run one after the other. */
  readonly connect: readonly OwnCommand[];
  readonly disconnect: OwnCommand;
}

/** Undefined where the agent has no such command here; then its file is edited. */
export async function ownCommands(
  client: ClientId,
  entry: AgentEntry,
  options: {
    readonly environment: InheritedEnvironment;
    readonly surroundings: ClientSurroundings;
    readonly replace: boolean;
  },
): Promise<OwnCommands | undefined> {
  if (client !== 'claudeCode') return undefined;
  const { environment, surroundings, replace } = options;
  const { platform, userHome } = surroundings;
  const env = environmentOf(environment, surroundings);
  const found = await findCommand('claude', { env, cwd: userHome, platform });
  if (found.kind !== 'found') return undefined;
  // A batch file needs a shell, and a shell would read the argument.
  if (platform === 'win32' && !/\.(?:exe|com)$/i.test(found.path)) return undefined;
  const { path: program } = found;
  const scope = ['--scope', 'user'];
  const disconnect = { program, args: ['mcp', 'remove', ...scope, agentKey] };
  const json = JSON.stringify(writeEntry('claude', entry));
  const add = { program, args: ['mcp', 'add-json', ...scope, agentKey, json] };
  // It refuses to add what is there.
  return { connect: replace ? [disconnect, add] : [add], disconnect };
}

/** As a person would type it in a POSIX shell; for showing only. */
export function shownCommand({ program, args }: OwnCommand): string {
  return [program, ...args].map(quoted).join(' ');
}

/** Throws `agentCommandFailed`, or the reason of an abort. */
export async function runOwnCommand(
  command: OwnCommand,
  options: {
    readonly environment: InheritedEnvironment;
    readonly surroundings: ClientSurroundings;
    readonly signal?: AbortSignal | undefined;
  },
): Promise<void> {
  const { environment, surroundings, signal } = options;
  const failed = (detail: string, cause?: unknown): ManagerError =>
    new ManagerError('agentCommandFailed', { command: shownCommand(command), detail }, { cause });
  signal?.throwIfAborted();
  const posix = surroundings.platform !== 'win32';
  const child = spawn(command.program, [...command.args], {
    cwd: surroundings.userHome,
    env: environmentOf(environment, surroundings),
    stdio: ['ignore', 'pipe', 'pipe'],
    // A group of its own, so that all of it ends at the deadline.
    detached: posix,
    windowsHide: true,
  });
  const output = tail(child.stdout, child.stderr);
  let stopped: 'time' | 'abort' | undefined;
  const stop = (why: 'time' | 'abort'): void => {
    stopped ??= why;
    if (posix && child.pid !== undefined) killGroup(child.pid);
    else child.kill('SIGKILL');
  };
  const timer = setTimeout(() => stop('time'), limits.agents.command);
  const onAbort = (): void => stop('abort');
  signal?.addEventListener('abort', onAbort);
  try {
    const code = await new Promise<number | string>((resolve, reject) => {
      child.on('error', (error: NodeJS.ErrnoException) =>
        reject(failed(error.code ?? 'it could not be started', error)),
      );
      // Not `close`: something that it started may keep its output open.
      child.on('exit', (exitCode, killedBy) => resolve(exitCode ?? killedBy ?? 'unknown'));
    });
    if (stopped === 'abort') signal?.throwIfAborted();
    if (stopped === 'time') throw failed(`it did not end within ${limits.agents.command / 1000} seconds`);
    if (code !== 0) throw failed(output() === '' ? `it ended with ${code}` : output());
  } finally {
    clearTimeout(timer);
    signal?.removeEventListener('abort', onAbort);
    child.stdout.destroy();
    child.stderr.destroy();
  }
}

/** What a server gets, and where the agent keeps its files. */
function environmentOf(
  environment: InheritedEnvironment,
  { platform, env }: ClientSurroundings,
): Record<string, string> {
  const folder = env['CLAUDE_CONFIG_DIR'];
  const own = folder === undefined ? {} : { CLAUDE_CONFIG_DIR: folder };
  return childEnvironment({ inherited: environment, own, mark: undefined, platform });
}

function killGroup(pid: number): void {
  try {
    process.kill(-pid, 'SIGKILL');
  } catch {
    // It has ended.
  }
}

/** The last of what was printed, on one line. */
function tail(...streams: readonly NodeJS.ReadableStream[]): () => string {
  let text = '';
  for (const stream of streams) {
    stream.on('data', (chunk: Buffer) => (text = (text + chunk.toString('utf8')).slice(-limits.agents.output)));
  }
  return () =>
    text
      .trim()
      .split(/\s*[\r\n]+\s*/)
      .slice(-3)
      .join('; ')
      .slice(-400);
}

function quoted(argument: string): string {
  return /^[A-Za-z0-9_./:@%+=,-]+$/.test(argument) ? argument : `'${argument.replaceAll("'", "'\\''")}'`;
}
