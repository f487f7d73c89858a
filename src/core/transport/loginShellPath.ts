// PATH as the person's login shell sets it (CONN-7): an editor started from a desktop has a short one, on which `npx`
// or `uvx` is not found. The shell is bounded in time and output and trusted for nothing but PATH; where it does not
// answer well, the answer is undefined and the short PATH stays.
import { spawn } from 'node:child_process';
import { isAbsolute } from 'node:path';
import { limits } from '../limits.ts';

export interface LoginShellOptions {
  readonly env: Readonly<Record<string, string | undefined>>;
  readonly timeoutMs?: number;
}

export function loginShellPath({ env, timeoutMs }: LoginShellOptions): Promise<string | undefined> {
  const shell = env['SHELL'];
  if (shell === undefined || !isAbsolute(shell)) return Promise.resolve(undefined);
  const marker = `path-${crypto.randomUUID()}`;
  return new Promise((resolve) => {
    // In a session of its own, so that an interactive shell can neither stop us nor outlive its deadline.
    const child = spawn(shell, ['-i', '-l', '-c', `echo; echo ${marker}; /usr/bin/env; echo ${marker}`], {
      env: shellEnvironment(env),
      stdio: ['ignore', 'pipe', 'ignore'],
      detached: true,
    });
    const chunks: Buffer[] = [];
    let size = 0;
    const settle = (): void => {
      clearTimeout(timer);
      child.stdout.destroy();
      killGroup(child.pid);
      resolve(pathInOutput(Buffer.concat(chunks).toString('utf8'), marker));
    };
    const timer = setTimeout(settle, timeoutMs ?? limits.loginShell.timeout);
    child.stdout.on('data', (chunk: Buffer) => {
      size += chunk.length;
      if (size <= limits.loginShell.output) chunks.push(chunk);
      else settle();
    });
    child.stdout.on('end', settle);
    child.stdout.on('error', settle);
    child.on('error', settle);
  });
}

/**
 * Whether the environment is one of a desktop rather than of a shell. The `code` command says that it was one; every
 * shell counts its depth; Windows has no login shell.
 */
export function needsLoginShell(env: Readonly<Record<string, string | undefined>>, platform: NodeJS.Platform): boolean {
  if (platform === 'win32' || env['VSCODE_CLI'] === '1') return false;
  return !(Number(env['SHLVL'] ?? '0') > 0) && env['TERM_PROGRAM'] === undefined;
}

/** PATH among the lines between the two markers; undefined unless it is whole, short enough and of absolute folders. */
export function pathInOutput(output: string, marker: string): string | undefined {
  const lines = output.split('\n');
  const first = lines.indexOf(marker);
  const last = lines.lastIndexOf(marker);
  if (first === last) return undefined;
  const line = lines.slice(first, last).find((text) => text.startsWith('PATH='));
  const folders = line?.slice('PATH='.length).split(':').filter(isPlainFolder) ?? [];
  const path = folders.join(':');
  return path === '' || path.length > limits.loginShell.path ? undefined : path;
}

/** The shell's folders first, then those that only the editor had. */
export function mergePath(shell: string, editor: string): string {
  return [...new Set([...shell.split(':'), ...editor.split(':')])].filter((folder) => folder !== '').join(':');
}

function isPlainFolder(folder: string): boolean {
  return isAbsolute(folder) && !/[\u0000-\u001F\u007F]/.test(folder);
}

/** The person's own variables; the editor's would make some start files behave as in its terminal. */
function shellEnvironment(env: Readonly<Record<string, string | undefined>>): Record<string, string | undefined> {
  return Object.fromEntries(Object.entries(env).filter(([name]) => !/^(?:VSCODE_|ELECTRON_|ROUNDHOUSE_)/.test(name)));
}

function killGroup(pid: number | undefined): void {
  if (pid === undefined) return;
  try {
    process.kill(-pid, 'SIGKILL');
  } catch {
    // It has ended.
  }
}
