import type { ConfigScope, PolicyWord, ServerDefinition, ServerId } from '../../src/contract/serverConfig.ts';
import type { ConfiguredServer } from '../../src/core/config/model.ts';
import { configFingerprint } from '../../src/core/config/configFingerprint.ts';
import { serverKey } from '../../src/core/config/serverKey.ts';

export interface Configured {
  readonly scope?: ConfigScope;
  readonly file?: string;
  /** Makes it a remote server. */
  readonly url?: string;
  readonly args?: readonly string[];
  readonly enabled?: boolean;
  readonly autostart?: boolean;
  readonly toolPolicies?: Readonly<Record<string, PolicyWord>>;
  readonly description?: string;
}

/** A definition as it stands in a configuration that was read. */
export function configuredServer(id: string, configured: Configured = {}): ConfiguredServer {
  const { scope = { kind: 'user' }, file = fileOf(scope) } = configured;
  const definition = definitionOf(configured);
  return {
    key: serverKey(scope, id as ServerId),
    id: id as ServerId,
    scope,
    definition,
    fingerprint: configFingerprint(definition),
    file,
    position: { line: 4, column: 5 },
  };
}

function fileOf(scope: ConfigScope): string {
  return scope.kind === 'user' ? '/home/me/.mcp-roundhouse/mcp.json' : `${scope.folder}/.roundhouse/mcp.json`;
}

function definitionOf(configured: Configured): ServerDefinition {
  const { url, args = ['server.js'], enabled = true, autostart = false, toolPolicies = {}, description } = configured;
  const common = {
    protocol: 'legacy',
    enabled,
    autostart,
    toolPolicies,
    timeouts: {},
    ...(description === undefined ? {} : { description }),
  } as const;
  return url === undefined
    ? { ...common, kind: 'stdio', command: 'node', args, env: {}, persistent: false, isolation: 'shared' }
    : { ...common, kind: 'remote', url, transport: 'auto', headers: {} };
}
