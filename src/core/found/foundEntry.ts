// The nouns of servers that stand in the files of other clients (GATE-9): what an entry there comes to here.
import type { JsonObject } from '../../contract/json.ts';
import type { ServerDefinition } from '../../contract/serverConfig.ts';

/** What a person should know before they take an entry over. */
export type FoundNote =
  /** A key that nothing here stands for. */
  | { readonly kind: 'leftBehind'; readonly key: string }
  /** A value that the client kept itself: it is asked for here. */
  | { readonly kind: 'askedFor'; readonly name: string }
  /** The client itself does not use the entry as it is written. */
  | { readonly kind: 'skippedThere' };

export type UnusableReason =
  /** The entry is no object. */
  | 'shape'
  /** It names nothing to run or reach. */
  | 'nothing'
  /** It is run by the client itself: an extension of it, or a command that makes headers. */
  | 'client'
  /** It speaks what is no transport of MCP here. */
  | 'transport'
  /** It holds a variable that has no counterpart here. */
  | 'variable'
  /** It is not allowed here; `detail` says which field and why. */
  | 'refused';

export interface ConvertedEntry {
  readonly kind: 'entry';
  /** As it would be written here: all that is said is explicit, `enabled` is left to the one who writes it. */
  readonly entry: JsonObject;
  readonly definition: ServerDefinition;
  /** The client does not use it now. */
  readonly off: boolean;
  readonly notes: readonly FoundNote[];
  /** Ids of the inputs that it names. */
  readonly inputs: readonly string[];
}

export interface UnusableEntry {
  readonly kind: 'unusable';
  readonly reason: UnusableReason;
  /** Names of fields and variables; never a value. */
  readonly detail: string;
  readonly off: boolean;
}

export type Conversion = ConvertedEntry | UnusableEntry;
