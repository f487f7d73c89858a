// The real core behind the commands: one file as the whole configuration, and the person's own one for its rules. Naming
// the file is the approval of its stdio and loopback entries (GATE-5); other URLs are reached only with --allow-remote, and
// whatever asks a person gets a no.
import path from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';
import { systemClock } from '../base/clock.ts';
import { Redactor } from '../base/redact.ts';
import { isLoopbackHost } from '../contract/urlRule.ts';
import { homeFolder } from '../core/config/configPaths.ts';
import type { ConfiguredServer } from '../core/config/model.ts';
import type { ServerRequestHandlers } from '../core/connection/liveClient.ts';
import { ManagerError } from '../core/errors.ts';
import { guardUrl } from '../core/guard/guardUrl.ts';
import { OwnerGuard } from '../core/guard/ownerGuard.ts';
import { ownProcesses } from '../core/guard/ownProcesses.ts';
import { createManager } from '../core/manager/createManager.ts';
import { diagnosisSteps } from '../core/manager/diagnosisSteps.ts';
import type { Log, PersonalValues } from '../core/ports.ts';
import { createToolCalls } from '../core/tools/createToolCalls.ts';
import { defaultInherit, droppedFolders, droppedVariables } from '../core/transport/environment.ts';
import type { InheritedEnvironment } from '../core/transport/inheritedEnvironment.ts';
import type { LaunchContext } from '../core/trust/launchContext.ts';
import type { Circumstances } from '../core/trust/barOf.ts';
import type { Host } from './host.ts';
import type { CommandOptions } from './options.ts';
import { configProblemText } from './output/words.ts';
import { readConfiguration } from './readConfiguration.ts';
import type { OpenServers } from './servers.ts';

export const openServers: OpenServers = async (options, host) => {
  const read = await readConfiguration(options.configFile, host.userHome, options.configText);
  if (read.kind === 'refused') return read;
  const { unread } = read;
  const clock = systemClock();
  const environment: InheritedEnvironment = { base: host.env, inherit: defaultInherit };
  const circumstances = circumstancesOf(options);
  const secrets = new Redactor();
  const log: Log = { ...silent, warn: (text) => host.err(`mcp-roundhouse: ${text}\n`) };
  const home = homeFolder(host.userHome);
  const guard = new OwnerGuard({ home, program: fileURLToPath(guardUrl(import.meta.url)), log });
  const owner = () => Promise.resolve(guard);
  const shared = { clock, environment: () => Promise.resolve(environment), log: silent, owner };
  const manager = createManager({
    ...shared,
    circumstances,
    approvedByName: true,
    secrets,
    launchContext: () => Promise.resolve(launchContext(options, host)),
    handlers: handlersOf(options),
    reload: () => Promise.resolve(), // One command, one reading.
  });
  manager.apply(read.snapshot);
  const calls = createToolCalls({ manager, clock });
  /** A call that nobody was asked about, since the person's own rules could not be read: says which file, and where. */
  const sayUnread = (error: unknown): never => {
    if (unread === undefined || !(error instanceof ManagerError) || error.code !== 'toolNotConfirmed') throw error;
    host.err(`${configProblemText(unread)}\n`);
    throw new ManagerError(error.code, { ...error.data, unread: unread.file }, { cause: error });
  };
  return {
    kind: 'opened',
    servers: {
      configured: read.servers,
      view: (key) => {
        const view = manager.view().servers.find((candidate) => candidate.key === key);
        if (view === undefined) throw new ManagerError('unknownServer', { server: key });
        return view;
      },
      use: (key, { signal }) => manager.use(key, { signal }),
      call: (call, callOptions) => calls.call(call, callOptions).catch(sayUnread),
      gateway: { manager, clock, forward: (call, callOptions) => calls.forward(call, callOptions).catch(sayUnread) },
      stepsFor: (server) =>
        diagnosisSteps(server, {
          ...shared,
          handlers: handlersOf(options)(server),
          resolve: (subject, signal) => manager.launch(subject.key, { signal }),
        }),
      secrets,
      processes: async () => {
        const ended = await guard.endLeftovers();
        return { running: await ownProcesses(home), ended, unguarded: guard.failure };
      },
      droppedVariables: () => droppedVariables({ inherited: environment, own: {}, platform: process.platform }),
      droppedFolders: () => droppedFolders(environment, process.platform),
      dispose: async () => {
        calls.dispose();
        await manager.dispose();
        guard.dispose();
      },
    },
  };
};

function circumstancesOf({ allowRemote }: CommandOptions): Circumstances {
  const isLoopback = (url: string): boolean => URL.canParse(url) && isLoopbackHost(new URL(url).hostname);
  // A loopback URL may always be reached, so one that still has variables is judged when it is finished.
  return { workspaceTrusted: true, remoteOn: true, mayReach: (url) => allowRemote || isLoopback(url) };
}

function launchContext({ workspace }: CommandOptions, host: Host): LaunchContext {
  return {
    home: host.userHome,
    workspaceFolder: workspace,
    env: host.env,
    personalValues: nobody,
  };
}

/** No person's storage is at hand: an entry that needs a value of it fails alone. */
const nobody: PersonalValues = {
  input: () => Promise.resolve(undefined),
  secret: () => Promise.resolve(undefined),
};

/** Nobody can be asked anything, so no such capability is declared; roots are offered to stdio servers (CONN-14). */
function handlersOf({
  workspace,
  relayed = false,
}: CommandOptions): (server: ConfiguredServer) => ServerRequestHandlers {
  const roots = [{ uri: pathToFileURL(workspace).href, name: path.basename(workspace) }];
  return ({ definition }) => ({
    ...(relayed && { relayed }),
    ...(definition.kind === 'stdio' && { roots: () => roots }),
  });
}

const silent: Log = { info: () => undefined, warn: () => undefined, error: () => undefined };
