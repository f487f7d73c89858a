// The command that starts the keeper: pure. It leads a session of its own and lasts beyond whoever starts it, so it is given
// nothing of theirs: no variable but what the system itself needs, no working folder that may go, no file that is open.
import { homedir } from 'node:os';

export interface KeeperRequest {
  /** The program (`src/keeper/main.ts`, built). */
  readonly program: string;
  /** The product's folder. */
  readonly home: string;
  /** Seconds without holds and sessions until it ends; never at all. */
  readonly idleSeconds: number | 'never';
  /** The program that runs us, which is Node where ELECTRON_RUN_AS_NODE says so. */
  readonly runtime?: string | undefined;
  readonly platform?: NodeJS.Platform;
  readonly variables?: Readonly<Record<string, string | undefined>>;
  readonly userHome?: string;
}

export interface KeeperCommand {
  readonly file: string;
  readonly args: readonly string[];
  /** All of it. */
  readonly env: Readonly<Record<string, string>>;
  readonly cwd: string;
}

export function keeperCommand(request: KeeperRequest): KeeperCommand {
  const { program, home, idleSeconds, runtime = process.execPath } = request;
  const { platform = process.platform, variables = process.env, userHome = homedir() } = request;
  const needed = platform === 'win32' ? ['SystemRoot', 'TEMP', 'USERPROFILE'] : ['HOME', 'TMPDIR'];
  const known = needed.flatMap((name) => {
    const value = variables[name];
    return value === undefined ? [] : [[name, value] as const];
  });
  return {
    file: runtime,
    args: [program, '--home', home, '--idle-seconds', String(idleSeconds)],
    env: { ...Object.fromEntries(known), ELECTRON_RUN_AS_NODE: '1' },
    cwd: userHome,
  };
}
