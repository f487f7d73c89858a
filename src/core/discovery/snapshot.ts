// What a server offers at one moment: immutable, numbered, bound to one connection's life. Items are kept as the
// server sent them; only the fields that we rely on are checked.
import type { JsonObject } from '../../contract/json.ts';
import type { Era, Generation } from '../connection/state.ts';

export type OfferKind = 'tools' | 'resources' | 'resourceTemplates' | 'prompts';

/** A tool with its raw definition. `hash` covers name, description and schemas: a call is bound to it (TOOL-2). */
export interface OfferedTool {
  readonly name: string;
  readonly raw: JsonObject;
  readonly hash: string;
  /** Covers `annotations` alone: their change is told apart from a change of what the tool is (POL-2). */
  readonly annotationsHash: string;
}

/** A resource (`key` = uri), resource template (`key` = uriTemplate) or prompt (`key` = name). */
export interface OfferedItem {
  readonly key: string;
  readonly name: string;
  readonly raw: JsonObject;
}

/** Something that was wrong with a list, item by item; the rest of the list lives. */
export interface DiscoveryIssue {
  readonly kind: OfferKind;
  /** `repaired`: the item is offered, without what was wrong with it; every other one is left out. */
  readonly what: 'badItem' | 'repaired' | 'duplicate' | 'headerDefinition';
  /** Name or URI where it is readable, else the position. */
  readonly item: string;
  readonly reason: string;
}

/** Why a list is not whole: what was verified is kept. */
export interface Incomplete {
  readonly kind: OfferKind;
  readonly reason: 'pageFailed' | 'repeatedCursor' | 'pageLimit' | 'itemLimit' | 'sizeLimit';
  readonly detail: string;
}

export interface ServerSnapshot {
  readonly generation: Generation;
  /** Grows by one with each published snapshot of a server. */
  readonly revision: number;
  readonly era: Era;
  readonly tools: readonly OfferedTool[];
  readonly resources: readonly OfferedItem[];
  readonly resourceTemplates: readonly OfferedItem[];
  readonly prompts: readonly OfferedItem[];
  readonly issues: readonly DiscoveryIssue[];
  /** How many issues there were in all; `issues` is bounded. */
  readonly issueCount: number;
  /** How many of them are repaired items, which are offered all the same. */
  readonly repairedCount: number;
  readonly incomplete: readonly Incomplete[];
}
