// Views of the manager as data, for tests of what is drawn from them.
import type { ConfigFingerprint, ConfigScope, ServerId } from '../../src/contract/serverConfig.ts';
import type { JsonObject } from '../../src/contract/json.ts';
import type { ConfigProblem, ServerKey } from '../../src/core/config/model.ts';
import type { ConnectionState, Generation } from '../../src/core/connection/state.ts';
import type { OfferedItem, OfferedTool, ServerSnapshot } from '../../src/core/discovery/snapshot.ts';
import type { ManagerView, ServerView } from '../../src/core/manager/view.ts';

export const userScope: ConfigScope = { kind: 'user' };
export const demoScope: ConfigScope = { kind: 'project', folder: '/work/demo', name: 'demo' };

export const ready: ConnectionState = {
  kind: 'ready',
  since: 0,
  generation: 1 as Generation,
  negotiated: { era: 'legacy', revision: '2025-11-25', transport: 'stdio', pid: 4711, serverName: 'everything' },
};

export interface ServerOptions extends Partial<Omit<ServerView, 'server' | 'key'>> {
  readonly scope?: ConfigScope;
  readonly url?: string;
  readonly enabled?: boolean;
  readonly toolPolicies?: Readonly<Record<string, 'allow' | 'ask' | 'deny'>>;
  readonly description?: string;
}

export function serverView(id: string, options: ServerOptions = {}): ServerView {
  const { scope = userScope, url, enabled = true, toolPolicies = {}, description, ...rest } = options;
  const common = {
    protocol: 'legacy',
    enabled,
    autostart: false,
    toolPolicies,
    timeouts: {},
    ...(description === undefined ? {} : { description }),
  } as const;
  const place = scope.kind === 'user' ? 'user' : `project:${scope.folder}`;
  return {
    key: `${place}:${id}` as ServerKey,
    policies: scope.kind === 'user' ? { user: toolPolicies } : { project: toolPolicies },
    server: {
      key: `${place}:${id}` as ServerKey,
      id: id as ServerId,
      scope,
      definition:
        url === undefined
          ? {
              ...common,
              kind: 'stdio',
              command: 'node',
              args: ['server.js'],
              env: {},
              persistent: false,
              isolation: 'shared',
            }
          : { ...common, kind: 'remote', url, transport: 'auto', headers: {} },
      fingerprint: 'f' as ConfigFingerprint,
      file: scope.kind === 'user' ? '/home/me/.mcp-roundhouse/mcp.json' : `${scope.folder}/.roundhouse/mcp.json`,
      position: { line: 4, column: 5 },
    },
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

export function snapshotOf(parts: Partial<ServerSnapshot>): ServerSnapshot {
  return {
    generation: 1 as Generation,
    revision: 1,
    era: 'legacy',
    tools: [],
    resources: [],
    resourceTemplates: [],
    prompts: [],
    issues: [],
    issueCount: 0,
    incomplete: [],
    ...parts,
  };
}
