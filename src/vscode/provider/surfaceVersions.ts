// The versions of what is published (GATE-7): the editor keeps the tools of a definition for as long as its version stays.
// A version is a number that only grows, remembered for the workspace as the editor's tools are, so that a change while
// nobody looked is seen as well. It starts with the time: should our memory be lost, no older number comes again.
import { createHash } from 'node:crypto';
import type { Clock } from '../../base/clock.ts';
import { isJsonObject, type JsonValue } from '../../contract/json.ts';
import type { KeptOffer } from '../../core/discovery/keptLists.ts';

/** The part of the editor's memory that is needed; what comes back may be anything. */
export interface VersionMemory {
  get(key: string): unknown;
  update(key: string, value: unknown): PromiseLike<void>;
}

export interface VersionedServer {
  readonly id: string;
  readonly offer: KeptOffer | undefined;
  /** The editor is connected to it: a change waits for the end of that. */
  readonly held: boolean;
}

export class SurfaceVersions {
  readonly #memory: VersionMemory;
  readonly #clock: Pick<Clock, 'now'>;
  #entries: ReadonlyMap<string, Entry>;

  constructor(memory: VersionMemory, clock: Pick<Clock, 'now'>) {
    this.#memory = memory;
    this.#clock = clock;
    this.#entries = parse(memory.get(memoryKey));
  }

  /** The version of each of these; what is no longer configured is forgotten. */
  take(servers: readonly VersionedServer[], configured: ReadonlySet<string>): ReadonlyMap<string, number> {
    const entries = new Map([...this.#entries].filter(([id]) => configured.has(id)));
    for (const server of servers) entries.set(server.id, this.#next(entries.get(server.id), server));
    if (!isSame(entries, this.#entries)) {
      this.#entries = entries;
      void this.#memory.update(memoryKey, Object.fromEntries(entries)).then(undefined, () => undefined);
    }
    return new Map(servers.map(({ id }) => [id, entries.get(id)?.version ?? 0]));
  }

  #next(before: Entry | undefined, { offer, held }: VersionedServer): Entry {
    const hash = offer && hashOf(offer);
    if (before === undefined) return { version: this.#clock.now(), hash: hash ?? '' };
    if (hash === undefined || hash === before.hash) return before;
    // The editor has none of its tools so far: the first ones are no other ones.
    if (before.hash === '') return { ...before, hash };
    return held ? before : { version: Math.max(before.version + 1, this.#clock.now()), hash };
  }
}

interface Entry {
  readonly version: number;
  /** Of the offer; empty where none was known. */
  readonly hash: string;
}

const memoryKey = 'publishedVersions';
const hashes = new WeakMap<KeptOffer, string>();

/** Of all that the editor keeps: tools and prompts, in whatever order. */
function hashOf(offer: KeptOffer): string {
  let hash = hashes.get(offer);
  if (hash === undefined) {
    const lines = [...offer.tools, ...offer.prompts].map(({ raw }) => JSON.stringify(raw)).sort();
    hash = createHash('sha256').update(lines.join('\n')).digest('hex').slice(0, 32);
    hashes.set(offer, hash);
  }
  return hash;
}

function parse(stored: unknown): ReadonlyMap<string, Entry> {
  if (!isJsonObject(stored)) return new Map();
  return new Map(
    Object.entries(stored).flatMap(([id, value]: [string, JsonValue | undefined]) => {
      const { version, hash } = isJsonObject(value) ? value : {};
      return Number.isSafeInteger(version) && typeof hash === 'string'
        ? [[id, { version: Number(version), hash }] as const]
        : [];
    }),
  );
}

function isSame(one: ReadonlyMap<string, Entry>, other: ReadonlyMap<string, Entry>): boolean {
  return (
    one.size === other.size &&
    [...one].every(([id, { version, hash }]) => {
      const entry = other.get(id);
      return entry?.version === version && entry.hash === hash;
    })
  );
}
