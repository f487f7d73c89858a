// The one normaliser of mcp.json files: a raw object becomes definitions with all defaults filled in, or a list of faults. Unknown keys are tolerated; a known key with an illegal value is a fault,
// and one fault refuses the whole file (product CFG-1, CFG-5, CFG-6). media/schemas/mcp.schema.json says the same for editors.
import { isNear } from '../base/nearest.ts';
import { entryKeys, oauthKeys, timeoutKeys } from './configKeys.ts';
import { type ConfigVersion, protocolFault } from './configMigrations.ts';
import { type Entry, entrySchema, type Input, inputsSchema, mustBe } from './configSchemas.ts';
import { isJsonObject, type JsonObject, type JsonValue } from './json.ts';
import type { InputDefinition, OAuthSettings, ServerDefinition, ServerId, TimeoutOverrides } from './serverConfig.ts';

/** One thing wrong. `reason` continues the words "is not allowed:"; `atKey` says that the name is at fault, not the value. */
export interface ConfigFault {
  readonly path: readonly (string | number)[];
  readonly reason: string;
  readonly atKey?: boolean;
}

export interface ParsedConfigFile {
  readonly servers: ReadonlyMap<ServerId, ServerDefinition>;
  readonly inputs: readonly InputDefinition[];
}

export type ConfigFileResult =
  | { readonly ok: true; readonly file: ParsedConfigFile }
  | { readonly ok: false; readonly faults: readonly ConfigFault[] };

/**
 * Reads a whole file of a known version. `maxServers` bounds its entries, `maxItems` each other list or object in it.
 * Stops looking once there are more faults than anybody reads: at most some hundreds are answered.
 */
export function parseConfigFile(
  raw: JsonObject,
  options: { version: ConfigVersion | undefined; maxServers: number; maxItems: number },
): ConfigFileResult {
  const crowded = crowdedPlace(raw, options.maxItems, []);
  if (crowded !== undefined) {
    return { ok: false, faults: [{ path: crowded, reason: `it holds more than ${options.maxItems} values` }] };
  }
  const faults: ConfigFault[] = [];
  const entries = raw['mcpServers'];
  if (!Object.hasOwn(raw, 'mcpServers')) faults.push({ path: [], reason: missingServers(raw) });
  else if (!isJsonObject(entries)) faults.push({ path: ['mcpServers'], reason: mustBe.object });
  const ids = isJsonObject(entries) ? Object.keys(entries) : [];
  if (ids.length > options.maxServers) {
    faults.push({ path: ['mcpServers'], reason: `it holds more than ${options.maxServers} servers` });
  }

  const inputs = inputsSchema.safeParse(raw['inputs'] ?? []);
  if (!inputs.success) faults.push(...issuesAsFaults(inputs.error.issues, ['inputs']));
  else if (raw['inputs'] === null) faults.push({ path: ['inputs'], reason: mustBe.list });
  else faults.push(...repeated(inputs.data).slice(0, enoughFaults));

  const servers = new Map<ServerId, ServerDefinition>();
  for (const id of ids.slice(0, options.maxServers)) {
    if (faults.length >= enoughFaults) break;
    const path = ['mcpServers', id];
    if (!isServerId(id)) {
      faults.push({ path, reason: idReason, atKey: true });
      continue;
    }
    const entry = parseEntry(isJsonObject(entries) ? entries[id] : undefined, options.version);
    if (entry.ok) servers.set(id, entry.definition);
    else faults.push(...entry.faults.map((fault) => ({ ...fault, path: [...path, ...fault.path] })));
  }
  if (faults.length > 0) return { ok: false, faults };
  return { ok: true, file: { servers, inputs: inputs.success ? inputs.data.map(asInput) : [] } };
}

export type EntryResult =
  | { readonly ok: true; readonly definition: ServerDefinition }
  | { readonly ok: false; readonly faults: readonly ConfigFault[] };

/** Reads one entry. Paths of its faults start at the entry. */
export function parseEntry(raw: JsonValue | undefined, version: ConfigVersion | undefined): EntryResult {
  const parsed = entrySchema.safeParse(raw);
  const faults = parsed.success ? [] : issuesAsFaults(parsed.error.issues, []);
  const versionFault = protocolFault(raw, version);
  if (versionFault !== undefined) faults.push({ path: ['protocol'], reason: versionFault });
  if (isJsonObject(raw)) faults.push(...crossFieldFaults(raw).slice(0, enoughFaults));
  if (!parsed.success || faults.length > 0) return { ok: false, faults };
  return { ok: true, definition: asDefinition(parsed.data) };
}

/** Whether a text may be a server's id (CFG-6). */
export function isServerId(text: string): text is ServerId {
  return serverIdPattern.test(text);
}

/** More faults than anybody reads at once. */
const enoughFaults = 100;

/** The first list or object that holds more than `most` values. */
function crowdedPlace(
  value: JsonValue | undefined,
  most: number,
  path: readonly string[],
): readonly string[] | undefined {
  if (typeof value !== 'object' || value === null) return undefined;
  const entries = Object.entries(value);
  if (entries.length > most) return path;
  for (const [key, child] of entries) {
    const found = crowdedPlace(child, most, [...path, key]);
    if (found !== undefined) return found;
  }
  return undefined;
}

const idReason =
  'an id has 1 to 32 characters out of A-Z, a-z, 0-9, _ and -, no double underscore, and is no reserved word';
const serverIdPattern = /^(?!.*__)(?!(?:constructor|prototype)$)[A-Za-z0-9_-]{1,32}$/;
/** What other clients call `url`. */
const urlAliases: readonly string[] = ['serverUrl', 'httpUrl'];
const reservedKeys: readonly string[] = ['__proto__', 'constructor', 'prototype'];

/** Rules that no single field can hold, and names that zod's records pass over in silence. */
function crossFieldFaults(raw: JsonObject): ConfigFault[] {
  const faults: ConfigFault[] = [];
  const has = (key: string): boolean => Object.hasOwn(raw, key);
  if (has('command') && has('url'))
    faults.push({ path: ['url'], reason: 'an entry has either command or url', atKey: true });
  if (!has('command') && !has('url')) {
    const unknown = Object.keys(raw).filter((key) => !(entryKeys as readonly string[]).includes(key));
    const meant = unknown.flatMap((key) => {
      const name = urlAliases.includes(key) ? 'url' : ['command', 'url'].find((known) => isNear(key, known));
      return name === undefined ? [] : [{ key, name }];
    })[0];
    faults.push(
      meant === undefined
        ? { path: [], reason: 'it needs command or url' }
        : { path: [meant.key], reason: `did you mean ${meant.name}? That is its name in this file`, atKey: true },
    );
  }
  if (has('url') && has('persistent')) {
    faults.push({ path: ['persistent'], reason: 'a remote server is not kept by this machine', atKey: true });
  }
  if (raw['transport'] === 'sse' && has('protocol') && raw['protocol'] !== 'legacy') {
    faults.push({ path: ['protocol'], reason: 'the sse transport speaks legacy only' });
  }
  for (const field of ['env', 'headers'] as const) {
    const names = isJsonObject(raw[field]) ? Object.keys(raw[field]) : [];
    const reserved = names.filter((name) => reservedKeys.includes(name));
    faults.push(...reserved.map((name) => ({ path: [field, name], reason: 'the name is reserved', atKey: true })));
  }
  // A tool may well be called "constructor"; only this one name cannot be kept in an object safely.
  if (isJsonObject(raw['toolPolicies']) && Object.hasOwn(raw['toolPolicies'], '__proto__')) {
    faults.push({ path: ['toolPolicies', '__proto__'], reason: 'the name is reserved', atKey: true });
  }
  const seen = new Set<string>();
  for (const name of isJsonObject(raw['headers']) ? Object.keys(raw['headers']) : []) {
    if (seen.has(name.toLowerCase()))
      faults.push({ path: ['headers', name], reason: 'it is written twice', atKey: true });
    seen.add(name.toLowerCase());
  }
  return faults;
}

function repeated(inputs: readonly Input[]): ConfigFault[] {
  const faults: ConfigFault[] = [];
  const seen = new Set<string>();
  for (const [index, input] of inputs.entries()) {
    if (seen.has(input.id)) faults.push({ path: ['inputs', index, 'id'], reason: 'another input has this id' });
    seen.add(input.id);
    if (input.type === 'pickString' && (input.options ?? []).length === 0) {
      faults.push({ path: ['inputs', index], reason: 'a pickString needs options' });
    }
  }
  return faults;
}

function missingServers(raw: JsonObject): string {
  return Object.hasOwn(raw, 'servers')
    ? 'mcpServers is missing; this file calls it "servers"'
    : 'the object mcpServers is missing';
}

interface Issue {
  readonly code?: string | undefined;
  readonly path: readonly PropertyKey[];
  readonly message: string;
  readonly issues?: readonly { readonly message: string }[];
}

function issuesAsFaults(issues: readonly unknown[], prefix: readonly (string | number)[]): ConfigFault[] {
  return (issues as readonly Issue[]).slice(0, enoughFaults).map((issue) => {
    const path = [...prefix, ...issue.path.map((key) => (typeof key === 'symbol' ? String(key) : key))];
    if (issue.code !== 'invalid_key') return { path, reason: issue.message };
    return { path, reason: issue.issues?.[0]?.message ?? issue.message, atKey: true };
  });
}

function asDefinition(entry: Entry): ServerDefinition {
  const common = {
    protocol: entry.protocol ?? 'legacy',
    enabled: entry.enabled ?? true,
    autostart: entry.autostart ?? false,
    toolPolicies: bare(entry.toolPolicies),
    timeouts: asTimeouts(entry.timeouts),
    ...(entry.description === undefined ? {} : { description: entry.description }),
  } as const;
  if (entry.url !== undefined) {
    return {
      kind: 'remote',
      url: entry.url,
      transport: entry.transport ?? 'auto',
      headers: bare(entry.headers),
      ...(entry.oauth === undefined ? {} : { oauth: asOAuth(entry.oauth) }),
      ...common,
    };
  }
  return {
    kind: 'stdio',
    command: entry.command ?? '',
    args: entry.args ?? [],
    env: bare(entry.env),
    ...(entry.envFile === undefined ? {} : { envFile: entry.envFile }),
    ...(entry.cwd === undefined ? {} : { cwd: entry.cwd }),
    persistent: entry.persistent ?? false,
    isolation: entry.isolation ?? 'shared',
    ...(entry.roots === false ? { roots: false } : {}),
    ...common,
  };
}

/** A map without inherited properties: a look-up by a name that a server chose finds what was written, or nothing. */
function bare<T>(record: Readonly<Record<string, T>> | undefined): Readonly<Record<string, T>> {
  return Object.assign(Object.create(null) as Record<string, T>, record);
}

function asTimeouts(timeouts: Entry['timeouts']): TimeoutOverrides {
  return pick(timeouts, timeoutKeys);
}

function asOAuth(oauth: NonNullable<Entry['oauth']>): OAuthSettings {
  return pick(oauth, oauthKeys);
}

function asInput(input: Input): InputDefinition {
  return { id: input.id, type: input.type, ...pick(input, ['description', 'default', 'password', 'options']) };
}

type Present<T, K extends keyof T> = { [P in K]?: NonNullable<T[P]> };

/** The named fields that have a value; unknown keys stay behind. */
function pick<T extends object, K extends keyof T>(from: T | undefined, keys: readonly K[]): Present<T, K> {
  const picked: Present<T, K> = {};
  for (const key of keys) {
    const value = from?.[key];
    if (value !== undefined && value !== null) picked[key] = value;
  }
  return picked;
}
