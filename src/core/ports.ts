// What the core needs from the outside, as small interfaces. The extension and the command line each bring their own.
import type { JsonObject } from '../contract/json.ts';
import type { ConfigScope, ServerId } from '../contract/serverConfig.ts';
import type { LaunchFingerprint } from './transport/launch.ts';

/** A log of one subject. Text may hold what servers sent; the implementation redacts and sanitises. */
export interface Log {
  info(text: string): void;
  warn(text: string): void;
  error(text: string): void;
}

/** A launch as a person has to see it before it may run (TRUST-3): nothing shortened. */
export interface ApprovalRequest {
  readonly id: ServerId;
  readonly scope: ConfigScope;
  readonly fingerprint: LaunchFingerprint;
  /** The person's values that it uses, as written: `${env:TOKEN}`, `${secret:name}`. */
  readonly references?: readonly string[];
  readonly what:
    | {
        readonly kind: 'stdio';
        readonly command: string;
        /** Canonical absolute executable, links resolved; undefined where it was not found. */
        readonly executable: string | undefined;
        readonly args: readonly string[];
        readonly cwd: string;
        /** The same without links; absent where a value of the person's decides it. */
        readonly realCwd?: string;
        /** Ordinary values in full, sensitive ones as `SHA-256 …`. */
        readonly env: Readonly<Record<string, string>>;
        /** Path of the envFile as written, places filled in; absent where there is none. Its variables are in `env`. */
        readonly envFile?: string;
      }
    | {
        readonly kind: 'remote';
        /** As written, places filled in. */
        readonly url: string;
        /** The URL that requests go to, in canonical form; absent where `url` holds references. */
        readonly reached?: string;
        /** Host and port as they are resolved; absent where a reference may decide them. */
        readonly host?: string;
        readonly headerNames: readonly string[];
        /** What each header sends: references as written, sensitive literals as `SHA-256 …`. */
        readonly headers: Readonly<Record<string, string>>;
      };
}

export interface ApprovalPrompt {
  /** One prompt for all that wait. Answers the fingerprints that the person approved; a closed prompt approves none. */
  ask(requests: readonly ApprovalRequest[], signal: AbortSignal): Promise<ReadonlySet<LaunchFingerprint>>;
}

export interface Caller {
  readonly kind: 'tree' | 'commandLine' | 'api' | 'gateway';
  readonly name: string;
}

export interface CallConfirmation {
  readonly server: ServerId;
  readonly tool: string;
  readonly caller: Caller;
  readonly args: JsonObject;
}

export interface CallPrompt {
  /** Whether this very call may go out; a closed prompt is a no. */
  confirm(call: CallConfirmation, signal: AbortSignal): Promise<boolean>;
}

/** The person's stored values for `${input:}` and `${secret:}` (CFG-11). */
export interface PersonalValues {
  /** `signal`: nobody waits any more, so an open question is closed. */
  input(id: string, scope: ConfigScope, options?: PersonalValueOptions): Promise<string | undefined>;
  secret(name: string, scope: ConfigScope, options?: PersonalValueOptions): Promise<string | undefined>;
  /** Whether an input is a password, and its value kept out of logs. Where this is absent, every input is. */
  isPassword?(id: string, scope: ConfigScope): boolean;
}

export interface PersonalValueOptions {
  readonly signal?: AbortSignal | undefined;
  /** False where no person waits for this: then only a value that is known already is given. */
  readonly mayAsk?: boolean | undefined;
}
