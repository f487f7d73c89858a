import { access, realpath } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import type { AgentMcpConfig } from '../../contract/publicApi.ts';
import { problemOf } from '../../core/connection/failureState.ts';
import { agentConfig, agentEntry } from '../../core/launcher/agentEntry.ts';
import { binPaths } from '../../core/launcher/binPaths.ts';
import { installLauncher } from '../../core/launcher/installLauncher.ts';
import { englishOf } from '../../contract/sentencesOf.ts';
import { isLastingRuntime } from '../../core/launcher/lastingRuntime.ts';
import type { LauncherDeps } from './lazyLauncher.ts';

/** Makes the launcher, with the program of this very editor where that stays, and answers the entry that agents start it by. */
export async function installForAgents(
  { home, source, log }: LauncherDeps,
  signal: AbortSignal,
): Promise<AgentMcpConfig> {
  const { platform, env } = process;
  try {
    const runtime = await ownRuntime();
    if (runtime === undefined)
      log.info('The program of this editor does not stay where it is: agents need Node on PATH.');
    await installLauncher({ home, source, runtime, platform, variables: env, signal });
  } catch (error) {
    const { code, data } = problemOf(error);
    if (!signal.aborted) log.warn(`The launcher for agents was not made. ${englishOf(code, data)}`);
    throw error;
  }
  const { SystemRoot } = env;
  return agentConfig(agentEntry(home, platform, SystemRoot === undefined ? {} : { systemRoot: SystemRoot }));
}

export function isInstalled({ home }: Pick<LauncherDeps, 'home'>): Promise<boolean> {
  return access(binPaths(home, process.platform).launcher).then(
    () => true,
    () => false,
  );
}

/** The program of this editor, by its real path; undefined where it will be gone. */
async function ownRuntime(): Promise<string | undefined> {
  const { platform, env, execPath } = process;
  const real = (path: string): Promise<string> => realpath(path).catch(() => path);
  const runtime = await real(execPath);
  const temporary = [tmpdir(), await real(tmpdir())];
  return isLastingRuntime(runtime, { platform, variables: env, temporary }) ? runtime : undefined;
}
