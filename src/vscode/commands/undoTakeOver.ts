import type * as vscode from 'vscode';
import { serverKey } from '../../core/config/serverKey.ts';
import { isStillOurs, type RemovalDoubt, type UndoneServer } from '../../core/found/takeOver.ts';
import type { TakenServer, TakeOverRecord } from '../../core/found/takeOverLog.ts';
import type { ServerId } from '../../contract/serverConfig.ts';
import { clients } from '../../core/agents/clients.ts';
import { withProgress } from '../adapters/withProgress.ts';
import type { App } from '../app.ts';
import { shownPath } from '../found/foundText.ts';
import { askChoice } from '../input/ask.ts';
import { t } from '../strings.ts';
import { tell } from '../surfaces/tell.ts';
import type { Command } from './command.ts';

/** Puts the originals of a take-over back and takes out what was written here. */
export const undoTakeOver: Command = {
  name: 'found.undo',
  async run(app) {
    const records = await (await app.found.desk()).records();
    if (records.length === 0) {
      void tell.info(t('Nothing was taken over that could be undone.'));
      return;
    }
    const choices = records.map((record) => ({
      label: record.servers.map(({ id }) => id).join(', '),
      description: new Date(record.at).toLocaleString(),
      detail: t('from {clients}', { clients: clientsOf(record) }),
      value: record,
    }));
    const question = { title: t('Undo Take Over'), prompt: t('Choose what goes back to where it was') };
    const answer = await askChoice(question, choices);
    if (answer?.kind === 'given') await undoRecord(app, answer.value);
  },
};

export async function undoRecord(app: App, record: TakeOverRecord): Promise<void> {
  const desk = await app.found.desk();
  const undone = await withProgress(t('Undoing the take-over'), () => desk.undo(record, removeChanged));
  const files = [...new Set(record.servers.map(({ file }) => file))];
  await Promise.all(files.map((file) => app.config.reload(file)));
  const gone = record.servers.filter(({ id }) =>
    undone.some((server) => server.id === id && server.ours === 'removed'),
  );
  await app.manager.revoke(gone.map(({ scope, id }) => serverKey(scope, id as ServerId)));
  void tell.info(doneText(undone));
}

/** Enter keeps it. */
async function removeChanged({ id, file }: TakenServer, doubt: RemovalDoubt): Promise<boolean> {
  const keep: vscode.MessageItem = { title: t('Keep') };
  const remove: vscode.MessageItem = { title: t('Remove') };
  const [question, detail] =
    doubt === 'oursChanged'
      ? [
          t('“{server}” was changed here since it was taken over. Remove it all the same?', { server: id }),
          t('Its original is put back in any case. Kept, it stays in {file} besides.', { file }),
        ]
      : [
          t(
            '“{server}” was changed where it was taken from, so it is not put back there. Remove it here all the same?',
            {
              server: id,
            },
          ),
          t('Removed, it may run nowhere any more. Kept, the take-over can be undone later.'),
        ];
  return (await tell.ask(question, detail, keep, remove)) === remove;
}

function doneText(undone: readonly UndoneServer[]): string {
  const names = undone
    .filter((server) => !isStillOurs(server))
    .map(({ id }) => id)
    .join(', ');
  const left = undone
    .flatMap(({ originals }) => originals)
    .filter(({ outcome }) => outcome === 'changedSince')
    .map(({ place: { name, path } }) =>
      t('“{name}” in {path} was changed meanwhile and stays as it is.', { name, path: shownPath({ path }) }),
    );
  return [...(names === '' ? [] : [t('Undone: {names}.', { names })]), ...left].join(' ');
}

function clientsOf({ servers }: TakeOverRecord): string {
  const ids = new Set(servers.flatMap(({ places }) => places.map(({ client }) => client)));
  return clients.flatMap(({ id, name }) => (ids.has(id) ? [name] : [])).join(', ');
}
