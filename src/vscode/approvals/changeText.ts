// What changed in the tools of a server, in lines for a page: what the person knew, and what the server says now (product
// POL-2). Only tools and fields that differ; hidden characters and padding made visible. Pure.
import { diffArrays } from 'diff';
import { exactPart, exactText } from '../../base/exactText.ts';
import { canonicalJson } from '../../base/canonicalJson.ts';
import type { JsonObject, JsonValue } from '../../contract/json.ts';
import { limits } from '../../core/limits.ts';
import type { ChangedTool } from '../../core/manager/toolReview.ts';
import type { Translate } from '../translate.ts';
import { exactJson } from './approvalText.ts';
import type { ChangedLine, PageSection } from './questionPage.ts';

export interface ChangeText {
  /** One a tool. */
  readonly sections: readonly PageSection[];
  /** The tools that they show; not all where that would be more than a page takes. */
  readonly shown: readonly ChangedTool[];
}

/** `largest`: UTF-16 units; what is beyond waits for the next review. */
export function changeText(
  changes: readonly ChangedTool[],
  t: Translate,
  largest: number = limits.toolReview.shown,
): ChangeText {
  const shown: ChangedTool[] = [];
  const sections: PageSection[] = [];
  let length = 0;
  for (const changed of changes) {
    const lines = linesOf(changed, t);
    length += lines.reduce((sum, line) => sum + (typeof line === 'string' ? line : line.text).length, 0);
    if (shown.length > 0 && length > largest) break;
    shown.push(changed);
    sections.push({ heading: t('Tool {tool}', { tool: exactText(changed.tool.name) }), lines });
  }
  return { sections, shown };
}

function linesOf({ tool, change, known }: ChangedTool, t: Translate): PageSection['lines'] {
  const now = tool.raw;
  const missing =
    change === 'new'
      ? [t('(not there before)')]
      : known === undefined
        ? [t('(what it said before was too much to keep)')]
        : [];
  const differing = fields.filter((field) => differs(field, known, now));
  const each = differing.flatMap((field) => [
    labelOf(field, t),
    ...(known === undefined
      ? valueLines(now[field], t).map((text): ChangedLine => ({ side: 'now', text }))
      : compared(valueLines(known[field], t), valueLines(now[field], t))),
  ]);
  return [...missing, ...each];
}

/** Lines that both have stand once; where that takes too long to find out, each side stands whole. */
function compared(before: readonly string[], now: readonly string[]): PageSection['lines'] {
  const parts = diffArrays([...before], [...now], { maxEditLength: limits.toolReview.edits });
  if (parts === undefined) return [...sideLines('before', before), ...sideLines('now', now)];
  return parts.flatMap(({ value, added, removed }): PageSection['lines'] =>
    added || removed ? sideLines(removed ? 'before' : 'now', value) : value,
  );
}

function sideLines(side: ChangedLine['side'], lines: readonly string[]): readonly ChangedLine[] {
  return lines.map((text) => ({ side, text }));
}

/** What the hashes of a definition cover, in the order in which a person reads it. */
const fields = ['title', 'description', 'inputSchema', 'outputSchema', 'annotations'] as const;
type Field = (typeof fields)[number];

function differs(field: Field, known: JsonObject | undefined, now: JsonObject): boolean {
  if (known === undefined) return now[field] !== undefined;
  return canonicalJson(known[field]) !== canonicalJson(now[field]);
}

function labelOf(field: Field, t: Translate): string {
  switch (field) {
    case 'title':
      return t('Title:');
    case 'description':
      return t('Description:');
    case 'inputSchema':
      return t('What it takes:');
    case 'outputSchema':
      return t('What it gives back:');
    case 'annotations':
      return t('What it says of its effects:');
  }
}

/** Each with an indent that no label has. */
function valueLines(value: JsonValue | undefined, t: Translate): readonly string[] {
  if (value === undefined) return [`  ${t('(nothing)')}`];
  const lines = typeof value === 'string' ? textLines(value) : exactJson(sorted(value));
  return lines.map((line) => `  ${line}`);
}

/** A line of its own for each line of the text, with the sign of its end. */
function textLines(text: string): readonly string[] {
  if (text === '') return ['""'];
  const lines = text.split('\n');
  return lines.map((line, index) => exactPart(index < lines.length - 1 ? `${line}\n` : line));
}

/** A server that writes its keys in another order changed nothing. */
function sorted(value: JsonValue): unknown {
  return JSON.parse(canonicalJson(value));
}
