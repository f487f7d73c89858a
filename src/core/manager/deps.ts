// What the manager is built from. Every part behind a function, so that decisions can be tested without a process.
import type { Clock } from '../../base/clock.ts';
import type { LiveClient } from '../connection/liveClient.ts';
import type { KeptLists } from '../discovery/keptLists.ts';
import type { KnownTools } from '../policy/knownTools.ts';
import type { Launch } from '../transport/launch.ts';
import type { ApprovalDesk } from '../trust/approvalDesk.ts';
import type { Follow, ManagedServer } from './managedServer.ts';

export interface ManagerDeps {
  readonly clock: Clock;
  readonly desk: ApprovalDesk;
  readonly follow: Follow;
  /** What servers offered when they last ran (DISC-8). */
  readonly kept: KeptLists;
  /** What the person knows of their tools (POL-2). */
  readonly known: KnownTools;
  /** Settles only when, after an abort, nothing of the attempt is left. */
  open(
    managed: ManagedServer,
    launch: Launch,
    signal: AbortSignal,
    onInstalling: (detail: string) => void,
  ): Promise<LiveClient>;
  /** Reads one configuration file anew and applies it before it resolves. */
  reload(file: string): Promise<void>;
}
