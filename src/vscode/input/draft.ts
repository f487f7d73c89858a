// Arguments that a person edits as JSON for one tool, bound to the definition of it that they were made for. Pure.
import type { ServerKey } from '../../core/config/model.ts';

export interface Draft {
  readonly key: ServerKey;
  readonly tool: string;
  /** Hash of the definition that the draft was made for. */
  readonly hash: string;
}

/** What the address of a draft tells of it when the window that knew it is gone; no definition is bound yet. */
export function draftOfQuery(query: string): Draft | undefined {
  // Names of tools hold no line ends (DISC-2).
  const end = query.lastIndexOf('\n');
  return end < 0 ? undefined : { key: query.slice(0, end) as ServerKey, tool: query.slice(end + 1), hash: '' };
}

export function queryOfDraft({ key, tool }: Draft): string {
  return `${key}\n${tool}`;
}

/**
 * The binding of an editor that was asked for once more: text that is still open was written for the older definition,
 * and is run against that one or not at all.
 */
export function boundDraft(wanted: Draft, known: Draft | undefined, open: boolean): Draft {
  return open && known !== undefined ? known : wanted;
}
