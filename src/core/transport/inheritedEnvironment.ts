// What servers inherit from: this process's environment, with PATH from the login shell where the editor was not
// started from one (CONN-7). Asked for once per window or command; the shell itself is asked by whoever is passed in.
import type { InheritedEnvironment } from './environment.ts';
import { mergePath, needsLoginShell } from './loginShellPath.ts';

export type { InheritedEnvironment };

export interface InheritedEnvironmentOptions {
  readonly env: Readonly<Record<string, string | undefined>>;
  readonly inherit: readonly string[];
  readonly platform: NodeJS.Platform;
  /** PATH of the login shell; undefined where it did not answer. Called only where it is needed. */
  readonly loginShellPath: () => Promise<string | undefined>;
}

export async function inheritedEnvironment(options: InheritedEnvironmentOptions): Promise<InheritedEnvironment> {
  const { env, inherit, platform, loginShellPath } = options;
  const path = needsLoginShell(env, platform) ? await loginShellPath() : undefined;
  return { base: path === undefined ? env : { ...env, PATH: mergePath(path, env['PATH'] ?? '') }, inherit };
}
