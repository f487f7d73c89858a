// The result of reading all configuration files: immutable, whole, and never empty because of an error.
import type { ErrorCode } from '../../contract/errorCodes.ts';
import type {
  ConfigFingerprint,
  ConfigScope,
  InputDefinition,
  ServerDefinition,
  ServerId,
  ToolPolicies,
} from '../../contract/serverConfig.ts';
import type { ErrorData } from '../errors.ts';

/** 1-based, as people count. */
export interface FilePosition {
  readonly line: number;
  readonly column: number;
}

/** Something wrong in one file; `data` names file, server and field where they are known. */
export interface ConfigProblem {
  readonly file: string;
  readonly code: ErrorCode;
  readonly data: ErrorData;
  readonly position?: FilePosition;
}

/** Names a definition in one process: `user:<id>` or `project:<folder>:<id>`. Stable over reloads. */
export type ServerKey = string & { readonly __serverKey: unique symbol };

export interface ConfiguredServer {
  readonly key: ServerKey;
  readonly id: ServerId;
  readonly scope: ConfigScope;
  readonly definition: ServerDefinition;
  readonly fingerprint: ConfigFingerprint;
  /** The inputs that it uses, as its file defines them; absent where it uses none of these. */
  readonly inputs?: readonly InputDefinition[];
  readonly file: string;
  readonly position?: FilePosition;
  /** Keys of the entry that nothing acts on; absent where there are none. */
  readonly outOfPlace?: readonly string[];
}

/** One file as last read well. `problem` is set when the bytes on disk now are refused: the rest is then the last good reading. */
export interface ConfigFile {
  readonly file: string;
  readonly scope: ConfigScope;
  readonly exists: boolean;
  readonly version: 1 | 2 | 3 | undefined;
  readonly servers: readonly ConfiguredServer[];
  readonly inputs: readonly InputDefinition[];
  /** The person's rules for servers of all places, by id and tool; never of a project's file (POL-1). */
  readonly toolPolicies?: ToolPolicies;
  /** Of the person's own file: what is on disk could not be read yet, so nobody knows what their rules are (CFG-5). */
  readonly rulesUnknown?: true;
  readonly problem?: ConfigProblem;
}

export interface ConfigSnapshot {
  readonly files: readonly ConfigFile[];
}
