// Views of the manager as data, for tests of what is drawn from them.
import type { ConfigScope } from '../../src/contract/serverConfig.ts';
import type { JsonObject } from '../../src/contract/json.ts';
import type { ConfigProblem } from '../../src/core/config/model.ts';
import type { ConnectionState, Generation } from '../../src/core/connection/state.ts';
import type { OfferedItem, OfferedTool } from '../../src/core/discovery/snapshot.ts';
import type { ManagerView, ServerView } from '../../src/core/manager/view.ts';
import { type Configured, configuredServer } from './configuredServer.ts';

export const userScope: ConfigScope = { kind: 'user' };
export const demoScope: ConfigScope = { kind: 'project', folder: '/work/demo', name: 'demo' };

export const ready: ConnectionState = {
  kind: 'ready',
  since: 0,
  generation: 1 as Generation,
  negotiated: { era: 'legacy', revision: '2025-11-25', transport: 'stdio', pid: 4711, serverName: 'everything' },
};

const problem = { code: 'blockedApproval', data: { server: 'a' } } as const;
/** One of each, blocked ones by each of what blocks. */
export const everyState: readonly ConnectionState[] = [
  { kind: 'disabled' },
  { kind: 'stopped' },
  { kind: 'connecting', since: 0 },
  { kind: 'installing', since: 0, detail: 'npm' },
  ready,
  { kind: 'backingOff', nextAttemptAt: 0, attempt: 1, problem },
  { kind: 'signInNeeded', problem },
  { kind: 'failed', problem },
  ...(['trust', 'approval', 'refused', 'policy', 'conflict', 'remoteOff', 'input'] as const).map(
    (by): ConnectionState => ({
      kind: 'blocked',
      by,
      problem,
    }),
  ),
];

export interface ServerOptions
  extends Omit<Configured, 'file' | 'args' | 'autostart'>, Partial<Omit<ServerView, 'server' | 'key'>> {}

export function serverView(id: string, options: ServerOptions = {}): ServerView {
  const { scope = userScope, url, enabled, toolPolicies = {}, description, ...rest } = options;
  const server = configuredServer(id, {
    scope,
    toolPolicies,
    ...(url !== undefined && { url }),
    ...(enabled !== undefined && { enabled }),
    ...(description !== undefined && { description }),
  });
  return {
    key: server.key,
    policies: scope.kind === 'user' ? { personEntry: toolPolicies } : { project: toolPolicies },
    server,
    role: 'serving',
    state: { kind: 'stopped' },
    warnings: [],
    noiseCount: 0,
    ...rest,
  };
}

export function managerView(servers: readonly ServerView[], problems: readonly ConfigProblem[] = []): ManagerView {
  return { loaded: true, servers, problems };
}

export function offeredTool(name: string, raw: JsonObject = {}): OfferedTool {
  return { name, hash: `hash of ${name}`, annotationsHash: '', raw: { name, ...raw } };
}

export function offeredItem(key: string, name = key, raw: JsonObject = {}): OfferedItem {
  return { key, name, raw: { name, ...raw } };
}
