// What the person knows of each server's tools (POL-2): the definitions of its first list, and those that they accepted
// since. Promises: a tool that is new or differs is told, hash by hash, until it is accepted; what cannot be read back is
// taken for knowing nothing, so that everything is told. It remembers; what follows is for decide.ts to say.
import type { Redactor } from '../../base/redact.ts';
import { isJsonObject, type JsonObject, type JsonValue } from '../../contract/json.ts';
import { limits } from '../limits.ts';
import type { ToolChange } from './decide.ts';

/** Where the definitions of one server are kept beyond this process; its owner bounds how many there are. */
export interface KnownToolFiles {
  /** Undefined where there never was one; fails where there is or was one that cannot be read. */
  read(key: string): Promise<string | undefined>;
  /** Never fails: what could not be written is asked about again. */
  write(key: string, text: string): void;
}

/** A tool as a server defines it, with what two definitions are compared by. */
export interface DefinedTool {
  readonly name: string;
  readonly raw: JsonObject;
  readonly hash: string;
  readonly annotationsHash: string;
}

export interface ToolOffer {
  readonly tools: readonly DefinedTool[];
}

interface Known extends Pick<DefinedTool, 'hash' | 'annotationsHash'> {
  /** What was known, for the difference; absent where all of it was too much to keep. */
  readonly raw?: JsonObject;
}

export class KnownTools {
  readonly #files: KnownToolFiles | undefined;
  readonly #secrets: Pick<Redactor, 'content'> | undefined;
  readonly #servers = new Map<string, ReadonlyMap<string, Known>>();

  /** `secrets`: what a server may have been lent, and is written down nowhere, also where it says it itself. */
  constructor(files?: KnownToolFiles, secrets?: Pick<Redactor, 'content'>) {
    this.#files = files;
    this.#secrets = secrets;
  }

  /** Reads anew what was kept of a server: another window may have accepted something. To be awaited before its first list. */
  async load(key: string): Promise<void> {
    if (this.#files === undefined) return;
    try {
      const text = await this.#files.read(key);
      if (text !== undefined) this.#servers.set(key, parse(text));
    } catch {
      if (!this.#servers.has(key)) this.#servers.set(key, new Map());
    }
  }

  /** The first list ever seen of a server is what the person knows of it; any other changes nothing. */
  acceptFirst(key: string, { tools }: ToolOffer): void {
    if (!this.#servers.has(key)) this.accept(key, tools);
  }

  /** How these differ from what is known: all are new where that is nothing. */
  changes(key: string, { tools }: ToolOffer): ReadonlyMap<string, ToolChange> {
    return changesSince(this.#servers.get(key) ?? new Map(), tools);
  }

  /** These definitions, and no others that the server may offer by now, are known from here on. */
  accept(key: string, tools: readonly DefinedTool[]): void {
    const now = tools.map(({ name, hash, annotationsHash, raw }) => [name, { hash, annotationsHash, raw }] as const);
    // What is not offered at the moment stays known: it may come back. Only so many names, the ones of now above all.
    const names = new Set(tools.map(({ name }) => name));
    const before = [...(this.#servers.get(key) ?? [])].filter(([name]) => !names.has(name));
    const kept = before.slice(0, Math.max(0, 2 * limits.discovery.items - now.length));
    const all = new Map<string, Known>([...now, ...kept]);
    this.#servers.set(key, all);
    this.#files?.write(key, this.#textOf(all));
  }

  /** The definition that the person knows; undefined where there is none, or none was kept. */
  definition(key: string, tool: string): JsonObject | undefined {
    return this.#servers.get(key)?.get(tool)?.raw;
  }

  /** Every name with its hashes; definitions as long as there is room for them. */
  #textOf(known: ReadonlyMap<string, Known>): string {
    const write = (value: JsonValue): string => JSON.stringify(this.#secrets?.content(value) ?? value);
    const bare = [...known].map(([name, { hash, annotationsHash }]) => write([name, hash, annotationsHash]));
    let left = limits.knownTools.bytes - bare.reduce((sum, text) => sum + Buffer.byteLength(text) + 2, 100);
    const texts = [...known.values()].map(({ raw }, index) => {
      const entry = bare[index] ?? '';
      if (raw === undefined || left <= 0) return entry;
      const definition = write(comparedPart(raw));
      left -= Buffer.byteLength(definition);
      return left < 0 ? entry : `${entry.slice(0, -1)},${definition}]`;
    });
    return `{"version":${version},"tools":[${texts.join(',')}]}`;
  }
}

const none: ReadonlyMap<string, ToolChange> = new Map();

function changesSince(
  known: ReadonlyMap<string, Known>,
  tools: readonly DefinedTool[],
): ReadonlyMap<string, ToolChange> {
  const changes = new Map<string, ToolChange>();
  for (const { name, hash, annotationsHash } of tools) {
    const before = known.get(name);
    if (before === undefined) changes.set(name, 'new');
    else if (before.hash !== hash) changes.set(name, 'definition');
    else if (before.annotationsHash !== annotationsHash) changes.set(name, 'annotations');
  }
  return changes.size === 0 ? none : changes;
}

const version = 1;

/** The fields of a definition that the hashes cover. */
function comparedPart({ name, title, description, inputSchema, outputSchema, annotations }: JsonObject): JsonObject {
  return { name, ...(title !== undefined && { title }), description, inputSchema, outputSchema, annotations };
}

/** Fails on anything but what `textOf` writes. */
function parse(text: string): ReadonlyMap<string, Known> {
  const json: unknown = JSON.parse(text);
  const tools: JsonValue | undefined = isJsonObject(json) && json['version'] === version ? json['tools'] : undefined;
  if (!Array.isArray(tools)) throw new Error('this is no list of known tools');
  return new Map((tools as readonly unknown[]).map(knownOf));
}

function knownOf(entry: unknown): readonly [string, Known] {
  const [name, hash, annotationsHash, raw] = Array.isArray(entry) ? (entry as readonly unknown[]) : [];
  if (typeof name !== 'string' || typeof hash !== 'string' || typeof annotationsHash !== 'string') {
    throw new Error('this is no known tool');
  }
  return [name, { hash, annotationsHash, ...(isJsonObject(raw) && { raw }) }];
}
