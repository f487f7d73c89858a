// What one entry of a client's file says, in the terms that all clients share, and the entry that connects a client to
// us. Pure. Values are taken as they are written: no variable is replaced, and nothing of a hostile entry throws.
import { isJsonObject, type JsonObject, type JsonValue } from '../../contract/json.ts';
import type { EntryShape } from './clients.ts';

export type NeutralDefinition =
  | {
      readonly kind: 'stdio';
      readonly command: string;
      readonly args: readonly string[];
      readonly env: Readonly<Record<string, string>>;
      readonly cwd?: string;
      readonly envFile?: string;
    }
  | {
      readonly kind: 'remote';
      readonly url: string;
      /** `auto`: Streamable HTTP, else SSE. */
      readonly transport: 'auto' | 'streamable-http' | 'sse';
      readonly headers: Readonly<Record<string, string>>;
      /** Variables of the environment that headers are taken from, by header (Codex). */
      readonly headersFromEnv?: Readonly<Record<string, string>>;
    }
  | {
      readonly kind: 'unusable';
      /** `noTarget`: neither command nor URL; `wrongType`: a field is of the wrong kind; `skipped`: the client skips it too. */
      readonly reason: 'noTarget' | 'wrongType' | 'skipped';
      readonly field?: string;
    };

export interface NeutralEntry {
  readonly definition: NeutralDefinition;
  /** False where the client does not start it. */
  readonly enabled: boolean;
  /** Keys that the definition does not say anything of, sorted. */
  readonly leftOut: readonly string[];
}

/** Reads an entry as its client does. */
export function readEntry(shape: EntryShape, raw: JsonValue): NeutralEntry {
  if (!isJsonObject(raw)) return { definition: { kind: 'unusable', reason: 'wrongType' }, enabled: true, leftOut: [] };
  const seen = new Set<string>();
  const fields = new Fields(raw, seen);
  let definition: NeutralDefinition;
  try {
    definition = readDefinition(shape, fields);
  } catch (error) {
    if (!(error instanceof WrongType)) throw error;
    definition = { kind: 'unusable', reason: 'wrongType', field: error.message };
  }
  const enabled = raw['enabled'] !== false && raw['disabled'] !== true;
  for (const key of ['enabled', 'disabled', 'type', 'name', 'source']) seen.add(key);
  return {
    definition,
    enabled,
    leftOut: Object.keys(raw)
      .filter((key) => !seen.has(key))
      .sort(),
  };
}

/** The entry that makes a client start `entry` and talk to it over stdio, in the client's own form. */
export function writeEntry(
  shape: EntryShape,
  entry: { readonly command: string; readonly args: readonly string[] },
): JsonObject {
  const { command, args } = entry;
  switch (shape) {
    case 'opencode':
      return { type: 'local', command: [command, ...args] };
    case 'zed':
      return { source: 'custom', command, args: [...args] };
    case 'claude':
    case 'vscode':
      return { type: 'stdio', command, args: [...args] };
    case 'copilot':
      return { type: 'local', command, args: [...args], tools: ['*'] };
    case 'cline':
    case 'roo':
    case 'desktop':
    case 'cursor':
    case 'windsurf':
    case 'codex':
    case 'gemini':
    case 'continue':
      return { command, args: [...args] };
  }
}

function readDefinition(shape: EntryShape, fields: Fields): NeutralDefinition {
  if (shape === 'opencode') return openCode(fields);
  const type = typeof fields.raw['type'] === 'string' ? fields.raw['type'].toLowerCase() : undefined;
  const remote = remoteOf(shape, fields, type);
  const isStdio = type === undefined ? remote === undefined || fields.raw['command'] !== undefined : isLocal(type);
  if (isStdio) {
    const stdio = stdioOf(shape, fields);
    if (stdio !== undefined) return stdio;
    // Claude Code takes an entry without a type for a command, whatever else it has.
    if (remote === undefined || isLocal(type ?? 'none')) return { kind: 'unusable', reason: 'noTarget' };
  }
  if (remote === undefined) return { kind: 'unusable', reason: 'noTarget' };
  if (shape === 'claude' && type === undefined) return { kind: 'unusable', reason: 'skipped', field: 'type' };
  return remote;
}

function isLocal(type: string): boolean {
  return type === 'stdio' || type === 'local';
}

function stdioOf(shape: EntryShape, fields: Fields): NeutralDefinition | undefined {
  // Zed's first form has command, arguments and environment together.
  const nested = shape === 'zed' ? fields.object('command', { orText: true }) : undefined;
  const from = nested ?? fields;
  const command = nested === undefined ? fields.text('command') : nested.text('path');
  if (command === undefined || command.trim() === '') return undefined;
  const cwd = fields.text('cwd');
  const envFile = fields.text('envFile');
  return {
    kind: 'stdio',
    command,
    args: from.texts('args') ?? [],
    env: from.map('env') ?? {},
    ...(cwd !== undefined && { cwd }),
    ...(envFile !== undefined && { envFile }),
  };
}

function remoteOf(shape: EntryShape, fields: Fields, type: string | undefined): NeutralDefinition | undefined {
  if (shape === 'gemini' && fields.raw['httpUrl'] !== undefined) {
    const url = fields.text('httpUrl');
    return url === undefined ? undefined : remote(url, 'streamable-http', fields.map('headers'));
  }
  const url = fields.text('url') ?? fields.text('serverUrl') ?? fields.text('httpUrl');
  if (url === undefined || url.trim() === '') return undefined;
  if (shape === 'codex') return codexRemote(url, fields);
  const headers =
    shape === 'continue'
      ? (fields.object('requestOptions')?.map('headers') ?? fields.map('headers'))
      : fields.map('headers');
  return remote(url, transportOf(shape, type), headers);
}

function transportOf(shape: EntryShape, type: string | undefined): 'auto' | 'streamable-http' | 'sse' {
  if (type === 'sse') return 'sse';
  // The editor's `http` falls back to SSE by itself.
  if (type === 'http') return shape === 'vscode' ? 'auto' : 'streamable-http';
  if (type === 'streamable-http' || type === 'streamablehttp' || type === 'streamable_http') return 'streamable-http';
  // Without a type these two mean the older transport.
  return shape === 'gemini' || shape === 'cline' ? 'sse' : 'auto';
}

function remote(
  url: string,
  transport: 'auto' | 'streamable-http' | 'sse',
  headers: Readonly<Record<string, string>> = {},
): NeutralDefinition {
  return { kind: 'remote', url, transport, headers };
}

function codexRemote(url: string, fields: Fields): NeutralDefinition {
  const token = fields.text('bearer_token_env_var');
  const headersFromEnv = {
    ...fields.map('env_http_headers'),
    ...(token === undefined ? {} : { Authorization: token }),
  };
  return {
    kind: 'remote',
    url,
    transport: 'streamable-http',
    headers: fields.map('http_headers') ?? {},
    ...(Object.keys(headersFromEnv).length > 0 && { headersFromEnv }),
  };
}

function openCode(fields: Fields): NeutralDefinition {
  const url = fields.text('url');
  if (fields.raw['type'] === 'remote' || (fields.raw['type'] === undefined && url !== undefined)) {
    return url === undefined ? { kind: 'unusable', reason: 'noTarget' } : remote(url, 'auto', fields.map('headers'));
  }
  const [command, ...args] = fields.texts('command') ?? [];
  if (command === undefined || command.trim() === '') return { kind: 'unusable', reason: 'noTarget' };
  const cwd = fields.text('cwd');
  return { kind: 'stdio', command, args, env: fields.map('environment') ?? {}, ...(cwd !== undefined && { cwd }) };
}

/** A field is not what its client takes. */
class WrongType extends Error {}

/** Reads fields of one object, and notes which. */
class Fields {
  readonly raw: JsonObject;
  readonly #seen: Set<string>;

  constructor(raw: JsonObject, seen: Set<string>) {
    this.raw = raw;
    this.#seen = seen;
  }

  text(key: string): string | undefined {
    const value = this.#take(key);
    if (value === undefined || value === null) return undefined;
    if (typeof value !== 'string') throw new WrongType(key);
    return value;
  }

  texts(key: string): readonly string[] | undefined {
    const value = this.#take(key);
    if (value === undefined || value === null) return undefined;
    if (!Array.isArray(value)) throw new WrongType(key);
    return (value as readonly JsonValue[]).map((item) => {
      if (typeof item === 'string') return item;
      if (typeof item === 'number' || typeof item === 'boolean') return String(item);
      throw new WrongType(key);
    });
  }

  map(key: string): Readonly<Record<string, string>> | undefined {
    const value = this.#take(key);
    if (value === undefined || value === null) return undefined;
    if (!isJsonObject(value)) throw new WrongType(key);
    const result = Object.create(null) as Record<string, string>;
    for (const [name, item] of Object.entries(value)) {
      if (typeof item === 'string') result[name] = item;
      else if (typeof item === 'number' || typeof item === 'boolean') result[name] = String(item);
      else throw new WrongType(`${key}.${name}`);
    }
    return result;
  }

  object(key: string, options: { readonly orText?: true } = {}): Fields | undefined {
    const value = this.raw[key];
    if (options.orText === true && typeof value === 'string') return undefined;
    this.#seen.add(key);
    if (value === undefined || value === null) return undefined;
    if (!isJsonObject(value)) throw new WrongType(key);
    return new Fields(value, new Set());
  }

  #take(key: string): JsonValue | undefined {
    this.#seen.add(key);
    return this.raw[key];
  }
}
