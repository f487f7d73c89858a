// A planned edit as lines for a page: what goes and what comes, with a few lines around it. Values that look like secrets are
// hidden on both sides: the file is another program's, and it is the change that a person decides about. Pure.
import { exactPart } from '../../base/exactText.ts';
import { Redactor } from '../../base/redact.ts';
import { isJsonObject } from '../../contract/json.ts';
import type { PlannedEdit } from '../../core/agents/clientFile.ts';
import { parseText, valueAt } from '../../core/agents/clientText.ts';
import { hunkBetween } from '../../core/agents/textHunk.ts';
import { convertEntry } from '../../core/found/convertEntry.ts';
import { extractSecrets } from '../../core/found/extractSecrets.ts';
import type { ChangedLine, PageSection } from '../approvals/questionPage.ts';

export interface ShownEdit {
  readonly lines: PageSection['lines'];
  /** Of the first of them in the file, from 1. */
  readonly from: number;
}

export function shownEdit({ file, keyPath, before = '', after }: PlannedEdit): ShownEdit {
  const redactor = new Redactor();
  const parsed = parseText(file.format, before);
  const servers = parsed.kind === 'parsed' ? valueAt(parsed.value, keyPath) : undefined;
  for (const raw of isJsonObject(servers) ? Object.values(servers) : []) {
    const conversion = isJsonObject(raw) ? convertEntry(file.shape, raw) : undefined;
    if (conversion?.kind !== 'entry') continue;
    const { secrets } = extractSecrets(conversion.entry, () => '${secret:x}');
    for (const { value } of secrets) redactor.add(value, { kept: true });
  }
  return comparedLines(linesOf(redactor.text(before)), linesOf(redactor.text(after)));
}

/** Lines that both have around the change. */
const contextLines = 3;

function comparedLines(before: readonly string[], after: readonly string[]): ShownEdit {
  const shorter = Math.min(before.length, after.length);
  let start = 0;
  while (start < shorter && before[start] === after[start]) start += 1;
  let end = 0;
  while (end < shorter - start && before.at(-1 - end) === after.at(-1 - end)) end += 1;
  const first = Math.max(0, start - contextLines);
  const [gone, come] = [before.slice(start, before.length - end), after.slice(start, after.length - end)];
  const { at, removed, inserted } = hunkBetween(gone.join('\n'), come.join('\n'));
  const rest = after.slice(after.length - end);
  return {
    from: first + 1,
    lines: [
      ...after.slice(first, start).map(shownText),
      ...changedLines('before', gone, at, at + removed.length),
      ...changedLines('now', come, at, at + inserted.length),
      ...rest.slice(0, contextLines).map(shownText),
    ],
  };
}

/** `from` and `to`: what differs in the lines, as if they were one text. */
function changedLines(side: ChangedLine['side'], lines: readonly string[], from: number, to: number): ChangedLine[] {
  let offset = 0;
  return lines.map((line) => {
    const [start, end] = [Math.max(0, from - offset), Math.min(line.length, to - offset)];
    offset += line.length + 1;
    const text = shownText(line);
    // Where characters stand as their numbers, places in it are others.
    const isPart = text === line && start < end && end - start < line.length;
    return { side, text, ...(isPart && { part: { start, end } }) };
  });
}

function linesOf(text: string): readonly string[] {
  return text === '' ? [] : text.replace(/\r?\n$/, '').split(/\r?\n/);
}

/** The indent stays as it is. */
function shownText(line: string): string {
  const indent = /^[ \t]*/.exec(line)?.[0] ?? '';
  return indent + exactPart(line.slice(indent.length));
}
