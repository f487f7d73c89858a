// What the manager tells about its servers: plain data for the tree, the command line and (later) the gateway.
import type { ConnectionState, Problem } from '../connection/state.ts';
import type { LiveClient } from '../connection/liveClient.ts';
import type { ConfigProblem, ConfiguredServer, ServerKey } from '../config/model.ts';
import type { ServerRole } from '../config/resolveRoles.ts';
import type { KeptOffer } from '../discovery/keptLists.ts';
import type { ServerSnapshot } from '../discovery/snapshot.ts';
import type { PolicyRules } from '../policy/decide.ts';
import type { ResourceSubscriptions } from '../subscriptions/resourceSubscriptions.ts';

export interface ServerView {
  readonly key: ServerKey;
  readonly server: ConfiguredServer;
  readonly role: ServerRole;
  readonly state: ConnectionState;
  /** All that is said about its tools: `explain` takes it as it is. */
  readonly policies: PolicyRules;
  readonly snapshot?: ServerSnapshot;
  /** What this very launch offered when it last ran, while there is no snapshot: for display only (DISC-8). */
  readonly kept?: KeptOffer;
  /** The last list refresh or subscription failure, while the connection lives (DISC-4, DISC-5). */
  readonly warnings: readonly Problem[];
  /** Lines on stdout that were no protocol messages (CONN-9). */
  readonly noiseCount: number;
}

export interface ManagerView {
  /** False until the configuration was read for the first time. */
  readonly loaded: boolean;
  readonly servers: readonly ServerView[];
  readonly problems: readonly ConfigProblem[];
}

/** What changed: the whole list, or one server's view. */
export type ManagerChange = { readonly kind: 'all' } | { readonly kind: 'server'; readonly key: ServerKey };

/** A server that is connected and listed: what calls and reads work on. */
export interface LiveServer {
  readonly view: ServerView;
  readonly client: LiveClient;
  readonly snapshot: ServerSnapshot;
  readonly resources: ResourceSubscriptions;
}
