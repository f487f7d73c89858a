// What the core needs from the outside, as small interfaces. The extension and the command line each bring their own.
import type { JsonObject } from '../contract/json.ts';
import type { ConfigScope, InputDefinition, ServerId } from '../contract/serverConfig.ts';
import type { ServerKey } from './config/model.ts';
import type { ToolChange } from './policy/decide.ts';
import type { LaunchFingerprint } from './transport/launch.ts';

/** A log of one subject. Text may hold what servers sent; the implementation redacts and sanitises. */
export interface Log {
  info(text: string): void;
  warn(text: string): void;
  error(text: string): void;
}

/** A launch as a person has to see it before it may run (TRUST-3): nothing shortened. */
export interface LaunchDescription {
  /** The person's values that it uses, as written: `${env:TOKEN}`, `${secret:name}`. */
  readonly references?: readonly string[];
  /** What the person will be asked for, as the file has it; absent where it is nothing. */
  readonly inputs?: readonly InputDefinition[];
  readonly what:
    | {
        readonly kind: 'stdio';
        readonly command: string;
        /** Canonical absolute executable, links resolved; undefined where it was not found. */
        readonly executable: string | undefined;
        /** The path by which it was found; absent where that is no link. */
        readonly calledAs?: string;
        /** The person's values decide which program it is, so it is not known yet. */
        readonly executableOpen?: true;
        readonly args: readonly string[];
        readonly cwd: string;
        /** The same without links; absent where a value of the person's decides it. */
        readonly realCwd?: string;
        /** Ordinary values in full, sensitive ones as `SHA-256 …`. */
        readonly env: Readonly<Record<string, string>>;
        /** Path of the envFile as written, places filled in; absent where there is none. Its variables are in `env`. */
        readonly envFile?: string;
        /** SHA-256 of its content, in hexadecimal digits. */
        readonly envFileHash?: string;
        /** Files beside the definition that decide what a launcher runs: SHA-256 by path; absent where there are none. */
        readonly launcherFiles?: Readonly<Record<string, string>>;
      }
    | {
        readonly kind: 'remote';
        /** As written, places filled in. */
        readonly url: string;
        /** The URL that requests go to, in canonical form; absent where `url` holds references. */
        readonly reached?: string;
        /** Host and port as they are resolved; absent where a reference may decide them. */
        readonly host?: string;
        /** What each header sends: references as written, sensitive literals as `SHA-256 …`. */
        readonly headers: Readonly<Record<string, string>>;
      };
}

export interface ApprovalRequest extends LaunchDescription {
  readonly id: ServerId;
  readonly scope: ConfigScope;
  readonly fingerprint: LaunchFingerprint;
  /** Where the definition stands; the line as people count. */
  readonly file: string;
  readonly line?: number;
  /** What was approved of this server last, where it is not this; `forgotten` where only its fingerprint was kept. */
  readonly last?: LaunchDescription | 'forgotten';
  /** A project's server that takes the place of the person's own of this id (CFG-9): calls by the id go to it. */
  readonly replacesOwn?: true;
}

/** `once` holds for the life of this process; a refusal does too. */
export type ApprovalAnswer = 'once' | 'remember' | 'refuse';

export interface ApprovalPrompt {
  /** One prompt for all that wait. What the answer does not hold was not decided: a closed prompt decides nothing. */
  ask(
    requests: readonly ApprovalRequest[],
    signal: AbortSignal,
  ): Promise<ReadonlyMap<LaunchFingerprint, ApprovalAnswer>>;
}

/**
 * What the person chose to remember: one fingerprint a definition, and nothing else (TRUST-2). Its place is out of the
 * reach of those who can write files: they could approve for the person.
 */
export interface ApprovalMemory {
  /** As it is now: another window may have revoked it. */
  get(key: ServerKey): LaunchFingerprint | undefined;
  set(key: ServerKey, fingerprint: LaunchFingerprint): Promise<void>;
  delete(key: ServerKey): Promise<void>;
  keys(): readonly ServerKey[];
}

export interface Caller {
  readonly kind: 'tree' | 'commandLine' | 'api' | 'gateway';
  readonly name: string;
  /** Tells it apart from others of the same name: no answer of a person serves another one. Neither shown nor recorded. */
  readonly session?: string;
}

export interface CallConfirmation {
  readonly key: ServerKey;
  readonly server: ServerId;
  readonly tool: string;
  readonly caller: Caller;
  readonly args: JsonObject;
  /** How its definition differs from the one that the person knows; absent where it does not (POL-2). */
  readonly change?: ToolChange;
  /** It is asked about each time: a yes for the window is none here (POL-4). */
  readonly eachTime?: true;
}

/**
 * What a person says that lets a call out. `once`: this very call. `window`: this tool as it is defined now, for as long as
 * the window lives. Accepting what changed in a definition is neither: it says nothing of a call.
 */
export const consents = ['once', 'window'] as const;
export type Consent = (typeof consents)[number];
export type CallAnswer = Consent | 'deny';

export interface CallPrompt {
  /** A closed prompt is a `deny`. `signal` aborts when nobody waits for the answer any more: the question goes away. */
  confirm(call: CallConfirmation, signal: AbortSignal): Promise<CallAnswer>;
}

/** The person's stored values for `${input:}` and `${secret:}` (CFG-11). */
export interface PersonalValues {
  /** `signal`: nobody waits any more, so an open question is closed. */
  input(id: string, scope: ConfigScope, options?: PersonalValueOptions): Promise<string | undefined>;
  secret(name: string, scope: ConfigScope, options?: PersonalValueOptions): Promise<string | undefined>;
}

export interface PersonalValueOptions {
  readonly signal?: AbortSignal | undefined;
  /** What the file of the launch says of the input, which is what was approved; another may be on disk by now. */
  readonly definition?: InputDefinition | undefined;
  /** False where no person waits for this: then only a value that is known already is given. */
  readonly mayAsk?: boolean | undefined;
}

/** One remote server of a project, at one place: what is kept for it goes nowhere else (TRUST-6). */
export interface BoundTarget {
  /** Absolute path of the folder whose file defines it. */
  readonly folder: string;
  readonly server: ServerId;
  /** Canonical: `canonicalUrl`. */
  readonly url: string;
}

export interface BoundName {
  readonly kind: 'header' | 'clientSecret';
  /** Of the header, as it is sent. */
  readonly name: string;
}

/** Credentials that a person keeps for servers of projects, since a project's file may not hold them (TRUST-6). */
export interface BoundValues {
  /** What is kept for exactly this target; names are no secret, so nothing is opened for them. */
  names(target: BoundTarget): readonly BoundName[];
  value(target: BoundTarget, name: BoundName, options?: PersonalValueOptions): Promise<string | undefined>;
}
