// The newest list of each kind, put together to one snapshot: pure. A reading replaces the lists that it read well;
// one that failed leaves the list of before and a warning (DISC-4).
import type { Era, Generation } from '../connection/state.ts';
import type { ManagerError } from '../errors.ts';
import { limits } from '../limits.ts';
import type { Discovery, Listed, ListOutcome } from './discover.ts';
import { offerKinds } from './offerKinds.ts';
import type { OfferWarning } from './offerWarning.ts';
import { describe } from './paging.ts';
import type { Incomplete, OfferedItem, OfferedTool, OfferKind, ServerSnapshot } from './snapshot.ts';

export interface OfferLists {
  readonly tools: Kept<OfferedTool>;
  readonly resources: Kept<OfferedItem>;
  readonly resourceTemplates: Kept<OfferedItem>;
  readonly prompts: Kept<OfferedItem>;
}

interface Kept<T> {
  /** The last good reading; undefined before the first one. */
  readonly list?: Listed<T>;
  /** The failure of a later reading. */
  readonly failure?: OfferWarning;
}

export const noLists: OfferLists = { tools: {}, resources: {}, resourceTemplates: {}, prompts: {} };

export function withDiscovery(lists: OfferLists, discovery: Discovery): OfferLists {
  const merge = <T>(kind: OfferKind, kept: Kept<T>, outcome: ListOutcome<T> | undefined): Kept<T> =>
    outcome === undefined ? kept : merged(kind, kept, outcome);
  return {
    tools: merge('tools', lists.tools, discovery.tools),
    resources: merge('resources', lists.resources, discovery.resources),
    resourceTemplates: merge('resourceTemplates', lists.resourceTemplates, discovery.resourceTemplates),
    prompts: merge('prompts', lists.prompts, discovery.prompts),
  };
}

export function snapshotOf(
  lists: OfferLists,
  of: { readonly generation: Generation; readonly revision: number; readonly era: Era },
): ServerSnapshot {
  const all = offerKinds.map((kind) => [kind, lists[kind]] as const);
  return {
    ...of,
    tools: lists.tools.list?.items ?? [],
    resources: lists.resources.list?.items ?? [],
    resourceTemplates: lists.resourceTemplates.list?.items ?? [],
    prompts: lists.prompts.list?.items ?? [],
    issues: all.flatMap(([, kept]) => kept.list?.issues ?? []).slice(0, limits.discovery.rejectedKept),
    issueCount: all.reduce((sum, [, kept]) => sum + (kept.list?.issueCount ?? 0), 0),
    repairedCount: all.reduce((sum, [, kept]) => sum + (kept.list?.repairedCount ?? 0), 0),
    incomplete: all.flatMap(([kind, kept]) => incompleteOf(kind, kept) ?? []),
  };
}

export function warningsOf(lists: OfferLists): readonly OfferWarning[] {
  return offerKinds.flatMap((kind) =>
    [lists[kind].list?.warning, lists[kind].failure].filter((one) => one !== undefined),
  );
}

/** What the lists weigh that are not of these kinds. */
export function sizeWithout(lists: OfferLists, kinds: ReadonlySet<OfferKind>): number {
  return offerKinds.reduce((sum, kind) => sum + (kinds.has(kind) ? 0 : (lists[kind].list?.size ?? 0)), 0);
}

/** The first of these lists that could not be read. */
export function firstFailure(discovery: Discovery, kinds: readonly OfferKind[]): ManagerError | undefined {
  for (const kind of kinds) {
    const outcome = discovery[kind];
    if (outcome?.kind === 'failed') return outcome.error;
  }
  return undefined;
}

/** Why a server shows nothing at all: a list failed, and no other one has anything. */
export function totalFailure(lists: OfferLists, discovery: Discovery): ManagerError | undefined {
  const found = offerKinds.some((kind) => (lists[kind].list?.items.length ?? 0) > 0);
  return found ? undefined : firstFailure(discovery, offerKinds);
}

function merged<T>(kind: OfferKind, kept: Kept<T>, outcome: ListOutcome<T>): Kept<T> {
  if (outcome.kind === 'listed') return { list: outcome };
  return { ...kept, failure: { about: kind, what: 'listFailed', detail: describe(outcome.error) } };
}

/** A kind that was never read well is empty, and says so. */
function incompleteOf(kind: OfferKind, kept: Kept<unknown>): Incomplete | undefined {
  if (kept.list !== undefined) return kept.list.incomplete;
  return kept.failure && { kind, reason: 'pageFailed', detail: kept.failure.detail };
}
