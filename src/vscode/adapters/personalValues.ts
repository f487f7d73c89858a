// The person's answers to `${input:}` and `${secret:}` (product CFG-11): asked once, kept per scope, so that one
// folder never gets what was typed for another. Passwords and secrets live in the editor's secret storage only; what
// belongs to the person in all workspaces is kept, and listed, in all of them. So is what is bound to one server of a
// folder at one URL (TRUST-6). How it is asked is given.
import type * as vscode from 'vscode';
import { untilAborted } from '../../base/deadline.ts';
import { SerialQueue } from '../../base/serialQueue.ts';
import type { ConfigScope, InputDefinition } from '../../contract/serverConfig.ts';
import { ManagerError } from '../../core/errors.ts';
import type { BoundValues, PersonalValueOptions, PersonalValues } from '../../core/ports.ts';
import { boundValueOf, keyOf, secretOf, type StoredValue } from './storedValue.ts';

export type Memory = Pick<vscode.Memento, 'get' | 'update'>;

export interface StoredValuesOptions {
  readonly secrets: Pick<vscode.SecretStorage, 'get' | 'store' | 'delete'>;
  /** For values of the person's own file. */
  readonly everywhere: Memory;
  /** For values of a folder's file. */
  readonly workspace: Memory;
  /** The definition of an input in the file of that scope. */
  readonly definition: (id: string, scope: ConfigScope) => InputDefinition | undefined;
  /** Asks the person; undefined when the question was closed, by the person or because `signal` aborted. */
  readonly ask: (
    value: StoredValue,
    definition: InputDefinition | undefined,
    signal: AbortSignal | undefined,
  ) => Promise<string | undefined>;
}

const indexKey = 'values.index';

export class StoredValues implements PersonalValues {
  readonly #options: StoredValuesOptions;
  readonly #questions = new SerialQueue();

  constructor(options: StoredValuesOptions) {
    this.#options = options;
  }

  input(id: string, scope: ConfigScope, options: PersonalValueOptions = {}): Promise<string | undefined> {
    // Once for this answer: where it is kept, and how it is asked for.
    const definition = options.definition ?? this.#options.definition(id, scope);
    const secret = definition?.password === true;
    return this.#get({ kind: 'input', name: id, scope, secret }, { ...options, definition });
  }

  secret(name: string, scope: ConfigScope, options: PersonalValueOptions = {}): Promise<string | undefined> {
    return this.#get(secretOf(name, scope), options);
  }

  readonly bound: BoundValues = {
    names: (target) =>
      this.list().flatMap((value) => {
        const { kind, name } = value;
        if (kind !== 'header' && kind !== 'clientSecret') return [];
        return keyOf(value) === keyOf(boundValueOf(target, { kind, name })) ? [{ kind, name }] : [];
      }),
    value: (target, name, options = {}) => this.#get(boundValueOf(target, name), options),
  };

  list(): readonly StoredValue[] {
    return [this.#options.everywhere, this.#options.workspace].flatMap(indexOf);
  }

  /** The value that is kept, without a question. */
  known(value: StoredValue): Promise<string | undefined> {
    return this.#known(value);
  }

  /** Keeps a value in the place of what was kept. Fails with `valueNotStored`; then nothing is listed anew. */
  async keep(value: StoredValue, answer: string): Promise<void> {
    try {
      await this.#keep(value, answer);
    } catch (cause) {
      throw new ManagerError('valueNotStored', { variable: value.name }, { cause });
    }
  }

  /** Fails with `valueNotStored` where the editor's secret storage cannot be used: then it stays listed. */
  async forget(value: StoredValue): Promise<void> {
    await this.#dropText(value);
    if (value.secret) {
      try {
        await this.#options.secrets.delete(keyOf(value));
      } catch (cause) {
        throw new ManagerError('valueNotStored', { variable: value.name }, { cause });
      }
    } else {
      await this.#dropSecret(value);
    }
    const memory = this.#memory(value);
    await memory.update(indexKey, without(indexOf(memory), value));
  }

  /** Asks anew and keeps the answer; a closed question changes nothing. */
  async replace(value: StoredValue): Promise<boolean> {
    const definition = value.kind === 'input' ? this.#options.definition(value.name, value.scope) : undefined;
    const answer = await this.#options.ask(value, definition, undefined);
    if (answer === undefined) return false;
    await this.keep(value, answer);
    return true;
  }

  /** What is known needs no question, and waits for none; whoever waits for one is free once `signal` aborts. */
  #get(value: StoredValue, options: PersonalValueOptions): Promise<string | undefined> {
    const { signal, mayAsk = true } = options;
    return untilAborted(
      this.#known(value).then((known) => known ?? (mayAsk ? this.#askInTurn(value, options) : undefined)),
      signal,
    );
  }

  /** One question at a time: two servers that need the same value ask once. */
  #askInTurn(value: StoredValue, { signal, definition }: PersonalValueOptions): Promise<string | undefined> {
    return this.#questions.run(async () => {
      if (signal?.aborted === true) return undefined;
      const known = await this.#known(value);
      if (known !== undefined) return known;
      const answer = await this.#options.ask(value, definition, signal);
      // Without a keyring it serves this once.
      if (answer !== undefined) await this.#keep(value, answer).catch(() => undefined);
      return answer;
    });
  }

  /** A kept value; one that another workspace on the same folder kept is listed from now on. */
  async #known(value: StoredValue): Promise<string | undefined> {
    const known = await this.#read(value);
    if (known !== undefined) await this.#list(value);
    return known;
  }

  async #read(value: StoredValue): Promise<string | undefined> {
    if (!value.secret) return this.#memory(value).get<string>(keyOf(value));
    try {
      return await this.#options.secrets.get(keyOf(value));
    } catch {
      return undefined; // No keyring: the person is asked again.
    }
  }

  /** In one place only: the author of an input may have made it a password, or none, since it was last kept. */
  async #keep(value: StoredValue, answer: string): Promise<void> {
    if (!value.secret) {
      await this.#dropSecret(value);
      await this.#memory(value).update(keyOf(value), answer);
    } else {
      await this.#dropText(value);
      await this.#options.secrets.store(keyOf(value), answer);
    }
    await this.#list(value);
  }

  async #dropText(value: StoredValue): Promise<void> {
    await this.#memory(value).update(keyOf(value), undefined);
  }

  async #dropSecret(value: StoredValue): Promise<void> {
    try {
      await this.#options.secrets.delete(keyOf(value));
    } catch {
      // No keyring, so none of ours is in it.
    }
  }

  async #list(value: StoredValue): Promise<void> {
    const memory = this.#memory(value);
    const index = indexOf(memory);
    if (index.some((other) => keyOf(other) === keyOf(value) && other.secret === value.secret)) return;
    await memory.update(indexKey, [...without(index, value), value]);
  }

  /** What is bound stands in all workspaces: its folder may be opened in another one. */
  #memory({ scope, target }: StoredValue): Memory {
    return scope.kind === 'user' || target !== undefined ? this.#options.everywhere : this.#options.workspace;
  }
}

function indexOf(memory: Memory): readonly StoredValue[] {
  return memory.get<readonly StoredValue[]>(indexKey) ?? [];
}

function without(index: readonly StoredValue[], value: StoredValue): readonly StoredValue[] {
  return index.filter((other) => keyOf(other) !== keyOf(value));
}
