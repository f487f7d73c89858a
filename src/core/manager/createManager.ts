// Builds a manager out of the real parts. The SDK and all that opens connections is loaded at the first connection,
// not before: whoever starts with the editor must not pay for it.
import type { Clock } from '../../base/clock.ts';
import { untilAborted } from '../../base/deadline.ts';
import type { Redactor } from '../../base/redact.ts';
import type { ServerId } from '../../contract/serverConfig.ts';
import type { ConfiguredServer } from '../config/model.ts';
import type { ServerRequestHandlers } from '../connection/liveClient.ts';
import { permittedHandlers } from '../connection/permittedHandlers.ts';
import { VerdictCache } from '../connection/verdictCache.ts';
import { KeptLists } from '../discovery/keptLists.ts';
import type { ApprovalMemory, ApprovalPrompt, ApprovalRequest, Log } from '../ports.ts';
import { type KnownToolFiles, KnownTools } from '../policy/knownTools.ts';
import type { ChildOwner } from '../transport/childOwner.ts';
import type { InheritedEnvironment } from '../transport/environment.ts';
import { ApprovalDesk, type LaunchSource } from '../trust/approvalDesk.ts';
import type { LaunchContext } from '../trust/launchContext.ts';
import type { Circumstances } from '../trust/barOf.ts';
import type { ManagerDeps } from './deps.ts';
import type { Follow } from './managedServer.ts';
import { ServerManager } from './serverManager.ts';

export interface ManagerOptions {
  readonly clock: Clock;
  readonly circumstances: Circumstances;
  /** Where launches come from that were resolved elsewhere; absent: they are resolved from `launchContext`. */
  readonly launches?: LaunchSource;
  /** What launches are resolved from: files, environment, the person's values. Read anew for each launch. */
  readonly launchContext: (server: ConfiguredServer) => Promise<LaunchContext>;
  /** What stdio servers inherit. */
  readonly environment: () => Promise<InheritedEnvironment>;
  /** Sees to it that no process stays should this one be killed (KEEP-5); made at the first connection. */
  readonly owner?: () => Promise<ChildOwner>;
  /** Absent where nobody can be asked. */
  readonly prompt?: ApprovalPrompt;
  /** What the person chose to have remembered; absent where nothing is. */
  readonly approvals?: ApprovalMemory;
  /** The person named the configuration, which approves all that it defines (GATE-5). By default every launch is asked about. */
  readonly approvedByName?: boolean;
  /** What servers may ask of us. */
  readonly handlers: (server: ConfiguredServer) => ServerRequestHandlers;
  readonly reload: (file: string) => Promise<void>;
  /** What servers offered when they last ran; kept by the caller beyond this manager's life. */
  readonly kept?: KeptLists;
  /** Where what the person knows of tools is kept; absent where it lasts as long as this process. */
  readonly knownTools?: KnownToolFiles;
  readonly log: Log;
  /** Learns every secret that a launch is given, for whoever shows anything. */
  readonly secrets?: Redactor;
}

export function createManager(options: ManagerOptions): ServerManager {
  const { clock, circumstances, launchContext, reload } = options;
  const launches: LaunchSource = options.launches ?? {
    identify: async (server) => {
      const { describeLaunch } = await import('../trust/describeLaunch.ts');
      return describeLaunch(server, await launchContext(server));
    },
    resolve: async (server, signal, mayAsk) => {
      const context = await untilAborted(launchContext(server), signal);
      const { resolveLaunch } = await import('../trust/resolveLaunch.ts');
      const mayReach = (url: string): boolean => manager.circumstances.mayReach(url);
      const launch = await resolveLaunch(server, { ...context, mayReach, signal, mayAsk });
      if (options.secrets !== undefined) {
        const { hideSecrets } = await import('../transport/launchRedactor.ts');
        hideSecrets(launch, options.secrets);
      }
      return launch;
    },
  };
  const desk = new ApprovalDesk(launches, {
    prompt: options.prompt && telling(options.prompt, (id) => ownServer(manager, id)),
    memory: options.approvals,
    approvesAll: options.approvedByName,
  });
  const deps: ManagerDeps = {
    clock,
    desk,
    kept: options.kept ?? new KeptLists(),
    known: new KnownTools(options.knownTools, options.secrets),
    ...connecting(options, desk),
    reload,
  };
  const manager = new ServerManager(deps, circumstances);
  return manager;
}

/** The same prompt, which says of a project's server whether it takes the place of the person's own (CFG-9). */
function telling(prompt: ApprovalPrompt, isOwn: (id: ServerId) => boolean): ApprovalPrompt {
  return {
    ask: (requests, signal) => {
      const told = requests.map((request): ApprovalRequest => ({
        ...request,
        ...(request.scope.kind === 'project' && isOwn(request.id) && { replacesOwn: true }),
      }));
      return prompt.ask(told, signal);
    },
  };
}

function ownServer(manager: ServerManager, id: ServerId): boolean {
  const { servers } = manager.view();
  return servers.some(({ server }) => server.id === id && server.scope.kind === 'user' && server.definition.enabled);
}

/** What opens connections, and what follows them, is loaded with the first one. */
function connecting(options: ManagerOptions, desk: ApprovalDesk): Pick<ManagerDeps, 'open' | 'follow'> {
  const { clock, environment, handlers, log } = options;
  const verdicts = new VerdictCache(clock);
  let follow: Follow | undefined;
  const open: ManagerDeps['open'] = async (managed, launch, signal, onInstalling) => {
    const [{ openClient }, { followOffers }] = await Promise.all([
      import('../connection/openClient.ts'),
      import('./followOffers.ts'),
    ]);
    follow ??= followOffers(clock);
    signal.throwIfAborted();
    return openClient(launch, {
      signal,
      clock,
      handlers: permittedHandlers(managed.server.definition, handlers(managed.server)),
      verdicts,
      environment: await environment(),
      owner: await options.owner?.(),
      log,
      timeouts: () => managed.server.definition.timeouts,
      onStderr: (line) => managed.hear(line),
      onNoise: (count, sample) => managed.hearNoise(count, sample),
      onInstalling,
      confirm: () => desk.confirm(managed.server, launch.fingerprint),
    });
  };
  return {
    open,
    follow: (...connection) => {
      if (follow === undefined) throw new Error('a connection was followed that nobody opened');
      return follow(...connection);
    },
  };
}
