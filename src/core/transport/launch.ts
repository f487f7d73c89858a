// What would really run or be reached: a definition with its variables replaced and its paths resolved.
// Made only after the trust decision that covers it; it holds secrets and is never logged or shown as it is.
import type { ProtocolMode, ServerId, TimeoutOverrides } from '../../contract/serverConfig.ts';

/** Hash of what would run or be reached (product TRUST-2). */
export type LaunchFingerprint = string & { readonly __launchFingerprint: unique symbol };

interface CommonLaunch {
  readonly id: ServerId;
  readonly protocol: ProtocolMode;
  readonly timeouts: TimeoutOverrides;
  readonly fingerprint: LaunchFingerprint;
}

export interface StdioLaunch extends CommonLaunch {
  readonly kind: 'stdio';
  /** As written; found on PATH at the start. */
  readonly command: string;
  readonly args: readonly string[];
  /** The entry's own variables (envFile below env), without what is inherited. */
  readonly env: Readonly<Record<string, string>>;
  /** Absolute path. */
  readonly cwd: string;
}

export interface RemoteLaunch extends CommonLaunch {
  readonly kind: 'remote';
  readonly url: string;
  readonly transport: 'auto' | 'streamable-http' | 'sse';
  /** Sent to the server's own origin only. */
  readonly headers: Readonly<Record<string, string>>;
}

export type Launch = StdioLaunch | RemoteLaunch;
