// Builds a manager out of the real parts. The SDK and all that opens connections is loaded at the first connection,
// not before: whoever starts with the editor must not pay for it.
import type { Clock } from '../../base/clock.ts';
import { untilAborted } from '../../base/deadline.ts';
import type { ConfiguredServer } from '../config/model.ts';
import type { ServerRequestHandlers } from '../connection/liveClient.ts';
import { VerdictCache } from '../connection/verdictCache.ts';
import { KeptLists } from '../discovery/keptLists.ts';
import type { ApprovalPrompt, Log } from '../ports.ts';
import type { InheritedEnvironment } from '../transport/environment.ts';
import { ApprovalDesk, type LaunchSource } from '../trust/approvalDesk.ts';
import type { LaunchContext } from '../trust/launchContext.ts';
import type { Circumstances } from '../trust/standing.ts';
import type { ManagerDeps } from './deps.ts';
import type { Follow } from './managedServer.ts';
import { ServerManager } from './serverManager.ts';

export interface ManagerOptions {
  readonly clock: Clock;
  readonly circumstances: Circumstances;
  /** What launches are resolved from: files, environment, the person's values. Read anew for each launch. */
  readonly launchContext: (server: ConfiguredServer) => Promise<LaunchContext>;
  /** What stdio servers inherit. */
  readonly environment: () => Promise<InheritedEnvironment>;
  /** Absent where nobody can be asked. */
  readonly prompt?: ApprovalPrompt;
  /** What servers may ask of us. */
  readonly handlers: (server: ConfiguredServer) => ServerRequestHandlers;
  readonly reload: (file: string) => Promise<void>;
  /** What servers offered when they last ran; kept by the caller beyond this manager's life. */
  readonly kept?: KeptLists;
  readonly log: Log;
}

export function createManager(options: ManagerOptions): ServerManager {
  const { clock, circumstances, launchContext, prompt, reload } = options;
  const launches: LaunchSource = {
    identify: async (server) => {
      const { describeLaunch } = await import('../trust/describeLaunch.ts');
      return describeLaunch(server, await launchContext(server));
    },
    resolve: async (server, signal, mayAsk) => {
      const context = await untilAborted(launchContext(server), signal);
      const { resolveLaunch } = await import('../trust/resolveLaunch.ts');
      return resolveLaunch(server, {
        ...context,
        mayReach: (url) => manager.circumstances.mayReach(url),
        signal,
        mayAsk,
      });
    },
  };
  const deps: ManagerDeps = {
    clock,
    desk: new ApprovalDesk(launches, prompt),
    kept: options.kept ?? new KeptLists(),
    ...connecting(options),
    reload,
  };
  const manager = new ServerManager(deps, circumstances);
  return manager;
}

/** What opens connections, and what follows them, is loaded with the first one. */
function connecting(options: ManagerOptions): Pick<ManagerDeps, 'open' | 'follow'> {
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
      handlers: handlers(managed.server),
      verdicts,
      environment: await environment(),
      log,
      timeouts: () => managed.server.definition.timeouts,
      onStderr: (line) => managed.hear(line),
      onNoise: (count, sample) => managed.hearNoise(count, sample),
      onInstalling,
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
