// The command that starts a guard: pure. A shell that waits costs a megabyte, this program again would cost forty. On
// Windows there is no such shell, and the program itself waits.
import { join } from 'node:path';
import type { MarkOwner } from '../transport/ownerMark.ts';
import { guardScript } from './guardWords.ts';

export interface GuardRequest {
  readonly owner: MarkOwner;
  readonly program: string;
  readonly ledger: string;
  readonly shell?: string | undefined;
  readonly platform?: NodeJS.Platform;
  /** The program that runs us, which is Node where ELECTRON_RUN_AS_NODE says so. */
  readonly runtime?: string;
  readonly variables?: Readonly<Record<string, string | undefined>>;
}

export interface GuardCommand {
  readonly file: string;
  readonly args: readonly string[];
  /** All of it: nothing that a server inherits, so no mark that an owner of ours could have. */
  readonly env: Readonly<Record<string, string>>;
  readonly cwd: string;
}

export function guardCommand(request: GuardRequest): GuardCommand {
  const { owner, program, ledger, shell = '/bin/sh' } = request;
  const { platform = process.platform, runtime = process.execPath, variables = process.env } = request;
  const words = [program, String(owner.pid), String(owner.start), String(owner.namespace), ledger];
  const env = { ELECTRON_RUN_AS_NODE: '1' };
  if (platform !== 'win32') {
    return { file: shell, args: ['-c', guardScript, 'sh', runtime, ...words], env, cwd: '/' };
  }
  const { SystemRoot = 'C:\\Windows', TEMP } = variables;
  return {
    file: runtime,
    args: words,
    env: { ...env, SystemRoot, ...(TEMP !== undefined && { TEMP }) },
    cwd: join(SystemRoot, 'System32'),
  };
}
