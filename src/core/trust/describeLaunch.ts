// What a person has to approve, and the fingerprint that binds it (TRUST-2, TRUST-3), without asking for anything of theirs.
import type { ConfiguredServer } from '../config/model.ts';
import type { ApprovalRequest } from '../ports.ts';
import type { LaunchFingerprint } from '../transport/launch.ts';
import { fingerprintOf } from './launchFingerprint.ts';
import type { LaunchContext } from './launchContext.ts';
import { absolute, isFixed, prepareLaunch, type PreparedLaunch } from './prepareLaunch.ts';
import { shownValue } from './shownValue.ts';
import type { BoundField } from './template.ts';

/** Looks at the definition anew, from disk. Fails as prepareLaunch does: what cannot start is no question. */
export async function describeLaunch(server: ConfiguredServer, context: LaunchContext): Promise<ApprovalRequest> {
  const prepared = await prepareLaunch(server, context);
  return requestOf(prepared, fingerprintOf(prepared));
}

function requestOf(prepared: PreparedLaunch, fingerprint: LaunchFingerprint): ApprovalRequest {
  const { id, scope, file, position, inputs } = prepared.server;
  const place = { file, ...(position === undefined ? {} : { line: position.line }) };
  const common = { id, scope, fingerprint, ...place, references: referencesOf(prepared), ...(inputs && { inputs }) };
  if (prepared.kind === 'remote') {
    const headers = Object.fromEntries([...prepared.headers].map(([name, value]) => [name, shownValue(name, value)]));
    return {
      ...common,
      what: { kind: 'remote', ...targetOf(prepared.url), headers },
    };
  }
  const { command, executable, calledAs, bound, args, cwd, realCwd, env, envFile, launcherFiles, base } = prepared;
  return {
    ...common,
    what: {
      kind: 'stdio',
      command: command.shown,
      executable,
      ...(calledAs === undefined || calledAs === executable ? {} : { calledAs }),
      ...(bound ? {} : { executableOpen: true }),
      args: args.map((arg) => arg.shown),
      // What is relative to which folder is not known of a path that a value of the person's may begin.
      cwd: isFixed(cwd) ? absolute(base, cwd.shown) : cwd.shown,
      ...(realCwd === undefined ? {} : { realCwd }),
      env: Object.fromEntries([...env].map(([name, value]) => [name, shownValue(name, value)])),
      ...(envFile === undefined ? {} : { envFile: envFile.path.shown }),
      ...(envFile?.hash === undefined ? {} : { envFileHash: envFile.hash }),
      ...(launcherFiles.length > 0 && {
        launcherFiles: Object.fromEntries(launcherFiles.map(({ path, hash }) => [path, hash])),
      }),
    },
  };
}

/** Where requests go to, by the same reading of the URL as theirs, as far as it is known without the person's values. */
function targetOf(field: BoundField): { readonly url: string; readonly reached?: string; readonly host?: string } {
  const url = field.shown;
  if (isFixed(field)) return { url, reached: new URL(url).href, host: new URL(url).host };
  const [beginning] = field.pieces;
  const origin = typeof beginning === 'string' ? /^https?:\/\/[^/?#\\]+(?=[/?#])/i.exec(beginning)?.[0] : undefined;
  return origin === undefined || !URL.canParse(origin) ? { url } : { url, host: new URL(origin).host };
}

/** Every value of the person's that the launch uses, once, as written. */
function referencesOf(prepared: PreparedLaunch): readonly string[] {
  // The folder that a server works in by default is nothing that its definition asks for.
  const written = prepared.kind === 'stdio' && prepared.definition.cwd !== undefined ? prepared.cwd : undefined;
  const fields =
    prepared.kind === 'remote'
      ? [prepared.url, ...prepared.headers.values(), prepared.clientSecret]
      : [prepared.command, ...prepared.args, written, ...prepared.env.values(), prepared.envFile?.path];
  const refs = fields.flatMap((field) => (field === undefined || typeof field === 'string' ? [] : field.pieces));
  return [...new Set(refs.flatMap((piece) => (typeof piece === 'string' ? [] : [piece.ref])))];
}
