// Snapshots for tests of pure functions, read from real texts.
import type { ConfigScope } from '../../../../src/contract/serverConfig.ts';
import type { ConfigFile, ConfigSnapshot, ConfiguredServer } from '../../../../src/core/config/model.ts';
import { readConfigText } from '../../../../src/core/config/readConfigText.ts';

export const user: ConfigScope = { kind: 'user' };

export function folder(name: string): ConfigScope {
  return { kind: 'project', folder: `/work/${name}`, name };
}

export function fileOf(
  scope: ConfigScope,
  mcpServers: Record<string, object>,
  inputs: readonly object[] = [],
): ConfigFile {
  const file = scope.kind === 'user' ? '/home/me/mcp.json' : `${scope.folder}/.roundhouse/mcp.json`;
  const reading = readConfigText(JSON.stringify({ version: 3, inputs, mcpServers }), { file, scope });
  if (reading.kind === 'refused') throw new Error(JSON.stringify(reading.problems));
  return { file, scope, exists: true, version: 3, servers: reading.servers, inputs: reading.inputs };
}

export function snapshotOf(...files: ConfigFile[]): ConfigSnapshot {
  return { files };
}

export function serverOf(scope: ConfigScope, entry: object, id = 'a'): ConfiguredServer {
  const [server] = fileOf(scope, { [id]: entry }).servers;
  if (server === undefined) throw new Error('no server');
  return server;
}
