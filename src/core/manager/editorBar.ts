// Judges what really runs or is reached by the editor's own settings (POL-4): before, a variable may have hidden it.
import { ManagerError } from '../errors.ts';
import { editorRefusal, type EditorSettings, type ServerIdentity } from '../policy/editorSettings.ts';
import type { Launch } from '../transport/launch.ts';
import type { ManagedServer } from './managedServer.ts';

/** Fails with blockedEditor. */
export function assertEditorAllows(launch: Launch, settings: EditorSettings | undefined): void {
  const refusal = editorRefusal(identityOfLaunch(launch), settings ?? {});
  if (refusal !== undefined) throw new ManagerError('blockedEditor', { server: launch.id, ...refusal });
}

/** Without what the entry holds beside it: no secret but one in an argument or in the URL itself. */
export function identityOfLaunch(launch: Launch): ServerIdentity {
  const { id: name } = launch;
  return launch.kind === 'remote' ? { name, url: launch.url } : { name, command: [launch.command, ...launch.args] };
}

/** Ends what runs and is refused now though its entry does not tell: its next start finds that out, and says why it is none. */
export function restartRefused(servers: readonly ManagedServer[], settings: EditorSettings = {}): void {
  for (const { connection, identity } of servers) {
    if (!connection.active || identity === undefined || editorRefusal(identity, settings) === undefined) continue;
    void connection
      .disconnect()
      .then(() => connection.connect())
      .catch(() => undefined); // Its state tells.
  }
}
