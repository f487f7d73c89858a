// The nouns of configuration: one entry of an mcp.json file after migration, validation and defaults (product CFG-1).
// The file format and its checks live in configFile.ts; nothing here reads or writes.

/** 1 to 32 bytes of ASCII `[A-Za-z0-9_-]`, without `__`, and not a prototype key (CFG-6). */
export type ServerId = string & { readonly __serverId: unique symbol };

/** Which protocol revisions a connection may speak: up to 2025-11-25, whatever the server offers, or exactly 2026-07-28. */
export type ProtocolMode = 'legacy' | 'auto' | '2026-07-28';

/** What a policy rule says of a tool, the strictest last. */
export const policyWords = ['allow', 'ask', 'deny'] as const;
export type PolicyWord = (typeof policyWords)[number];

/** Rules for the tools of servers, by server id, then by tool or `*`. */
export type ToolPolicies = Readonly<Record<string, Readonly<Record<string, PolicyWord>>>>;

/** Milliseconds; an absent one takes the default of core/limits.ts. */
export interface TimeoutOverrides {
  readonly connect?: number;
  readonly list?: number;
  readonly call?: number;
  readonly request?: number;
  readonly stop?: number;
}

interface CommonDefinition {
  readonly protocol: ProtocolMode;
  readonly enabled: boolean;
  readonly autostart: boolean;
  readonly toolPolicies: Readonly<Record<string, PolicyWord>>;
  readonly timeouts: TimeoutOverrides;
  readonly description?: string;
}

export interface StdioDefinition extends CommonDefinition {
  readonly kind: 'stdio';
  readonly command: string;
  readonly args: readonly string[];
  readonly env: Readonly<Record<string, string>>;
  readonly envFile?: string;
  readonly cwd?: string;
  readonly persistent: boolean;
  readonly isolation: 'shared' | 'session';
  /** False: it is told no folder where it asks for roots. Absent: the workspace's. */
  readonly roots?: false;
}

export interface OAuthSettings {
  readonly clientId?: string;
  readonly clientSecret?: string;
  readonly scopes?: readonly string[];
  readonly metadataUrl?: string;
  readonly redirect?: string;
}

export interface RemoteDefinition extends CommonDefinition {
  readonly kind: 'remote';
  readonly url: string;
  /** `auto` stands for an omitted `transport`. */
  readonly transport: 'auto' | 'streamable-http' | 'sse';
  readonly headers: Readonly<Record<string, string>>;
  readonly oauth?: OAuthSettings;
}

/** One configured server, as written: variables not yet replaced. */
export type ServerDefinition = StdioDefinition | RemoteDefinition;

/** Where a definition stands: the person's file, or the file of one workspace folder. */
export type ConfigScope =
  | { readonly kind: 'user' }
  | { readonly kind: 'project'; /** Absolute path. */ readonly folder: string; readonly name: string };

/** Hash of the whole normalised entry without `enabled`, `toolPolicies`, `timeouts` and `autostart` (CFG-10). */
export type ConfigFingerprint = string & { readonly __configFingerprint: unique symbol };

/** An entry of the `inputs` list: a value that the person is asked for once (CFG-11). */
export interface InputDefinition {
  readonly id: string;
  readonly type: 'promptString' | 'pickString';
  readonly description?: string;
  readonly default?: string;
  readonly password?: boolean;
  readonly options?: readonly string[];
}
