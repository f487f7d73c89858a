// What servers offered when they last ran, for display and for an agent's first list (DISC-8). A pure store: whoever
// owns it saves its text. Promises: a list serves only the very launch that gave it; what was stored is looked at
// before it is shown; a server with large lists costs no other one its place. Calls never work on it: they wait for the
// live snapshot.
import { sizeOf } from '../../base/sizeOf.ts';
import { isJsonObject, type JsonObject, type JsonValue } from '../../contract/json.ts';
import { offerKinds } from './offerKinds.ts';
import type { OfferedItem, OfferedTool, ServerSnapshot } from './snapshot.ts';

export interface KeptOffer {
  readonly tools: readonly OfferedTool[];
  readonly resources: readonly OfferedItem[];
  readonly resourceTemplates: readonly OfferedItem[];
  readonly prompts: readonly OfferedItem[];
}

interface Entry {
  /** The launch fingerprint (TRUST-2) that the offer came from. */
  readonly launch: string;
  readonly offer: KeptOffer;
}

export class KeptLists {
  readonly #entries = new Map<string, Entry>();

  /** Takes back the JSON that `toText` wrote; what does not fit is left out. */
  static parse(json: unknown): KeptLists {
    const kept = new KeptLists();
    const entries = isJsonObject(json) && json['version'] === version ? json['servers'] : undefined;
    if (!isJsonObject(entries)) return kept;
    for (const [key, entry] of Object.entries(entries)) {
      if (!isJsonObject(entry) || typeof entry['launch'] !== 'string') continue;
      kept.#entries.set(key, { launch: entry['launch'], offer: offerOf(entry) });
    }
    return kept;
  }

  /** JSON of at most `most` bytes of UTF-8; the servers with the largest lists are left out where it would be more. */
  toText(most: number): string {
    // Nothing is written down that is larger than all may be.
    const entries = [...this.#entries]
      .map(([key, { launch, offer }]) => ({ key, value: { launch, ...offer }, size: sizeOf(offer, most) }))
      .filter(({ size }) => size <= most)
      .sort((a, b) => a.size - b.size);
    const head = `{"version":${version},"servers":{`;
    const members: string[] = [];
    let left = most - head.length - '}}'.length;
    for (const { key, value } of entries) {
      const member = `${JSON.stringify(key)}:${JSON.stringify(value)}`;
      left -= Buffer.byteLength(member) + 1;
      if (left < 0) break;
      members.push(member);
    }
    return `${head}${members.join(',')}}}`;
  }

  has(key: string): boolean {
    return this.#entries.has(key);
  }

  /** What this launch offered; an entry of another launch is dropped. */
  get(key: string, launch: string): KeptOffer | undefined {
    const entry = this.#entries.get(key);
    if (entry === undefined) return undefined;
    if (entry.launch === launch) return entry.offer;
    this.#entries.delete(key);
    return undefined;
  }

  put(key: string, launch: string, snapshot: ServerSnapshot): void {
    const { tools, resources, resourceTemplates, prompts } = snapshot;
    this.#entries.set(key, { launch, offer: { tools, resources, resourceTemplates, prompts } });
  }

  /** For a definition that changed, was blocked, disabled or removed. */
  drop(key: string): void {
    this.#entries.delete(key);
  }
}

const version = 1;

function offerOf(entry: JsonObject): KeptOffer {
  const [, ...others] = offerKinds;
  const tools = listIn(entry, 'tools').flatMap((tool) => {
    const { name, hash, annotationsHash, raw } = tool;
    if (typeof name !== 'string' || typeof hash !== 'string' || typeof annotationsHash !== 'string') return [];
    return isJsonObject(raw) ? [{ name, hash, annotationsHash, raw }] : [];
  });
  const items = Object.fromEntries(others.map((kind) => [kind, listIn(entry, kind).flatMap(itemOf)]));
  return { tools, resources: [], resourceTemplates: [], prompts: [], ...items };
}

function itemOf({ key, name, raw }: JsonObject): readonly OfferedItem[] {
  return typeof key === 'string' && typeof name === 'string' && isJsonObject(raw) ? [{ key, name, raw }] : [];
}

function listIn(entry: JsonObject, kind: string): readonly JsonObject[] {
  const list: JsonValue | undefined = entry[kind];
  return Array.isArray(list) ? (list as readonly unknown[]).filter(isJsonObject) : [];
}
