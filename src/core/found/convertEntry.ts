// One entry of another client's file becomes an entry of ours, purely (GATE-9). What each client writes is data, in
// dialects.ts. Promises: what is carried over means the same here; what cannot be is named, and an entry that would run
// something else, or cannot run here at all, is not usable; neither is one that is too long for an entry. Nothing is expanded,
// looked up or started.
import { sep } from 'node:path';
import { parseEntry } from '../../contract/configFile.ts';
import { currentConfigVersion } from '../../contract/configMigrations.ts';
import { isJsonObject, type JsonObject, type JsonValue } from '../../contract/json.ts';
import type { PolicyWord, TimeoutOverrides } from '../../contract/serverConfig.ts';
import { variablesIn } from '../config/usedInputs.ts';
import { limits } from '../limits.ts';
import { translateVariables } from './clientVariables.ts';
import type { EntryShape } from '../agents/clients.ts';
import { dialects, type DialectRules, type TransportWord } from './dialects.ts';
import type { Conversion, FoundNote, UnusableReason } from './foundEntry.ts';

export interface ConvertOptions {
  /** Of paths on this machine. */
  readonly separator?: string;
}

export function convertEntry(shape: EntryShape, raw: JsonValue | undefined, options: ConvertOptions = {}): Conversion {
  if (!isJsonObject(raw)) return { kind: 'unusable', reason: 'shape', detail: '', off: false };
  if (JSON.stringify(raw).length > limits.found.entry) {
    const detail = `it is longer than ${limits.found.entry} characters`;
    return { kind: 'unusable', reason: 'refused', detail, off: false };
  }
  const reader = new EntryReader(raw, dialects[shape], options.separator ?? sep);
  const off = reader.off();
  const entry = reader.launch();
  if (entry === undefined) return { kind: 'unusable', ...(reader.fault ?? { reason: 'nothing', detail: '' }), off };
  const whole: JsonObject = { ...entry, ...reader.policies(), ...reader.timeouts(), ...reader.description() };
  if (reader.fault !== undefined) return { kind: 'unusable', ...reader.fault, off };
  const parsed = parseEntry(whole, currentConfigVersion);
  if (!parsed.ok) {
    const [fault] = parsed.faults;
    const detail = fault === undefined ? '' : `${fault.path.join('.')}: ${fault.reason}`;
    return { kind: 'unusable', reason: 'refused', detail, off };
  }
  const inputs = variablesIn(parsed.definition).flatMap((part) => (part.kind === 'input' ? [part.name] : []));
  const notes = [...reader.notes, ...reader.leftBehind()];
  return { kind: 'entry', entry: whole, definition: parsed.definition, off, notes, inputs: [...new Set(inputs)] };
}

interface Fault {
  readonly reason: UnusableReason;
  readonly detail: string;
}

/** Reads one entry by the rules of its dialect, and knows which keys nobody asked for. */
class EntryReader {
  readonly notes: FoundNote[] = [];
  fault: Fault | undefined;
  readonly #raw: JsonObject;
  readonly #rules: DialectRules;
  readonly #separator: string;
  readonly #read = new Set<string>();

  constructor(raw: JsonObject, rules: DialectRules, separator: string) {
    this.#raw = raw;
    this.#rules = rules;
    this.#separator = separator;
  }

  off(): boolean {
    return this.#take('disabled') === true || this.#take('enabled') === false;
  }

  /** What is run or reached; undefined where that is nothing for us, and `fault` says why. */
  launch(): JsonObject | undefined {
    const { refusedKeys = [], urlKeys } = this.#rules;
    const refused = refusedKeys.find((key) => this.#has(key));
    if (refused !== undefined) return this.#fail('client', refused);
    const type = this.#take('type');
    this.#take('transport');
    const word = typeof type === 'string' ? type : this.#raw['transport'];
    const named = typeof word === 'string' ? transportOf(word) : undefined;
    const transport = named === 'streamable-http' && this.#rules.httpFallsBack === true ? 'auto' : named;
    if (typeof word === 'string' && transport === undefined) return this.#fail('transport', word.slice(0, 40));
    const urlKey = urlKeys.find((key) => this.#has(key.name));
    if (this.#has('command') && (transport ?? 'stdio') === 'stdio') return this.#stdio();
    if (urlKey !== undefined && transport !== 'stdio') return this.#remote(urlKey.name, transport ?? urlKey.transport);
    // A server of an extension of the client: only the client knows what it runs.
    return this.#has('settings') ? this.#fail('client', 'settings') : this.#fail('nothing', '');
  }

  description(): JsonObject {
    const text = this.#take('description');
    return typeof text === 'string' && text.trim() !== '' ? { description: text } : {};
  }

  /** Times in the client's own unit become milliseconds; one that is no such time is left behind. */
  timeouts(): JsonObject {
    const timeouts: { -readonly [K in keyof TimeoutOverrides]: number } = {};
    for (const { key, of, unit } of this.#rules.timeouts ?? []) {
      const value = this.#raw[key];
      const ms = typeof value === 'number' ? Math.round(value * unit) : undefined;
      if (ms === undefined || ms < 1 || ms > 86_400_000) continue;
      this.#take(key);
      timeouts[of] = ms;
    }
    return Object.keys(timeouts).length === 0 ? {} : { timeouts };
  }

  /** Tools that the client shows or hides: what it hides is denied here. */
  policies(): JsonObject {
    const { onlyTools = [], withoutTools = [] } = this.#rules;
    const only = this.#firstNames(onlyTools);
    const without = this.#firstNames(withoutTools);
    const policies: Record<string, PolicyWord> = Object.create(null) as Record<string, PolicyWord>;
    if (only !== undefined && !only.includes('*')) {
      policies['*'] = 'deny';
      for (const name of only) policies[name] = 'allow';
    }
    for (const name of without ?? []) policies[name] = 'deny';
    return Object.keys(policies).length === 0 ? {} : { toolPolicies: policies };
  }

  leftBehind(): readonly FoundNote[] {
    const known = new Set([...this.#read, ...(this.#rules.silentKeys ?? [])]);
    return Object.keys(this.#raw)
      .filter((key) => !known.has(key))
      .slice(0, 20)
      .map((key) => ({ kind: 'leftBehind', key }));
  }

  #stdio(): JsonObject | undefined {
    const { environmentKey = 'env', inheritedKey } = this.#rules;
    const command = this.#take('command');
    const inner = isJsonObject(command) ? command : undefined;
    // Zed's earlier files keep the whole launch under `command`; OpenCode has one list.
    const list = Array.isArray(command) ? (command as readonly JsonValue[]) : undefined;
    const program = inner?.['path'] ?? list?.[0] ?? command;
    const args = inner?.['args'] ?? list?.slice(1) ?? this.#take('args') ?? [];
    const env = inner?.['env'] ?? this.#take(environmentKey) ?? {};
    if (typeof program !== 'string' || program.trim() === '') return this.#fail('nothing', 'command');
    if (!Array.isArray(args)) return this.#fail('refused', 'args');
    const words = (args as readonly JsonValue[]).map(asWord);
    if (words.includes(undefined)) return this.#fail('refused', 'args');
    const inherited = inheritedKey === undefined ? [] : (this.#names(inheritedKey) ?? []);
    const variables = {
      ...Object.fromEntries(inherited.map((name) => [name, this.#inherited(name, inheritedKey ?? '')])),
      ...this.#texts(env, environmentKey),
    };
    const { cwd, envFile } = { cwd: this.#take('cwd'), envFile: this.#take('envFile') };
    return {
      command: this.#translated(program),
      ...(words.length === 0 ? {} : { args: words.map((word) => this.#translated(word ?? '')) }),
      ...(Object.keys(variables).length === 0 ? {} : { env: variables }),
      ...(typeof envFile === 'string' && envFile !== '' ? { envFile: this.#translated(envFile) } : {}),
      ...(typeof cwd === 'string' && cwd !== '' ? { cwd: this.#translated(cwd) } : {}),
      protocol: 'legacy',
    };
  }

  #remote(key: string, transport: TransportWord | undefined): JsonObject | undefined {
    const url = this.#take(key);
    if (typeof url !== 'string') return this.#fail('refused', key);
    if (this.#rules.urlNeedsType === true && !this.#has('type')) this.notes.push({ kind: 'skippedThere' });
    const headers = { ...this.#headers(), ...this.#texts(this.#take('headers') ?? {}, 'headers') };
    return {
      url: this.#translated(url),
      ...(transport === 'sse' || transport === 'streamable-http' ? { transport } : {}),
      ...(Object.keys(headers).length === 0 ? {} : { headers }),
      protocol: transport === 'sse' ? 'legacy' : 'auto',
    };
  }

  /** Headers that a client keeps elsewhere than under `headers`. */
  #headers(): Record<string, string> {
    const { headerKeys = [], headersFromEnvironment, bearerKey, bearerEnvironmentKey, optionsKey } = this.#rules;
    const options = optionsKey === undefined ? undefined : this.#raw[optionsKey];
    const nested = isJsonObject(options) ? options['headers'] : undefined;
    // What else stands in there is left behind, and said by the key as a whole.
    if (optionsKey !== undefined && isJsonObject(options) && Object.keys(options).every((name) => name === 'headers')) {
      this.#take(optionsKey);
    }
    const bearer = bearerKey === undefined ? undefined : this.#take(bearerKey);
    const bearerName = bearerEnvironmentKey === undefined ? undefined : this.#take(bearerEnvironmentKey);
    const named = headersFromEnvironment === undefined ? undefined : this.#take(headersFromEnvironment);
    const fromEnvironment = Object.entries(isJsonObject(named) ? named : {}).map(([name, variable]) => [
      name,
      this.#inherited(variable, headersFromEnvironment ?? ''),
    ]);
    return {
      ...(typeof bearer === 'string' ? { Authorization: `Bearer ${this.#translated(bearer)}` } : {}),
      ...(typeof bearerName === 'string'
        ? { Authorization: `Bearer ${this.#inherited(bearerName, bearerEnvironmentKey ?? '')}` }
        : {}),
      ...(Object.fromEntries(fromEnvironment) as Record<string, string>),
      ...(nested === undefined ? {} : this.#texts(nested, 'headers')),
      ...headerKeys.reduce<Record<string, string>>(
        (all, key) => ({ ...all, ...this.#texts(this.#take(key) ?? {}, key) }),
        {},
      ),
    };
  }

  /** A map of texts; numbers and truth values are what clients make texts of. */
  #texts(value: JsonValue, key: string): Record<string, string> {
    if (!isJsonObject(value)) {
      this.#fail('refused', key);
      return {};
    }
    const texts = Object.create(null) as Record<string, string>;
    for (const [name, field] of Object.entries(value)) {
      const word = asWord(field ?? null);
      if (word === undefined) this.#fail('refused', `${key}.${name}`);
      else texts[name] = this.#translated(word);
    }
    return texts;
  }

  #firstNames(keys: readonly string[]): readonly string[] | undefined {
    return keys.map((key) => this.#names(key)).find((names) => names !== undefined);
  }

  /** Names in a list; what is no name leaves the whole list behind. */
  #names(key: string): readonly string[] | undefined {
    const value = this.#raw[key];
    if (!Array.isArray(value)) return undefined;
    const names = (value as readonly JsonValue[]).filter((name): name is string => typeof name === 'string');
    if (names.length !== value.length || names.some((name) => !/^[^\0()]{1,256}$/.test(name))) return undefined;
    this.#take(key);
    return names;
  }

  #translated(text: string): string {
    const translated = translateVariables(text, this.#rules.variables, this.#separator);
    if (!translated.ok) {
      this.#fail('variable', translated.variable);
      return '';
    }
    if (this.#rules.variables === 'mustache') this.#noteSecrets(translated.text);
    return translated.text;
  }

  /** A reference to a variable of the person's environment. What is no name may be the value itself: it is not told. */
  #inherited(name: JsonValue | undefined, key: string): string {
    if (typeof name === 'string' && /^[A-Za-z_][A-Za-z0-9_]*$/.test(name)) return `\${env:${name}}`;
    this.#fail('refused', key);
    return '';
  }

  #noteSecrets(text: string): void {
    for (const [, name = ''] of text.matchAll(/\$\{secret:([^}]*)\}/g)) {
      if (!this.notes.some((note) => note.kind === 'askedFor' && note.name === name)) {
        this.notes.push({ kind: 'askedFor', name });
      }
    }
  }

  #has(key: string): boolean {
    return Object.hasOwn(this.#raw, key) && this.#raw[key] !== undefined && this.#raw[key] !== null;
  }

  #take(key: string): JsonValue | undefined {
    this.#read.add(key);
    return this.#has(key) ? this.#raw[key] : undefined;
  }

  /** The first fault is the one that is told. */
  #fail(reason: UnusableReason, detail: string): JsonObject | undefined {
    this.fault ??= { reason, detail };
    return undefined;
  }
}

function asWord(value: JsonValue): string | undefined {
  if (typeof value === 'string') return value;
  return typeof value === 'number' || typeof value === 'boolean' ? String(value) : undefined;
}

/** Every client has its own spelling. */
function transportOf(word: string): TransportWord | undefined {
  switch (word.toLowerCase().replace(/[-_]/g, '')) {
    case 'stdio':
    case 'local':
      return 'stdio';
    case 'sse':
      return 'sse';
    case 'http':
    case 'streamablehttp':
      return 'streamable-http';
    case 'remote':
      return 'auto';
    default:
      return undefined;
  }
}
