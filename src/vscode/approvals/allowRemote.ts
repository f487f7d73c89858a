import type * as vscode from 'vscode';
import type { App } from '../app.ts';
import { settings } from '../adapters/settings.ts';
import { t } from '../strings.ts';
import { tell } from '../surfaces/tell.ts';
import { remoteHosts, type RemotePlace } from './remoteHosts.ts';

/**
 * TRUST-7: the person turns remote servers on, once, knowing where their arguments go: for all that are configured.
 * `added`: servers that are to come. Undefined where they put the question away without an answer.
 */
export async function allowRemote(app: App, added: readonly RemotePlace[] = []): Promise<boolean | undefined> {
  if (settings.remoteEnabled()) return true;
  const configured = app.manager.view().servers.flatMap(({ server }): readonly RemotePlace[] => {
    const { definition, id } = server;
    return definition.kind === 'remote' ? [{ id, url: definition.url }] : [];
  });
  const detail = [
    t('Remote servers are off. Once they are on, what you and your agents pass to their tools is sent to these hosts:'),
    '',
    ...remoteHosts([...added, ...configured], t),
    '',
    t('Others run them, and may keep what they get. You can turn remote servers off again in your user settings.'),
  ].join('\n');
  const refuse: vscode.MessageItem = { title: t('Keep Off') };
  const allow: vscode.MessageItem = { title: t('Turn On Remote Servers') };
  const answer = await tell.ask(t('Use a remote server?'), detail, refuse, allow);
  if (answer !== allow) return answer === undefined ? undefined : false;
  await settings.enableRemote();
  return true;
}
