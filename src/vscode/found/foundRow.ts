// How found servers look in the tree: quieter than ours, with the reason where one cannot be taken over. Pure.
import type { FoundServer, FoundView } from '../../core/found/foundView.ts';
import { problemText } from '../problemText.ts';
import { shownLine } from '../shownText.ts';
import type { Translate } from '../translate.ts';
import type { Row } from '../views/treeRow.ts';
import { type FoundGroup, isTakeable } from './foundGroups.ts';
import { clientName, clientNames, shownPath, targetText, unusableText } from './foundText.ts';

const quiet = 'disabledForeground';

export function foundRootRow(view: FoundView, expanded: boolean, t: Translate): Row {
  const label = t('Found Servers');
  const open = view.servers.filter(isTakeable).length;
  const description = open === 0 ? t('in other clients’ files') : countText(view.servers, t);
  return {
    label,
    description,
    icon: { id: 'inbox' },
    flags: open === 0 ? 'found' : 'found+takeable',
    collapsible: expanded ? 'expanded' : 'collapsed',
    spoken: t('{label}, read only: {description}', { label, description }),
  };
}

export function foundGroupRow(group: FoundGroup | undefined, t: Translate): Row {
  const takeable = group?.servers.some(isTakeable) === true ? ['takeable'] : [];
  const label = group?.file === undefined ? t('In Several Clients') : clientName(group.file);
  const path = group?.file === undefined ? countText(group?.servers ?? [], t) : shownPath(group.file);
  const folder = group?.file?.onlyIn;
  const description =
    folder === undefined ? path : t('{path}, for {folder}', { path, folder: shownPath({ path: folder }) });
  return {
    label,
    description,
    icon: { id: group?.file === undefined ? 'layers' : 'file-code' },
    flags: ['foundGroup', ...(group?.file === undefined ? [] : ['openable']), ...takeable].join('+'),
    collapsible: 'collapsed',
    spoken: `${label}, ${description}`,
  };
}

export function foundServerRow(server: FoundServer | undefined, t: Translate): Row {
  if (server === undefined) return { label: t('removed'), flags: 'gone', collapsible: 'none', spoken: t('removed') };
  const label = shownLine(server.name, 100);
  const description = describe(server, t);
  return {
    label,
    description,
    icon: iconOf(server),
    flags: ['foundServer', 'openable', ...(isTakeable(server) ? ['takeable'] : [])].join('+'),
    collapsible: 'none',
    spoken: `${label}, ${description}`,
  };
}

export function foundProblemRow(group: FoundGroup | undefined, t: Translate): Row {
  const problem = group?.problem?.problem;
  const place = problem?.position;
  const label = t('Cannot be read');
  const description =
    place === undefined ? '' : t('line {line}, column {column}', { line: place.line, column: place.column });
  return {
    label,
    ...(description === '' ? {} : { description }),
    icon: { id: 'error', color: 'list.errorForeground' },
    flags: 'foundProblem+openable',
    collapsible: 'none',
    spoken: problem === undefined ? label : problemText(problem, t).text,
    command: 'found.open',
  };
}

/** Only what is still to be taken over is counted as such: some are ours already, some have no place here. */
function countText(servers: readonly FoundServer[], t: Translate): string {
  const open = servers.filter(isTakeable).length;
  const never = servers.filter(({ conversion }) => conversion.kind === 'unusable').length;
  const parts = [
    ...(open === 0 ? [] : [t('{count} to take over', { count: open })]),
    ...(never === 0 ? [] : [t('{count} cannot be', { count: never })]),
  ];
  return parts.length === 0 ? t('nothing to take over') : parts.join(', ');
}

function describe(server: FoundServer, t: Translate): string {
  const { conversion, ours, places } = server;
  if (conversion.kind === 'unusable') return t('cannot be taken over: {why}', { why: unusableText(conversion, t) });
  const parts = [
    ...(places.length > 1 ? [clientNames(server)] : []),
    ...(ours === undefined ? [] : [t('yours already')]),
    ...(conversion.off && ours === undefined ? [t('switched off there')] : []),
    targetText(server),
  ];
  return parts.join(' · ');
}

function iconOf({ conversion, ours }: FoundServer): NonNullable<Row['icon']> {
  if (conversion.kind === 'unusable') return { id: 'circle-slash', color: quiet };
  if (ours !== undefined) return { id: 'check', color: quiet };
  return { id: conversion.definition.kind === 'stdio' ? 'terminal' : 'globe' };
}
