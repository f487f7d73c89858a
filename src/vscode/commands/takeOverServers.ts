import * as vscode from 'vscode';
import type { ServerKey } from '../../core/config/model.ts';
import { serverKey } from '../../core/config/serverKey.ts';
import type { FoundServer } from '../../core/found/foundView.ts';
import { type PlannedServer, planWithout } from '../../core/found/planTakeOver.ts';
import { withProgress } from '../adapters/withProgress.ts';
import type { App } from '../app.ts';
import { allowRemote } from '../approvals/allowRemote.ts';
import type { RemotePlace } from '../approvals/remoteHosts.ts';
import { commandId } from '../contributions.ts';
import { chooseFound } from '../found/chooseFound.ts';
import { isTakeable } from '../found/foundGroups.ts';
import { fateText } from '../found/foundText.ts';
import { TakeOverComparison } from '../found/takeOverComparison.ts';
import { t } from '../strings.ts';
import { tell } from '../surfaces/tell.ts';
import type { Command } from './command.ts';
import { undoRecord } from './undoTakeOver.ts';

/** Copies servers of other clients here and ends their use there; then all of them are approved at once. */
export const takeOverServers: Command = {
  name: 'found.takeOver',
  async run(app, target) {
    const desk = await app.found.desk();
    const { servers } = await desk.found.look();
    const takeable = servers.filter(isTakeable);
    if (takeable.length === 0) {
      void tell.info(t('The files of other clients hold no server that could be taken over.'));
      return;
    }
    const { documents } = app;
    const comparison = new TakeOverComparison({ documents, preview: (chosen) => desk.preview(chosen) });
    const shown = await chooseFound(takeable, pickedAtFirst(app, target, takeable), comparison);
    if (shown === undefined) return;
    const planned = await withoutRefusedRemotes(app, shown.planned);
    if (planned === undefined) return;
    if (planned.length === 0) {
      void tell.info(t('Nothing was taken over: remote servers are off.'));
      return;
    }

    const record = await withProgress(t('Taking over servers'), ({ signal }) =>
      desk.takeOver({ ...shown, planned }, signal),
    );
    const keys = planned.map(({ id, target: { scope } }): ServerKey => serverKey(scope, id));
    await Promise.all([...new Set(planned.map(({ target: { file } }) => file))].map((file) => app.config.reload(file)));
    void tellDone(app, planned, () => undoRecord(app, record));
    await app.manager.review(keys);
  },
};

/** What the menu was opened on, one server or one client’s; from elsewhere nobody said which. */
function pickedAtFirst(app: App, target: unknown, takeable: readonly FoundServer[]): readonly FoundServer[] {
  if (typeof target !== 'object' || target === null) return [];
  const { found, group } = target as { readonly found?: unknown; readonly group?: unknown };
  if (typeof found === 'string') return takeable.filter(({ id }) => id === found);
  if (typeof group !== 'string') return [];
  const inGroup = app.model.foundGroup(group)?.servers.map(({ id }) => id) ?? [];
  return takeable.filter(({ id }) => inGroup.includes(id));
}

/**
 * Where remote servers stay off, theirs stay where they are (TRUST-7): here they could not run. Undefined where the person
 * put the question away: then nothing is done.
 */
async function withoutRefusedRemotes(
  app: App,
  planned: readonly PlannedServer[],
): Promise<readonly PlannedServer[] | undefined> {
  const urlOf = ({ found: { shown } }: PlannedServer): string | undefined =>
    shown?.kind === 'remote' ? shown.url : undefined;
  const remote = planned.flatMap((server): readonly RemotePlace[] => {
    const url = urlOf(server);
    return url === undefined ? [] : [{ id: server.id, url }];
  });
  const isAllowed = remote.length === 0 || (await allowRemote(app, remote));
  if (isAllowed !== false) return isAllowed && planned;
  return planWithout(planned, (server) => urlOf(server) !== undefined);
}

async function tellDone(app: App, planned: readonly PlannedServer[], undo: () => Promise<void>): Promise<void> {
  const names = planned.map(({ id }) => id).join(', ');
  const stays = planned.flatMap(({ originals }) =>
    originals.filter(({ fate }) => fate.kind === 'stays' && fate.why !== 'off'),
  );
  const what =
    planned.length === 1
      ? t('Taken over: {names}.', { names })
      : t('{count} servers taken over: {names}.', { count: planned.length, names });
  const rest = stays.map(({ place, fate }) => `${fateText(place, fate, t)}.`);
  // What was done is told in any case.
  const agents = await agentsWithout(app, planned).catch(() => '');
  if (agents !== '') rest.push(t('Not connected, so without them now: {agents}.', { agents }));
  const [undone, connect] = [t('Undo'), t('Connect an Agent')];
  const answer = await tell.info([what, ...rest].join(' '), undone, ...(agents === '' ? [] : [connect]));
  if (answer === undone) await undo();
  else if (answer === connect) await vscode.commands.executeCommand(commandId('agent.connect'));
}

/** Agents that had the servers and get them no more, by their names. */
async function agentsWithout(app: App, planned: readonly PlannedServer[]): Promise<string> {
  const had = new Set<string>(
    planned.flatMap(({ originals }) =>
      originals.filter(({ fate }) => fate.kind !== 'stays').map(({ place }) => place.file.client),
    ),
  );
  const views = await (await app.agents()).views();
  const without = views.filter(({ id, state }) => had.has(id) && state.kind !== 'connected' && state.kind !== 'stale');
  return without.map(({ name }) => name).join(', ');
}
