// Arguments that a person edits as JSON for one tool, bound to the definition of it that they were made for. Pure.
import type { ServerKey } from '../../core/config/model.ts';

export interface Draft {
  readonly key: ServerKey;
  readonly tool: string;
  /** Hash of the definition that the draft was made for. */
  readonly hash: string;
}

/**
 * The binding of an editor that was asked for once more: text that is still open was written for the older definition,
 * and is run against that one or not at all.
 */
export function boundDraft(wanted: Draft, known: Draft | undefined, open: boolean): Draft {
  return open && known !== undefined ? known : wanted;
}
