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
  /** Values that went into any field and must not be seen in logs or errors (CONN-10). */
  readonly secrets?: readonly string[];
  /** Those that the person keeps as secrets: secret even where one looks like an ordinary word. */
  readonly kept?: readonly string[];
}

export interface StdioLaunch extends CommonLaunch {
  readonly kind: 'stdio';
  /** As written. Found on PATH at the start only where `executable` is absent. */
  readonly command: string;
  /** The file that the fingerprint covers, absolute and without links: exactly this one is started. */
  readonly executable?: string;
  /** Only `executable` may be started; a command that was not found when the launch was looked at starts nothing. */
  readonly bound?: boolean;
  /** The path by which `executable` was found: some programs go by the name of the link they are called through. */
  readonly calledAs?: string;
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
  /** What the person keeps for the sign-in at this URL (TRUST-6). */
  readonly clientSecret?: string;
}

export type Launch = StdioLaunch | RemoteLaunch;
