// A field with variables, between its text and its value (CFG-11). What the definition and the machine's places decide
// is bound at once; what comes from the person (`env`, `input`, `secret`) stays a reference until the launch is approved.
import { isSensitive } from '../../base/sensitive.ts';
import { parseTemplate, type TemplatePart, type VariableFault } from '../../contract/variables.ts';
import type { ConfiguredServer } from '../config/model.ts';
import { ManagerError } from '../errors.ts';
import type { PersonalValueOptions } from '../ports.ts';
import type { LaunchContext } from './launchContext.ts';

export interface BoundField {
  /** Literal texts and references in turn: what a fingerprint covers. */
  readonly pieces: readonly Piece[];
  /** As a person is shown it: values of places filled in, references as written. */
  readonly shown: string;
  /** Whether it names an input or a secret: then it has no value before approval. */
  readonly personal: boolean;
  /** Its value. Asks for inputs and secrets, so only after approval; fails with variableUnset or blockedInput. */
  value(): Promise<string>;
  /** Its value where it is not personal. */
  readonly early: string | undefined;
}

export type Piece = string | { readonly ref: string };

/**
 * Binds fields of one server. Fails with variableUnknown, variableUnset where a place or variable is missing, and
 * blockedTrust where the place is a workspace that is not trusted.
 */
export class TemplateBinder {
  readonly #server: ConfiguredServer;
  readonly #context: LaunchContext;
  /** Each input and secret is asked for once a launch. */
  readonly #asked = new Map<string, Promise<string | undefined>>();
  readonly #secrets = new Set<string>();
  readonly #kept = new Set<string>();

  constructor(server: ConfiguredServer, context: LaunchContext) {
    this.#server = server;
    this.#context = context;
  }

  /** The folder that `${workspaceFolder}` stands for. */
  get workspaceFolder(): string | undefined {
    const { scope } = this.#server;
    if (scope.kind === 'project') return scope.folder;
    return this.#context.untrustedFolders === undefined ? this.#context.workspaceFolder : undefined;
  }

  /** The values used so far that have to stay out of logs, whichever field they went into (CONN-10). */
  get secrets(): ReadonlySet<string> {
    return this.#secrets;
  }

  /** Those of them that the person keeps as secrets. */
  get kept(): ReadonlySet<string> {
    return this.#kept;
  }

  bind(field: string, text: string): BoundField {
    const parsed = parseTemplate(text);
    if (!parsed.ok) throw this.#error('variableUnknown', field, parsed.variable, parsed.fault);
    const parts = parsed.parts.map((part) => ({ part, early: this.#early(field, part) }));
    const personal = parts.some(({ part }) => isPersonal(part));
    return {
      pieces: joined(parts.map(({ part, early }) => (this.#isReference(part) ? { ref: sourceOf(part) } : early))),
      shown: parts.map(({ part, early }) => (isFromPerson(part) ? sourceOf(part) : early)).join(''),
      personal,
      early: personal ? undefined : parts.map(({ early }) => early).join(''),
      value: async () => {
        const values = parts.map(async ({ part, early }) => (isPersonal(part) ? await this.#ask(field, part) : early));
        return (await Promise.all(values)).join('');
      },
    };
  }

  /** A value that the person keeps for this very server and place (TRUST-6), which no file can name. */
  bound(field: string, name: string, get: (options: PersonalValueOptions) => Promise<string | undefined>): BoundField {
    const ref = `\${stored:${name}}`;
    return {
      pieces: [{ ref }],
      shown: ref,
      personal: true,
      early: undefined,
      value: async () => {
        const { signal, mayAsk } = this.#context;
        const value = await get({ signal, mayAsk: mayAsk?.() });
        if (value === undefined) throw this.#error('blockedInput', field, ref);
        this.#keep(value);
        return value;
      },
    };
  }

  /** What a part stands for as far as nobody has to be asked. */
  #early(field: string, part: TemplatePart): string {
    switch (part.kind) {
      case 'text':
        return part.text;
      case 'userHome':
        return this.#context.home;
      case 'workspaceFolder':
        return this.workspaceFolder ?? this.#noFolder(field, part.source);
      case 'env': {
        const value = this.#variable(part.name);
        if (value !== undefined && isSensitive(part.name, value)) this.#secrets.add(value);
        // As in a shell, `:-` also stands in for an empty value.
        if (part.fallback !== undefined) return value === undefined || value === '' ? part.fallback : value;
        return value ?? this.#unset(field, part.source);
      }
      case 'input':
      case 'secret':
        return '';
    }
  }

  async #ask(field: string, part: PersonalPart): Promise<string> {
    const { personalValues, signal, mayAsk } = this.#context;
    const { scope, inputs = [] } = this.#server;
    const definition = part.kind === 'input' ? inputs.find(({ id }) => id === part.name) : undefined;
    const options = { signal, mayAsk: mayAsk?.(), definition };
    const asked =
      this.#asked.get(part.source) ??
      (part.kind === 'input'
        ? personalValues.input(part.name, scope, options)
        : personalValues.secret(part.name, scope, options));
    this.#asked.set(part.source, asked);
    const value = await asked;
    if (value === undefined) throw this.#error('blockedInput', field, part.source);
    // Decided once, by the definition that was approved, whatever the file says by now.
    const open = definition !== undefined && definition.password !== true;
    if (part.kind === 'secret' || definition?.password === true) this.#keep(value);
    else if (!open) this.#secrets.add(value);
    return value;
  }

  #keep(value: string): void {
    this.#secrets.add(value);
    this.#kept.add(value);
  }

  #variable(name: string): string | undefined {
    const { env, platform = process.platform } = this.#context;
    if (Object.hasOwn(env, name)) return env[name];
    if (platform !== 'win32') return undefined;
    const folded = name.toUpperCase();
    return Object.entries(env).find(([key]) => key.toUpperCase() === folded)?.[1];
  }

  /**
   * Whether a fingerprint covers the reference instead of the value: what comes from the person does, and, in the
   * person's own file, the folder that happens to be open; else the same server would be new in every workspace.
   */
  #isReference(part: TemplatePart): boolean {
    return isFromPerson(part) || (part.kind === 'workspaceFolder' && this.#server.scope.kind === 'user');
  }

  #noFolder(field: string, variable: string): never {
    if (this.#context.untrustedFolders === undefined) this.#unset(field, variable);
    throw new ManagerError('blockedTrust', { server: this.#server.id, field });
  }

  #unset(field: string, variable: string): never {
    throw this.#error('variableUnset', field, variable);
  }

  #error(
    code: 'variableUnset' | 'variableUnknown' | 'blockedInput',
    field: string,
    variable: string,
    fault?: VariableFault,
  ): ManagerError {
    const why = fault === undefined ? {} : { fault };
    return new ManagerError(code, { server: this.#server.id, file: this.#server.file, field, variable, ...why });
  }
}

type PersonalPart = Extract<TemplatePart, { kind: 'input' | 'secret' }>;

function isPersonal(part: TemplatePart): part is PersonalPart {
  return part.kind === 'input' || part.kind === 'secret';
}

function isFromPerson(part: TemplatePart): boolean {
  return isPersonal(part) || part.kind === 'env';
}

function sourceOf(part: TemplatePart): string {
  return part.kind === 'text' ? part.text : part.source;
}

/** Neighbouring texts become one, so that how a text came about does not count. */
function joined(pieces: readonly Piece[]): Piece[] {
  const result: Piece[] = [];
  for (const piece of pieces) {
    const last = result.at(-1);
    if (typeof piece === 'string' && typeof last === 'string') result[result.length - 1] = last + piece;
    else if (piece !== '') result.push(piece);
  }
  return result;
}
