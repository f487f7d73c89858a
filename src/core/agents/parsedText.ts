// A client's file once it is read as a value, in whatever format it is.
import type { JsonObject } from '../../contract/json.ts';

export type ParsedText =
  | {
      readonly kind: 'parsed';
      readonly value: JsonObject;
      /** The text of the entry's value and where it begins, by keys from the root. */
      readonly textOf: (path: readonly string[]) => TextPlace | undefined;
    }
  | { readonly kind: 'malformed'; readonly detail: string; readonly offset: number };

export interface TextPlace {
  readonly text: string;
  readonly offset: number;
}

/** Where in the text an edit cannot be made: the reason continues a sentence. */
export class NotEditable extends Error {}
