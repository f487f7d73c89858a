// Turns a definition into what is really run or reached: every variable replaced, once, and every value checked again.
// The caller has made the trust decision; this is the only place where inputs and secrets are asked for (CFG-11).
import { isAbsolute, relative } from 'node:path';
import { untilAborted } from '../../base/deadline.ts';
import { isSensitive, secretArguments, secretValues } from '../../base/sensitive.ts';
import { ManagerError } from '../errors.ts';
import type { Launch, RemoteLaunch, StdioLaunch } from '../transport/launch.ts';
import type { ConfiguredServer } from '../config/model.ts';
import { fingerprintOf, launchFingerprint } from './launchFingerprint.ts';
import { type LaunchContext, launchFiles } from './launchContext.ts';
import {
  absolute,
  assertUrl,
  placeOf,
  prepareLaunch,
  type PreparedLaunch,
  type PreparedRemote,
  type PreparedStdio,
  readEnvFile,
} from './prepareLaunch.ts';

/**
 * Fails with ManagerError as prepareLaunch does, with blockedInput for a value that the person has not given,
 * configInvalid for a field whose finished value is illegal, blockedRemoteOff for a finished URL that may not be
 * reached, and blockedApproval where the disk changed while values were asked for. No value is in any error.
 * Fails with the reason of `context.signal` as soon as that aborts.
 */
export function resolveLaunch(server: ConfiguredServer, context: LaunchContext): Promise<Launch> {
  return untilAborted(resolved(server, context), context.signal);
}

async function resolved(server: ConfiguredServer, context: LaunchContext): Promise<Launch> {
  const prepared = await prepareLaunch(server, context);
  const fingerprint = fingerprintOf(prepared);
  const { id, definition } = server;
  const common = { id, protocol: definition.protocol, timeouts: definition.timeouts, fingerprint };
  const launch: Launch =
    prepared.kind === 'stdio'
      ? { ...common, ...(await stdioParts(prepared, context)) }
      : { ...common, ...(await remoteParts(prepared, context)) };
  // A person may take minutes to type a value; what was looked at before has to be what is there now (TRUST-2).
  if ((await launchFingerprint(server, context)) !== fingerprint) {
    throw new ManagerError('blockedApproval', { server: id });
  }
  return launch;
}

type Parts<T> = Omit<T, 'id' | 'protocol' | 'timeouts' | 'fingerprint'>;

async function stdioParts(prepared: PreparedStdio, context: LaunchContext): Promise<Parts<StdioLaunch>> {
  const { server, base, executable, calledAs } = prepared;
  const legal = (field: string, value: string): string => assertLegal(prepared, field, value, /^[^\0]*$/);
  const filled = (field: string, value: string): string => assertLegal(prepared, field, value, /^(?=[^\0]*\S)[^\0]+$/);
  const command = filled('command', await prepared.command.value());
  const args = await Promise.all(prepared.args.map(async (arg, at) => legal(`args.${at}`, await arg.value())));
  const written = absolute(base, filled('cwd', await prepared.cwd.value()));
  await assertTrustedFolder(server, written, context);
  // The folder that was looked at, wherever a link leads by then. On Windows a drive's letter would become a network path.
  const { platform = process.platform } = context;
  const cwd = platform === 'win32' ? written : (prepared.realCwd ?? written);
  const env = Object.create(null) as Record<string, string>;
  const field = prepared.envFile?.path;
  if (field?.personal === true) {
    const place = placeOf(base, field, filled('envFile', await field.value()));
    Object.assign(env, (await readEnvFile(server, place, context)).variables);
  }
  for (const [name, value] of prepared.env) {
    env[name] = typeof value === 'string' ? value : legal(`env.${name}`, await value.value());
  }
  return {
    ...{
      kind: 'stdio',
      command,
      args,
      env,
      cwd,
      secrets: [...prepared.secrets, ...secretArguments(args)],
      kept: [...prepared.kept],
      bound: prepared.bound,
    },
    ...(executable === undefined ? {} : { executable }),
    ...(calledAs === undefined ? {} : { calledAs }),
  };
}

/** A person's server works in no folder of a workspace that is not trusted, however its path is written (TRUST-1). */
async function assertTrustedFolder(
  server: ConfiguredServer,
  cwd: string,
  { untrustedFolders = [], home, files = launchFiles }: LaunchContext,
): Promise<void> {
  if (server.scope.kind === 'project' || cwd === home) return;
  const real = await files.realPath(cwd);
  const folders = await Promise.all(untrustedFolders.map((folder) => files.realPath(folder)));
  if (!folders.some((folder) => isInside(folder, real))) return;
  throw new ManagerError('blockedTrust', { server: server.id, field: 'cwd' });
}

function isInside(folder: string, path: string): boolean {
  const way = relative(folder, path);
  return !isAbsolute(way) && !/^\.\.(?:[\\/]|$)/.test(way);
}

async function remoteParts(prepared: PreparedRemote, { mayReach }: LaunchContext): Promise<Parts<RemoteLaunch>> {
  const url = await prepared.url.value();
  assertUrl(prepared.server, prepared.url, url);
  if (mayReach?.(url) === false) throw new ManagerError('blockedRemoteOff', { server: prepared.server.id });
  const headers = Object.create(null) as Record<string, string>;
  for (const [name, value] of prepared.headers) {
    headers[name] = assertLegal(prepared, `headers.${name}`, await value.value(), /^[\t\u0020-\u007e\u0080-\u00ff]*$/);
  }
  const clientSecret = await prepared.clientSecret?.value();
  const secrets = [...prepared.secrets, ...secretValues(headers), ...secretParameters(url)];
  const { transport } = prepared.definition;
  return {
    kind: 'remote',
    url,
    transport,
    headers,
    ...(clientSecret !== undefined && { clientSecret }),
    secrets,
    kept: [...prepared.kept],
  };
}

function secretParameters(url: string): readonly string[] {
  const parameters = [...new URL(url).searchParams];
  return parameters.flatMap(([name, value]) => (isSensitive(name, value) ? [value] : []));
}

function assertLegal({ server }: PreparedLaunch, field: string, value: string, pattern: RegExp): string {
  if (pattern.test(value)) return value;
  const detail = 'its value holds a character that is not allowed there, or nothing';
  throw new ManagerError('configInvalid', { file: server.file, server: server.id, field, detail });
}
