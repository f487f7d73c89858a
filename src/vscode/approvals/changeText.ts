// What changed in the tools of a server, as two texts for the editor's own comparison: what the person knew, and what the
// server says now (product POL-2). Only tools and fields that differ; hidden characters and padding made visible. Pure.
import { exactPart, exactText } from '../../base/exactText.ts';
import { canonicalJson } from '../../base/canonicalJson.ts';
import type { JsonObject, JsonValue } from '../../contract/json.ts';
import type { ChangedTool } from '../../core/manager/toolReview.ts';
import type { Translate } from '../translate.ts';
import { documentText, exactJson } from './approvalText.ts';

export interface ChangeTexts {
  readonly before: string;
  readonly after: string;
  /** The tools that the texts show; not all where that would be more than an editor takes. */
  readonly shown: readonly ChangedTool[];
}

export interface ChangeTextOptions {
  /** How many answers lie over the first lines. */
  readonly choices: number;
  /** UTF-16 units of each text; what is beyond waits for the next review. */
  readonly largest?: number;
}

export function changeTexts(
  changes: readonly ChangedTool[],
  t: Translate,
  { choices, largest = 1024 * 1024 }: ChangeTextOptions,
): ChangeTexts {
  const shown: ChangedTool[] = [];
  const before: string[] = [];
  const after: string[] = [];
  let length = 0;
  for (const changed of changes) {
    const [old, now] = sidesOf(changed, t);
    length += Math.max(old.length, now.length);
    if (shown.length > 0 && length > largest) break;
    shown.push(changed);
    before.push(old);
    after.push(now);
  }
  const text = (parts: readonly string[]): string => documentText(`${parts.join('\n\n')}\n`, choices);
  return { before: text(before), after: text(after), shown };
}

function sidesOf({ tool, change, known }: ChangedTool, t: Translate): readonly [string, string] {
  const name = t('Tool {tool}', { tool: exactText(tool.name) });
  const now = fields.flatMap((field) => (differs(field, known, tool.raw) ? sectionOf(field, tool.raw, t) : []));
  if (change === 'new') return [`${name}\n${t('(not there before)')}`, [name, ...now].join('\n')];
  if (known === undefined) {
    return [`${name}\n${t('(what it said before was too much to keep)')}`, [name, ...now].join('\n')];
  }
  const before = fields.flatMap((field) => (differs(field, known, tool.raw) ? sectionOf(field, known, t) : []));
  return [[name, ...before].join('\n'), [name, ...now].join('\n')];
}

/** What the hashes of a definition cover, in the order in which a person reads it. */
const fields = ['description', 'inputSchema', 'outputSchema', 'annotations'] as const;
type Field = (typeof fields)[number];

function differs(field: Field, known: JsonObject | undefined, now: JsonObject): boolean {
  if (known === undefined) return now[field] !== undefined;
  return canonicalJson(known[field]) !== canonicalJson(now[field]);
}

function sectionOf(field: Field, raw: JsonObject, t: Translate): readonly string[] {
  return [labelOf(field, t), ...valueLines(raw[field], t)];
}

function labelOf(field: Field, t: Translate): string {
  switch (field) {
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
  const lines = typeof value === 'string' ? textLines(value) : exactJson(sorted(value)).split('\n');
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
