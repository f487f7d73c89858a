// The words about servers in the files of other clients: who has them, what becomes of them there, what cannot come along.
// Pure. Everything that a file says passes through `shownLine`; secrets are hidden in `shown` already.
import { homedir } from 'node:os';
import { type ClientFile, clientOf } from '../../core/agents/clients.ts';
import type { FoundNote, UnusableEntry } from '../../core/found/foundEntry.ts';
import type { FoundPlace, FoundServer } from '../../core/found/foundView.ts';
import type { OriginalFate } from '../../core/found/fateOf.ts';
import { shownLine } from '../shownText.ts';
import type { Translate } from '../translate.ts';
import { originOf, shownCommand } from '../views/shownTarget.ts';

export function clientName({ client }: ClientFile): string {
  return clientOf(client).name;
}

/** The file as a person knows it. */
export function shownPath({ path }: Pick<ClientFile, 'path'>, home = homedir()): string {
  const inHome = path.startsWith(home) && /[\\/]/.test(path[home.length] ?? '');
  return shownLine(inHome ? `~${path.slice(home.length)}` : path, 200);
}

/** Each client once. */
export function clientNames({ places }: FoundServer): string {
  return [...new Set(places.map(({ file }) => clientName(file)))].join(', ');
}

/** What it runs or reaches, in short. */
export function targetText({ shown }: FoundServer): string {
  if (shown === undefined) return '';
  return shownLine(shown.kind === 'stdio' ? shownCommand(shown) : originOf(shown.url), 200);
}

export function unusableText({ reason, detail }: UnusableEntry, t: Translate): string {
  const what = shownLine(detail, 120);
  switch (reason) {
    case 'shape':
      return t('its entry is no object');
    case 'nothing':
      return t('it names nothing to run or reach');
    case 'client':
      return t('its client runs a part of it itself ({what})', { what });
    case 'transport':
      return t('it speaks {what}, which is no transport of MCP here', { what });
    case 'variable':
      return t('nothing here stands for {what}', { what });
    case 'refused':
      return t('not allowed here: {what}', { what });
  }
}

export function noteText(note: FoundNote, t: Translate): string {
  switch (note.kind) {
    case 'leftBehind':
      return t('{key} does not come along: nothing here stands for it.', { key: shownLine(note.key, 80) });
    case 'askedFor':
      return t('{name} is asked for at the first start: its client keeps the value itself.', {
        name: shownLine(note.name, 80),
      });
    case 'skippedThere':
      return t('Its client skips it, because it has no type; here it would run.');
  }
}

/** What taking over does to one original. */
export function fateText({ file }: FoundPlace, fate: OriginalFate, t: Translate): string {
  const client = clientName(file);
  const path = shownPath(file);
  switch (fate.kind) {
    case 'switchedOff':
      return t('{client}: switched off in {path}', { client, path });
    case 'removed':
      return t('{client}: taken out of {path}', { client, path });
    case 'stays':
      return stayText(client, path, fate.why, t);
  }
}

function stayText(
  client: string,
  path: string,
  why: Extract<OriginalFate, { kind: 'stays' }>['why'],
  t: Translate,
): string {
  switch (why) {
    case 'off':
      return t('{client}: is switched off already in {path}', { client, path });
    case 'team':
      return t('{client}: stays in {path}, which your team shares; remove it there by hand', { client, path });
    case 'foreign':
      return t('{client}: stays in {path}, which other programs read too; remove it there by hand', { client, path });
    case 'format':
      return t('{client}: stays in {path}, which cannot be edited safely; remove it there by hand', { client, path });
  }
}
