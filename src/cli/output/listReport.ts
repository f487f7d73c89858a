// What `list` tells of one server, in both forms. The JSON form is what scripts rely on: its names never change.
import type { JsonObject } from '../../contract/json.ts';
import { keysWithoutEffect } from '../../contract/withoutEffect.ts';
import type { Problem } from '../../core/connection/state.ts';
import type { Incomplete } from '../../core/discovery/snapshot.ts';
import type { ServerView } from '../../core/manager/view.ts';
import { rulesWithoutTool } from '../../core/manager/rulesWithoutTool.ts';
import { line } from './shownText.ts';
import {
  incompleteWords,
  issueText,
  noiseText,
  problemOfState,
  type StateName,
  stateName,
  stateWords,
  wordsOf,
} from './words.ts';

/** One element of `servers` (GATE-5): the four lists hold items as the server sent them. */
export interface ListedServer {
  readonly id: string;
  readonly state: StateName;
  /** Null unless the server is connected. */
  readonly era: 'legacy' | 'modern' | null;
  /** Protocol revision; null unless the server is connected. */
  readonly revision: string | null;
  readonly tools: readonly JsonObject[];
  readonly resources: readonly JsonObject[];
  readonly resourceTemplates: readonly JsonObject[];
  readonly prompts: readonly JsonObject[];
  /** Which lists are not whole, and why. */
  readonly incomplete?: readonly Incomplete[];
  readonly error?: { readonly code: string; readonly message: string; readonly remedy: string };
}

/** `problem` is what ended the attempt to use the server, where its state does not tell. */
export function listedServer(view: ServerView, problem?: Problem): ListedServer {
  const { state, snapshot, server } = view;
  const negotiated = state.kind === 'ready' ? state.negotiated : undefined;
  const shown = problemOfState(state) ?? problem;
  return {
    id: server.id,
    state: stateName(state),
    era: negotiated?.era ?? null,
    revision: negotiated?.revision ?? null,
    tools: (snapshot?.tools ?? []).map(({ raw }) => raw),
    resources: (snapshot?.resources ?? []).map(({ raw }) => raw),
    resourceTemplates: (snapshot?.resourceTemplates ?? []).map(({ raw }) => raw),
    prompts: (snapshot?.prompts ?? []).map(({ raw }) => raw),
    ...(snapshot === undefined || snapshot.incomplete.length === 0 ? {} : { incomplete: snapshot.incomplete }),
    ...(shown === undefined ? {} : { error: { code: shown.code, ...wordsOf(shown) } }),
  };
}

/** The text form: a headline, then the offer or the reason; ends with a line end. */
export function listText(view: ServerView, problem?: Problem): string {
  const listed = listedServer(view, problem);
  const parts = [headline(listed)];
  for (const [title, items, nameOf] of sections(listed)) {
    if (items.length > 0) parts.push(`  ${title}`, ...items.map((item) => itemLine(nameOf(item), item)));
  }
  for (const { kind, reason, detail } of listed.incomplete ?? []) {
    parts.push(`  ${kind}: not complete (${incompleteWords[reason]}): ${line(detail)}`);
  }
  const { issues = [], issueCount = 0 } = view.snapshot ?? {};
  parts.push(...issues.map(({ kind, ...issue }) => `  ${kind}: ${issueText(issue)}`));
  if (issueCount > issues.length) parts.push(`  and ${issueCount - issues.length} more`);
  for (const warning of view.warnings) parts.push(`  note: ${wordsOf(warning).message}`);
  const idle = keysWithoutEffect(view.server.definition);
  if (idle.length > 0) parts.push(`  note: ${idle.join(', ')}: this version does not act on it yet`);
  const odd = view.server.outOfPlace ?? [];
  if (odd.length > 0) parts.push(`  note: ${line(odd.join(', '))}: nothing acts on it here; check its name`);
  const unruled = rulesWithoutTool(view);
  if (unruled.length > 0) parts.push(`  note: no such tool, so its rule has no effect: ${line(unruled.join(', '))}`);
  const shown = problemOfState(view.state) ?? problem;
  // A reason that counts them counts to the last; the view knows the number of some time before.
  const counted = shown?.data['noiseLines'] !== undefined;
  if (view.noiseCount > 0 && !counted) parts.push(`  note: ${noiseText(view.noiseCount)}`);
  if (listed.error !== undefined) parts.push(`  ${listed.error.message}`, `  ${listed.error.remedy}`);
  parts.push(...(shown?.stderr ?? []).map((text) => `  | ${line(text)}`));
  return `${parts.join('\n')}\n`;
}

function headline(listed: ListedServer): string {
  const { id, state, era, revision } = listed;
  if (era === null) return `${id}: ${stateWords[state]}`;
  const counts = sections(listed).map(
    ([title, { length }]) => `${length} ${length === 1 ? title.replace(/s$/, '') : title}`,
  );
  return `${id}: ${stateWords[state]}, ${era} ${line(revision ?? '', 40)}, ${counts.join(', ')}`;
}

type Section = readonly [title: string, items: readonly JsonObject[], nameOf: (item: JsonObject) => string];

function sections(listed: ListedServer): readonly Section[] {
  const by = (field: string) => (item: JsonObject) => textOf(item[field]);
  return [
    ['tools', listed.tools, by('name')],
    ['resources', listed.resources, by('uri')],
    ['resource templates', listed.resourceTemplates, by('uriTemplate')],
    ['prompts', listed.prompts, by('name')],
  ];
}

function itemLine(name: string, item: JsonObject): string {
  const description = line(textOf(item['description']) || textOf(item['title']), 100);
  return `    ${line(name, 200)}${description === '' ? '' : `  ${description}`}`;
}

function textOf(value: unknown): string {
  return typeof value === 'string' ? value : '';
}
