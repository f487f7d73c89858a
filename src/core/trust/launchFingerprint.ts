// The hash of what would really run or be reached (TRUST-2). It covers the canonical executable and the path that it is
// called by, args, cwd, env with values and the envFile's content, or the URL and the headers; values that come from the
// person are covered by their reference. So are the files that a launcher decides by, what the file says of the inputs in
// use, and whose definition it is: no approval speaks for another.
import { createHash } from 'node:crypto';
import { canonicalJson } from '../../base/canonicalJson.ts';
import type { ConfiguredServer } from '../config/model.ts';
import type { LaunchFingerprint } from '../transport/launch.ts';
import type { LaunchContext } from './launchContext.ts';
import {
  isFixed,
  prepareLaunch,
  type PreparedLaunch,
  type PreparedRemote,
  type PreparedStdio,
} from './prepareLaunch.ts';

/** The fingerprint of what is on disk at this moment. Asks nothing of the person; fails as prepareLaunch does. */
export async function launchFingerprint(server: ConfiguredServer, context: LaunchContext): Promise<LaunchFingerprint> {
  return fingerprintOf(await prepareLaunch(server, context));
}

/** The fingerprint of a launch that was already looked at. */
export function fingerprintOf(prepared: PreparedLaunch): LaunchFingerprint {
  const what = prepared.kind === 'remote' ? remoteParts(prepared) : stdioParts(prepared);
  const { key, inputs } = prepared.server;
  const text = canonicalJson({ format: 3, server: key, kind: prepared.kind, ...(inputs && { inputs }), ...what });
  return createHash('sha256').update(text).digest('hex') as LaunchFingerprint;
}

function stdioParts(prepared: PreparedStdio): Record<string, unknown> {
  const { command, executable, calledAs, args, cwd, realCwd, env, envFile, launcherFiles } = prepared;
  return {
    // Some programs load what lies beside the link they are called through; how the link was written makes no difference.
    command: calledAs ?? command.pieces,
    executable: executable ?? null,
    args: args.map((arg) => arg.pieces),
    cwd: followsWindow(prepared) ? [{ ref: '${workspaceFolder}' }] : (realCwd ?? cwd.pieces),
    env: Object.fromEntries(
      [...env].map(([name, value]) => [name, typeof value === 'string' ? [value] : value.pieces]),
    ),
    envFile: envFile === undefined ? null : (envFile.hash ?? envFile.path.pieces),
    ...(launcherFiles.length === 0 ? {} : { launcherFiles: launcherFiles.map(({ path, hash }) => [path, hash]) }),
  };
}

/** A person's own server works in the folder that is open, if one is; it is not a new one in each window. */
function followsWindow({ server, definition }: PreparedStdio): boolean {
  return server.scope.kind === 'user' && definition.cwd === undefined && !definition.persistent;
}

/** Headers as they are: where a value of the person's goes is a part of what is approved, so is the text around it. */
function remoteParts({ url, headers, clientSecret }: PreparedRemote): Record<string, unknown> {
  const names = [...headers].map(([name, value]) => [name.toLowerCase(), value.pieces]);
  return {
    url: isFixed(url) ? [new URL(url.shown).href] : url.pieces,
    headers: Object.fromEntries(names),
    ...(clientSecret === undefined ? {} : { clientSecret: clientSecret.pieces }),
  };
}
