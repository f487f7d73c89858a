// What the schema thread is asked and what it answers. It says `ready` once on its own port when it has loaded.
import type { MessagePort } from 'node:worker_threads';
import type { JsonObject, JsonValue } from '../../contract/json.ts';

export interface CheckJob {
  readonly schema: JsonObject;
  readonly value: JsonValue;
}

/** Each job brings the port for its answers. */
export interface CheckRequest {
  readonly job: CheckJob;
  readonly port: MessagePort;
}

export type Final =
  | { readonly kind: 'valid' }
  /** `text` is the validator's report, unbounded. */
  | { readonly kind: 'invalid'; readonly text: string }
  /** The schema cannot be used: unknown dialect, unresolved reference, illegal pattern, too deep. */
  | { readonly kind: 'unusable'; readonly text: string };

/** `began` comes before the work, then one final answer. */
export type CheckAnswer = { readonly kind: 'began' } | Final;
