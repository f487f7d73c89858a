// What was found in the files of other clients, as data (GATE-9): one row for each launch, with the places where it stands.
import type { JsonObject } from '../../contract/json.ts';
import type { InputDefinition, ServerDefinition } from '../../contract/serverConfig.ts';
import type { ClientFile } from '../agents/clients.ts';
import type { ConfigProblem, FilePosition, ServerKey } from '../config/model.ts';
import type { Conversion } from './foundEntry.ts';

export interface FoundPlace {
  readonly file: ClientFile;
  /** As the file calls it. */
  readonly name: string;
  readonly position: FilePosition;
  /** As it stands there, secrets and all: what an edit of it must still find. */
  readonly raw: JsonObject;
  /** The client does not use it now. */
  readonly off: boolean;
}

export interface FoundServer {
  /** Stays the same while its launch and its places do. */
  readonly id: string;
  /** As its first place calls it. */
  readonly name: string;
  readonly places: readonly [FoundPlace, ...FoundPlace[]];
  readonly conversion: Conversion;
  /** What it runs or reaches, with `***` in the place of what looks like a secret; absent where it is not usable. */
  readonly shown?: ServerDefinition;
  /** The inputs that it names, as its file defines them. */
  readonly inputs: readonly InputDefinition[];
  /** A server of ours that runs the same, where there is one. */
  readonly ours?: ServerKey;
}

export interface FoundProblem {
  readonly file: ClientFile;
  readonly problem: ConfigProblem;
}

export interface FoundView {
  /** In the order of the clients, then of the files. */
  readonly servers: readonly FoundServer[];
  readonly problems: readonly FoundProblem[];
  /** More than are shown: files with too many servers end somewhere. */
  readonly more: number;
}

export const nothingFound: FoundView = { servers: [], problems: [], more: 0 };
