// Turns a definition into what is really run or reached: every variable replaced, once, and every value checked again.
// The caller has made the trust decision; this is the only place where inputs and secrets are asked for (CFG-11).
import { ManagerError } from '../errors.ts';
import type { Launch, RemoteLaunch, StdioLaunch } from '../transport/launch.ts';
import type { ConfiguredServer } from '../config/model.ts';
import { fingerprintOf } from './launchFingerprint.ts';
import type { LaunchContext } from './launchContext.ts';
import {
  absolute,
  assertUrl,
  prepareLaunch,
  type PreparedLaunch,
  type PreparedRemote,
  type PreparedStdio,
  readEnvFile,
} from './prepareLaunch.ts';

/**
 * Fails with ManagerError as prepareLaunch does, with blockedInput for a value that the person has not given, and with
 * configInvalid for a field whose finished value is illegal. No value is in any error.
 */
export async function resolveLaunch(server: ConfiguredServer, context: LaunchContext): Promise<Launch> {
  const prepared = await prepareLaunch(server, context);
  const common = {
    id: server.id,
    protocol: server.definition.protocol,
    timeouts: server.definition.timeouts,
    fingerprint: await fingerprintOf(prepared, context),
  };
  return prepared.kind === 'stdio'
    ? { ...common, ...(await stdioParts(prepared, context)) }
    : { ...common, ...(await remoteParts(prepared)) };
}

type Parts<T> = Omit<T, 'id' | 'protocol' | 'timeouts' | 'fingerprint'>;

async function stdioParts(prepared: PreparedStdio, context: LaunchContext): Promise<Parts<StdioLaunch>> {
  const { server, base } = prepared;
  const legal = (field: string, value: string): string => assertLegal(prepared, field, value, /^[^\0]*$/);
  const filled = (field: string, value: string): string => assertLegal(prepared, field, value, /^(?=[^\0]*\S)[^\0]+$/);
  const command = filled('command', await prepared.command.value());
  const args = await Promise.all(prepared.args.map(async (arg, at) => legal(`args.${at}`, await arg.value())));
  const cwd = absolute(base, filled('cwd', await prepared.cwd.value()));
  const env = Object.create(null) as Record<string, string>;
  if (prepared.envFile?.path.personal === true) {
    const path = absolute(base, filled('envFile', await prepared.envFile.path.value()));
    Object.assign(env, (await readEnvFile(server, path, context)).variables);
  }
  for (const [name, value] of prepared.env) {
    env[name] = typeof value === 'string' ? value : legal(`env.${name}`, await value.value());
  }
  return { kind: 'stdio', command, args, env, cwd };
}

async function remoteParts(prepared: PreparedRemote): Promise<Parts<RemoteLaunch>> {
  const url = await prepared.url.value();
  assertUrl(prepared.server, prepared.url, url);
  const headers = Object.create(null) as Record<string, string>;
  for (const [name, value] of prepared.headers) {
    headers[name] = assertLegal(prepared, `headers.${name}`, await value.value(), /^[\t\u0020-\u007e\u0080-\u00ff]*$/);
  }
  return { kind: 'remote', url, transport: prepared.definition.transport, headers };
}

function assertLegal({ server }: PreparedLaunch, field: string, value: string, pattern: RegExp): string {
  if (pattern.test(value)) return value;
  const detail = 'its value holds a character that is not allowed there, or nothing';
  throw new ManagerError('configInvalid', { file: server.file, server: server.id, field, detail });
}
