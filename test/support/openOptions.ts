// Options for opening a real connection in a scenario, with everything that was reported on the way.
import { systemClock } from '../../src/base/clock.ts';
import type { OpenOptions } from '../../src/core/connection/openOptions.ts';
import { VerdictCache } from '../../src/core/connection/verdictCache.ts';
import type { LaunchFingerprint, RemoteLaunch, StdioLaunch } from '../../src/core/transport/launch.ts';
import type { ServerId } from '../../src/contract/serverConfig.ts';

export interface Opening extends OpenOptions {
  readonly controller: AbortController;
  readonly stderr: string[];
  readonly noise: string[];
  readonly installing: string[];
  readonly logged: string[];
}

export function opening(changes: Partial<OpenOptions> = {}): Opening {
  const controller = new AbortController();
  const clock = changes.clock ?? systemClock();
  const stderr: string[] = [];
  const noise: string[] = [];
  const installing: string[] = [];
  const logged: string[] = [];
  const log = (text: string): void => void logged.push(text);
  return {
    controller,
    stderr,
    noise,
    installing,
    logged,
    signal: controller.signal,
    clock,
    handlers: {},
    verdicts: new VerdictCache(clock),
    environment: { base: process.env, inherit: [] },
    log: { info: log, warn: log, error: log },
    onStderr: (line) => void stderr.push(line),
    onNoise: (_count, sample) => void noise.push(sample),
    onInstalling: (detail) => void installing.push(detail),
    ...changes,
  };
}

export function stdioLaunch(
  command: { readonly command: string; readonly args: readonly string[] },
  changes: Partial<StdioLaunch> = {},
): StdioLaunch {
  return {
    kind: 'stdio',
    id: 'fixture' as ServerId,
    protocol: 'legacy',
    timeouts: {},
    fingerprint: 'fingerprint' as LaunchFingerprint,
    env: {},
    cwd: process.cwd(),
    ...command,
    ...changes,
  };
}

export function remoteLaunch(url: string, changes: Partial<RemoteLaunch> = {}): RemoteLaunch {
  return {
    kind: 'remote',
    id: 'fixture' as ServerId,
    protocol: 'legacy',
    timeouts: {},
    fingerprint: 'fingerprint' as LaunchFingerprint,
    url,
    transport: 'auto',
    headers: {},
    ...changes,
  };
}
