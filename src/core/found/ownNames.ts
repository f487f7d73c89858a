// Gives the inputs and secrets that found entries name ids of their own in one file of ours (GATE-9, CFG-11). Another client
// keeps its own values: what has the same name here was typed for something else, and an entry that could claim it by name
// would be lent it without a question. So a name stays only where nothing here has it, and else gets a number. Shared is
// what two entries of one file name alike, and an input that the person's own files ask for in both places.
import type { JsonObject } from '../../contract/json.ts';
import type { InputDefinition } from '../../contract/serverConfig.ts';
import type { ConfigFile } from '../config/model.ts';
import { variablesIn } from '../config/usedInputs.ts';

export type NameKind = 'input' | 'secret';

export interface FoundNames {
  /** As the file of the entry defines them. */
  readonly inputs: readonly InputDefinition[];
  readonly secrets: readonly string[];
  /** Where the entry is from: entries of one origin share. */
  readonly origin: string;
  /** It is in the person's own files alone. A project's could say what theirs says, and get what they typed for that. */
  readonly isPersons: boolean;
}

export class OwnNames {
  readonly #isFree: (kind: NameKind, name: string) => Promise<boolean>;
  readonly #present: readonly InputDefinition[];
  readonly #taken: Set<string>;
  /** What was given, by what it is an answer to. */
  readonly #given = new Map<string, string>();

  /** `isFree` tells whether no value is kept under a name. */
  constructor(file: ConfigFile | undefined, isFree: (kind: NameKind, name: string) => Promise<boolean>) {
    this.#isFree = isFree;
    this.#present = file?.inputs ?? [];
    const parts = (file?.servers ?? []).flatMap(({ definition }) => variablesIn(definition));
    this.#taken = new Set([
      ...this.#present.map(({ id }) => `input:${id}`),
      ...parts.flatMap((part) =>
        part.kind === 'input' || part.kind === 'secret' ? [`${part.kind}:${part.name}`] : [],
      ),
    ]);
  }

  /** The entry with the names that it has here, and the inputs that the file of ours lacks. */
  async give(
    entry: JsonObject,
    { inputs, secrets, origin, isPersons }: FoundNames,
  ): Promise<{ readonly entry: JsonObject; readonly inputs: readonly InputDefinition[] }> {
    const renamed = new Map<string, string>();
    const added: InputDefinition[] = [];
    for (const input of inputs) {
      const known = isPersons && this.#present.some((present) => definitionOf(present) === definitionOf(input));
      const { name: id, isNew } = known
        ? { name: input.id, isNew: false }
        : await this.#nameFor('input', input.id, JSON.stringify([origin, definitionOf(input)]));
      if (isNew) added.push({ ...input, id });
      renamed.set(`input:${input.id}`, id);
    }
    for (const secret of secrets) {
      renamed.set(`secret:${secret}`, (await this.#nameFor('secret', secret, JSON.stringify([origin, secret]))).name);
    }
    // All at once: a name that one of them gets may be what another one had. `$${` is no variable.
    const text = JSON.stringify(entry).replace(
      /(?<!\$)\$\{(input|secret):([A-Za-z0-9_.-]+)\}/g,
      (source, kind: string, name: string) => {
        const other = renamed.get(`${kind}:${name}`);
        return other === undefined ? source : `\${${kind}:${other}}`;
      },
    );
    return { entry: JSON.parse(text) as JsonObject, inputs: added };
  }

  /** Whether a server of this file names a secret so, or is going to. */
  hasSecret(name: string): boolean {
    return this.#taken.has(`secret:${name}`);
  }

  /** These are kept for one of the servers from now on. */
  reserveSecrets(names: Iterable<string>): void {
    for (const name of names) this.#taken.add(`secret:${name}`);
  }

  async #nameFor(kind: NameKind, wanted: string, what: string): Promise<{ name: string; isNew: boolean }> {
    const given = this.#given.get(kind + what);
    if (given !== undefined) return { name: given, isNew: false };
    for (let number = 1; ; number += 1) {
      const name = number === 1 ? wanted : `${wanted.slice(0, 60)}-${number}`;
      if (this.#taken.has(`${kind}:${name}`) || !(await this.#isFree(kind, name))) continue;
      this.#taken.add(`${kind}:${name}`);
      this.#given.set(kind + what, name);
      return { name, isNew: true };
    }
  }
}

/** The same for two that ask for the same under the same id. */
function definitionOf(input: InputDefinition): string {
  return JSON.stringify(Object.entries(input).sort(([a], [b]) => (a < b ? -1 : 1)));
}
