// The result of a list, as bytes, from what is known of a server: made once for each snapshot and given to every client
// (GATE-1). Pages are cut by size, so that no answer holds everybody up; a cursor names the snapshot that it is of.
import type { JsonObject } from '../contract/json.ts';
import type { ServerSnapshot } from '../core/discovery/snapshot.ts';
import { limits } from '../core/limits.ts';
import { RpcFailure } from './outcomes.ts';
import type { Outcome } from './reply.ts';

export type ListKind = 'tools' | 'resources' | 'resourceTemplates' | 'prompts';

export const listMethods: Readonly<Record<string, ListKind>> = {
  'tools/list': 'tools',
  'resources/list': 'resources',
  'resources/templates/list': 'resourceTemplates',
  'prompts/list': 'prompts',
};

/**
 * One page; `extra` is what the era adds to each result, `pages` the snapshot's list as somebody else cut it. Fails with an
 * RpcFailure where the cursor is none of ours.
 */
export function listPage(
  snapshot: ServerSnapshot,
  kind: ListKind,
  cursor: unknown,
  extra: JsonObject,
  pages: readonly Buffer[] = pagesOf(snapshot, kind),
): Outcome {
  const index = cursor === undefined ? 0 : indexOf(cursor, snapshot, pages.length);
  const next = (after: number): string => `${snapshot.generation}.${snapshot.revision}.${after}`;
  return pageOutcome(pages, index, next, extra);
}

/** `next`: the cursor of a later page. Fails with an RpcFailure where there is no such page. */
export function pageOutcome(
  pages: readonly Buffer[],
  index: number,
  next: (index: number) => string,
  extra: JsonObject = {},
): Outcome {
  const page = pages[index];
  if (page === undefined) throw new RpcFailure(-32602, 'Invalid params: this cursor is not known any more; list anew.');
  const more = index + 1 < pages.length ? { nextCursor: next(index + 1) } : {};
  const rest = JSON.stringify({ ...more, ...extra }).slice(1);
  const tail = Buffer.from(rest === '}' ? rest : `,${rest}`);
  const frame = Buffer.concat([page, tail]);
  return { kind: 'raw', answer: { frame, idFrom: 0, idTo: 0, resultFrom: 0, resultTo: frame.length } };
}

function indexOf(cursor: unknown, { generation, revision }: ServerSnapshot, count: number): number {
  const [, index] =
    typeof cursor === 'string' ? (new RegExp(`^${generation}\\.${revision}\\.(\\d{1,6})$`).exec(cursor) ?? []) : [];
  return index === undefined ? count : Number(index);
}

const kept = new WeakMap<ServerSnapshot, Map<ListKind, readonly Buffer[]>>();

/** Each page without its last bracket. */
function pagesOf(snapshot: ServerSnapshot, kind: ListKind): readonly Buffer[] {
  const known = kept.get(snapshot) ?? new Map<ListKind, readonly Buffer[]>();
  kept.set(snapshot, known);
  const pages = known.get(kind) ?? cutPages(kind, snapshot[kind]);
  known.set(kind, pages);
  return pages;
}

/** The pages of a list by size, each as the beginning of its result, which `pageOutcome` ends. */
export function cutPages(
  kind: ListKind,
  items: readonly { readonly raw: JsonObject }[],
  most: number = limits.gateway.listPage,
): readonly Buffer[] {
  const pages: Buffer[] = [];
  let texts: string[] = [];
  let size = 0;
  const end = (): void => {
    pages.push(Buffer.from(`{"${kind}":[${texts.join(',')}]`));
    texts = [];
    size = 0;
  };
  for (const { raw } of items) {
    const text = JSON.stringify(raw);
    if (texts.length > 0 && size + text.length > most) end();
    texts.push(text);
    size += text.length;
  }
  if (texts.length > 0 || pages.length === 0) end();
  return pages;
}
