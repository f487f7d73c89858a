// The echo server as a configured server, and the manager around it, without an editor.
import { fileURLToPath } from 'node:url';
import { systemClock } from '../../src/base/clock.ts';
import type { ConfigSnapshot } from '../../src/core/config/model.ts';
import { readConfigText } from '../../src/core/config/readConfigText.ts';
import type { OpenOptions } from '../../src/core/connection/openOptions.ts';
import type { VerdictCache } from '../../src/core/connection/verdictCache.ts';
import { createManager } from '../../src/core/manager/createManager.ts';
import type { ServerManager } from '../../src/core/manager/serverManager.ts';
import type { Log } from '../../src/core/ports.ts';
import type { InheritedEnvironment } from '../../src/core/transport/inheritedEnvironment.ts';
import type { LaunchFingerprint, StdioLaunch } from '../../src/core/transport/launch.ts';
import type { ProtocolMode, ServerId } from '../../src/contract/serverConfig.ts';

const echoServer = fileURLToPath(new URL('./echoServer.mjs', import.meta.url));

/** What a workplace may set and a person's machine does not: it costs each start of Node some 90 ms. */
const unusual = ['NODE_EXTRA_CA_CERTS', 'NODE_OPTIONS'];
export const environment: InheritedEnvironment = {
  base: Object.fromEntries(Object.entries(process.env).filter(([name]) => !unusual.includes(name))),
  inherit: [],
};

export const silent: Log = { info: () => undefined, warn: () => undefined, error: () => undefined };

export function echoCommand(...args: readonly string[]): {
  readonly command: string;
  readonly args: readonly string[];
} {
  return { command: process.execPath, args: [echoServer, ...args] };
}

export function echoLaunch(protocol: ProtocolMode): StdioLaunch {
  return {
    kind: 'stdio',
    id: 'echo' as ServerId,
    protocol,
    timeouts: {},
    fingerprint: 'echo' as LaunchFingerprint,
    env: {},
    cwd: process.cwd(),
    ...echoCommand(),
  };
}

export function openOptions(verdicts: VerdictCache): OpenOptions {
  return {
    signal: new AbortController().signal,
    clock: systemClock(),
    handlers: {},
    verdicts,
    environment,
    log: silent,
    onStderr: () => undefined,
    onNoise: () => undefined,
    onInstalling: () => undefined,
  };
}

/** A manager whose only server is the echo server, not yet started. */
export function echoManager(...args: readonly string[]): ServerManager {
  const manager = createManager({
    clock: systemClock(),
    circumstances: { workspaceTrusted: true, mayReach: () => false },
    launchContext: () =>
      Promise.resolve({
        home: process.cwd(),
        workspaceFolder: process.cwd(),
        env: environment.base,
        personalValues: { input: () => Promise.resolve(undefined), secret: () => Promise.resolve(undefined) },
      }),
    environment: () => Promise.resolve(environment),
    handlers: () => ({}),
    reload: () => Promise.resolve(),
    log: silent,
  });
  manager.apply(configuration(echoCommand(...args)));
  return manager;
}

function configuration(echo: ReturnType<typeof echoCommand>): ConfigSnapshot {
  const source = { file: 'mcp.json', scope: { kind: 'user' } } as const;
  const reading = readConfigText(JSON.stringify({ version: 3, mcpServers: { echo } }), source);
  if (reading.kind === 'refused') throw new Error(reading.problems[0].code);
  const { version, servers, inputs } = reading;
  return { files: [{ ...source, exists: true, version, servers, inputs }] };
}
