// What a server's connection is doing, as one union (product CONN-11). Every state but the plain ones carries a
// problem: a code with data, from which contract/sentences.ts makes the reason and the remedy.
import type { ErrorCode } from '../../contract/errorCodes.ts';
import type { ErrorData } from '../errors.ts';

/** `legacy` = revisions up to 2025-11-25, `modern` = 2026-07-28. */
export type Era = 'legacy' | 'modern';

/** One connection's life; a later one has a larger number. */
export type Generation = number & { readonly __generation: unique symbol };

/** Why a server is in its state. `stderr` holds its last lines, redacted, where it is a process that failed. */
export interface Problem {
  readonly code: ErrorCode;
  readonly data: ErrorData;
  readonly stderr?: readonly string[];
}

/** `approval` waits for the person's answer; `refused` is that answer, to this very launch. */
export type BlockedBy = 'trust' | 'approval' | 'refused' | 'policy' | 'conflict' | 'remoteOff' | 'input';

/** What a live connection told about itself in this process's own answers. */
export interface Negotiated {
  readonly era: Era;
  /** Protocol revision, such as `2025-11-25`. */
  readonly revision: string;
  readonly transport: 'stdio' | 'streamable-http' | 'sse';
  /** Process id of a stdio server. */
  readonly pid?: number;
  readonly serverName?: string;
  readonly serverVersion?: string;
  readonly instructions?: string;
}

export type ConnectionState =
  | { readonly kind: 'disabled' }
  | { readonly kind: 'blocked'; readonly by: BlockedBy; readonly problem: Problem }
  | { readonly kind: 'stopped' }
  | { readonly kind: 'connecting'; readonly since: number }
  | { readonly kind: 'installing'; readonly since: number; readonly detail: string }
  | { readonly kind: 'ready'; readonly since: number; readonly generation: Generation; readonly negotiated: Negotiated }
  | { readonly kind: 'backingOff'; readonly nextAttemptAt: number; readonly attempt: number; readonly problem: Problem }
  | { readonly kind: 'signInNeeded'; readonly problem: Problem }
  | { readonly kind: 'failed'; readonly problem: Problem };
