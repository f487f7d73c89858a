import type { AgentMcpConfig } from '../../contract/publicApi.ts';
import { problemOf } from '../../core/connection/failureState.ts';
import { agentConfig, agentEntry } from '../../core/launcher/agentEntry.ts';
import { installLauncher } from '../../core/launcher/installLauncher.ts';
import { englishOf } from '../../contract/sentencesOf.ts';
import type { LauncherDeps } from './lazyLauncher.ts';

/** Makes the launcher with the program of this very editor, and answers the entry that agents start it by. */
export async function installForAgents(
  { home, source, log }: LauncherDeps,
  signal: AbortSignal,
): Promise<AgentMcpConfig> {
  const { platform, env } = process;
  try {
    await installLauncher({ home, source, runtime: process.execPath, platform, variables: env, signal });
  } catch (error) {
    const { code, data } = problemOf(error);
    if (!signal.aborted) log.warn(`The launcher for agents was not made. ${englishOf(code, data)}`);
    throw error;
  }
  const { SystemRoot } = env;
  return agentConfig(agentEntry(home, platform, SystemRoot === undefined ? {} : { systemRoot: SystemRoot }));
}
