// A launch in words, for the person who decides: all of it, nothing shortened, and what changed since they approved it
// (product TRUST-3). Pure.
import { exactPart, exactText as exact } from '../../base/exactText.ts';
import type { ApprovalRequest } from '../../core/ports.ts';
import { shownName } from '../shownText.ts';
import type { Translate } from '../translate.ts';
import { launchChanges } from './launchChanges.ts';
import { launchLines } from './launchLines.ts';

/** What changed, where something did, then the whole of it. */
export function approvalText(request: ApprovalRequest, t: Translate): string {
  const { file, line, id, replacesOwn } = request;
  const place =
    line === undefined
      ? t('Defined in: {file}', { file: exact(file) })
      : t('Defined in: {file}, line {line}', { file: exact(file), line });
  const whole = launchLines(request, t).flatMap(({ text, onlyChanged }) => (onlyChanged ? [] : [text]));
  const changes = changesOf(request, t);
  const instead = t('It takes the place of your own server “{server}”: calls of that name go to this one.', {
    server: id,
  });
  return [
    ...(replacesOwn === true ? [instead] : []),
    ...(changes.length === 0 ? [] : [...changes, '', t('All of it:')]),
    ...whole,
    place,
  ].join('\n');
}

function changesOf({ last, ...request }: ApprovalRequest, t: Translate): readonly string[] {
  if (last === undefined) return [];
  if (last === 'forgotten')
    return [t('This is not what you approved before. What that was is not kept: read all of it.')];
  const changes = launchChanges(last, request, t);
  if (changes.length > 0) return [t('Changed since you approved it:'), ...changes];
  return [t('It is written differently from what you approved before, though it shows alike.')];
}

/** One server in a line, to see at a glance whom the question is about. */
export function summaryLine({ id, scope, what, last }: ApprovalRequest, t: Translate): string {
  const place = scope.kind === 'user' ? t('yours') : t('folder “{folder}”', { folder: shownName(scope.name) });
  const target = exact(what.kind === 'stdio' ? what.command : (what.host ?? what.url));
  const line = t('{server} ({place}): {target}', { server: id, place, target });
  return last === undefined ? line : t('{line} · changed', { line });
}

/** The same for all, then the whole of each: what is not shown cannot be approved with the rest. */
export function groupSections(requests: readonly ApprovalRequest[], t: Translate): readonly ApprovalSection[] {
  const each = requests.map((request) => ({
    heading: headingOf(request, t),
    lines: approvalText(request, t).split('\n'),
  }));
  return [{ lines: requests.map((request) => summaryLine(request, t)) }, ...each];
}

/** The same as text, for a dialog. */
export function textOf(sections: readonly ApprovalSection[]): string {
  return sections
    .map(({ heading, lines }) => [...(heading === undefined ? [] : [heading]), ...lines].join('\n'))
    .join('\n\n');
}

export interface ApprovalSection {
  readonly heading?: string;
  readonly lines: readonly string[];
}

function headingOf({ id }: ApprovalRequest, t: Translate): string {
  return t('Server “{server}”', { server: id });
}

/** More than this and a dialog would hide a part of it behind its own edge. */
export function fitsInDialog(text: string): boolean {
  const lines = text.split('\n');
  return lines.reduce((sum, line) => sum + Math.max(1, Math.ceil(widthOf(line) / 60)), 0) <= 24;
}

/** Call arguments as JSON, a value a line; padding inside of a string is shown as in a launch. */
export function exactJson(value: unknown): readonly string[] {
  const lines = JSON.stringify(value, null, 2).split('\n');
  return lines.map((line) =>
    line.replace(/^( *)(.*)$/s, (_, indent: string, rest: string) => indent + exactPart(rest)),
  );
}

/** Columns, never too few: what is not ASCII counts as two. */
function widthOf(text: string): number {
  let columns = 0;
  for (const character of text) columns += character <= '~' ? 1 : 2;
  return columns;
}
