// The person's answers to `${input:}` and `${secret:}` (product CFG-11): asked once, kept per scope, so that one
// folder never gets what was typed for another. Passwords and secrets live in the editor's secret storage only.
import * as vscode from 'vscode';
import { t } from '../strings.ts';
import { SerialQueue } from '../../base/serialQueue.ts';
import { shownLine } from '../shownText.ts';
import type { ConfigScope, InputDefinition } from '../../contract/serverConfig.ts';
import type { PersonalValues } from '../../core/ports.ts';

export interface StoredValue {
  readonly kind: 'input' | 'secret';
  readonly name: string;
  readonly scope: ConfigScope;
  readonly secret: boolean;
}

export interface StoredValuesOptions {
  readonly secrets: vscode.SecretStorage;
  readonly memory: vscode.Memento;
  /** The definition of an input in the file of that scope. */
  readonly definition: (id: string, scope: ConfigScope) => InputDefinition | undefined;
}

const indexKey = 'values.index';

export class StoredValues implements PersonalValues {
  readonly #options: StoredValuesOptions;
  readonly #questions = new SerialQueue();

  constructor(options: StoredValuesOptions) {
    this.#options = options;
  }

  input(id: string, scope: ConfigScope): Promise<string | undefined> {
    const definition = this.#options.definition(id, scope);
    const secret = definition?.password === true;
    return this.#get({ kind: 'input', name: id, scope, secret }, () => askInput(id, definition));
  }

  secret(name: string, scope: ConfigScope): Promise<string | undefined> {
    return this.#get({ kind: 'secret', name, scope, secret: true }, () => askSecret(name));
  }

  list(): readonly StoredValue[] {
    return this.#options.memory.get<readonly StoredValue[]>(indexKey) ?? [];
  }

  async forget(value: StoredValue): Promise<void> {
    await this.#options.memory.update(
      indexKey,
      this.list().filter((other) => keyOf(other) !== keyOf(value)),
    );
    if (value.secret) await this.#options.secrets.delete(keyOf(value));
    else await this.#options.memory.update(keyOf(value), undefined);
  }

  /** Asks anew and keeps the answer; a closed question changes nothing. */
  async replace(value: StoredValue): Promise<boolean> {
    const definition = value.kind === 'input' ? this.#options.definition(value.name, value.scope) : undefined;
    const answer = await (value.kind === 'input' ? askInput(value.name, definition) : askSecret(value.name));
    if (answer === undefined) return false;
    await this.#keep(value, answer);
    return true;
  }

  /** One question at a time: two servers that need the same value ask once. */
  #get(value: StoredValue, ask: () => Thenable<string | undefined>): Promise<string | undefined> {
    return this.#questions.run(async () => {
      const known = await this.#read(value);
      if (known !== undefined) return known;
      const answer = await ask();
      if (answer !== undefined) await this.#keep(value, answer);
      return answer;
    });
  }

  async #read(value: StoredValue): Promise<string | undefined> {
    if (!value.secret) return this.#options.memory.get<string>(keyOf(value));
    try {
      return await this.#options.secrets.get(keyOf(value));
    } catch {
      return undefined; // No keyring: the person is asked again.
    }
  }

  async #keep(value: StoredValue, answer: string): Promise<void> {
    if (!value.secret) {
      await this.#options.memory.update(keyOf(value), answer);
    } else {
      try {
        await this.#options.secrets.store(keyOf(value), answer);
      } catch {
        return; // Without a keyring it serves this once.
      }
    }
    const others = this.list().filter((other) => keyOf(other) !== keyOf(value));
    await this.#options.memory.update(indexKey, [...others, value]);
  }
}

function keyOf({ kind, name, scope }: StoredValue): string {
  return `value:${kind}:${scope.kind === 'user' ? 'user' : scope.folder}:${name}`;
}

function askInput(id: string, definition: InputDefinition | undefined): Thenable<string | undefined> {
  const title = t('Value of {name}', { name: shownLine(id, 100) });
  const prompt = shownLine(definition?.description ?? id, 300);
  if (definition?.type === 'pickString') {
    return vscode.window.showQuickPick([...(definition.options ?? [])], {
      title,
      placeHolder: prompt,
      ignoreFocusOut: true,
    });
  }
  return vscode.window.showInputBox({
    title,
    prompt,
    password: definition?.password === true,
    ignoreFocusOut: true,
    ...(definition?.default === undefined ? {} : { value: definition.default }),
  });
}

function askSecret(name: string): Thenable<string | undefined> {
  return vscode.window.showInputBox({
    title: t('Secret {name}', { name: shownLine(name, 100) }),
    prompt: t('It is kept in the editor’s secret storage.'),
    password: true,
    ignoreFocusOut: true,
  });
}
