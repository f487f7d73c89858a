import { shownLine } from '../shownText.ts';
import type { ConfigScope } from '../../contract/serverConfig.ts';
import { serverKey } from '../../core/config/serverKey.ts';
import { withProgress } from '../adapters/withProgress.ts';
import type { App } from '../app.ts';
import { allowRemote } from '../approvals/allowRemote.ts';
import { askChoice, askText } from '../input/ask.ts';
import { entryOf, idFault, type ServerLine, serverLine, suggestedId } from '../input/serverLine.ts';
import { t } from '../strings.ts';
import type { Command } from './command.ts';

type Known = Exclude<ServerLine, { kind: 'wrong' }>;
type Place = ReturnType<App['config']['places']>[number];

/** The short way to a new server: what to run or reach, where to keep it, what to call it; then it starts. */
export const addServer: Command = {
  name: 'server.add',
  async run(app) {
    const line = await askLine();
    if (line === undefined || (line.kind === 'remote' && (await allowRemote(app, [{ url: line.url }])) !== true))
      return;
    const place = await askPlace(app);
    if (place === undefined) return;
    const id = await askId(app, line, place);
    if (id === undefined) return;
    const file = await app.config.store(place.file)?.upsert(id, entryOf(line));
    const added = file?.servers.find((server) => server.id === id);
    if (added === undefined) return;
    // A project's file is for others too: what it runs is approved as theirs is.
    if (added.scope.kind === 'user') await app.manager.approveWritten(added);
    await app.config.reload(place.file);
    await withProgress(t('Starting “{server}”', { server: id }), ({ signal }) =>
      app.manager.start(serverKey(added.scope, added.id), { signal }),
    );
  },
};

async function askLine(): Promise<Known | undefined> {
  const answer = await askText({
    title: t('Add MCP Server'),
    prompt: t('A command line, such as npx -y @scope/server, or the https address of a remote server'),
    check: (text) => {
      const line = serverLine(text);
      return line.kind === 'wrong' ? faultWords(line.why) : undefined;
    },
  });
  const line = answer?.kind === 'given' ? serverLine(answer.value) : undefined;
  return line === undefined || line.kind === 'wrong' ? undefined : line;
}

function faultWords(why: 'empty' | 'quote' | 'url'): string {
  switch (why) {
    case 'empty':
      return t('Type a command line or a URL.');
    case 'quote':
      return t('A quote is not closed.');
    case 'url':
      return t('The URL has to begin with https, or http on this machine, and hold no user name, blank or backslash.');
  }
}

async function askPlace(app: App): Promise<Place | undefined> {
  const [first, ...others] = app.config.places();
  if (first === undefined || others.length === 0) return first;
  const choices = [first, ...others].map((place) => ({
    ...placeLabel(place.scope),
    description: place.file,
    value: place,
  }));
  const answer = await askChoice({ title: t('Add MCP Server'), prompt: t('Where is it kept?') }, choices);
  return answer?.kind === 'given' ? answer.value : undefined;
}

function placeLabel(scope: ConfigScope): { label: string } {
  if (scope.kind === 'user') return { label: t('User: in all your workspaces') };
  return { label: t('Project: {folder}', { folder: shownLine(scope.name, 100) }) };
}

async function askId(app: App, line: Known, place: Place): Promise<string | undefined> {
  const taken = new Set(
    app.config
      .store(place.file)
      ?.get()
      .servers.map((server): string => server.id),
  );
  const answer = await askText({
    title: t('Add MCP Server'),
    prompt: t('A short name for it'),
    value: suggestedId(line, taken),
    check: (id) => {
      const fault = idFault(id, taken);
      return fault === undefined ? undefined : idWords(fault);
    },
  });
  return answer?.kind === 'given' ? answer.value : undefined;
}

function idWords(fault: NonNullable<ReturnType<typeof idFault>>): string {
  switch (fault) {
    case 'form':
      return t('1 to 32 letters, digits, hyphens or single underscores, and no reserved word.');
    case 'taken':
      return t('There is a server of this name already.');
  }
}
