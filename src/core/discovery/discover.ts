// Reads what a ready server offers: all four lists concurrently, raw, page by page, item by item (DISC-1 to DISC-3).
// Promises: one bad item or one failing list costs nothing else, and the event loop is never held for long.
// Knows nothing of changes, epochs or earlier lists: that is snapshotPublisher.ts.
import type { ErrorCode } from '../../contract/errorCodes.ts';
import type { Redactor } from '../../base/redact.ts';
import { isDeeperThan } from '../../base/jsonDepth.ts';
import { sizeOf } from '../../base/sizeOf.ts';
import { isJsonObject, type JsonValue } from '../../contract/json.ts';
import type { LiveClient } from '../connection/liveClient.ts';
import { ManagerError } from '../errors.ts';
import { limits } from '../limits.ts';
import { type Checked, checkItem, checkTool, itemLabel } from './checkItem.ts';
import { offerKinds } from './offerKinds.ts';
import type { OfferWarning } from './offerWarning.ts';
import { describe, readPages } from './paging.ts';
import { Slices } from './slices.ts';
import type { DiscoveryIssue, Incomplete, OfferedItem, OfferedTool, OfferKind } from './snapshot.ts';

export interface Listed<T> {
  readonly kind: 'listed';
  readonly items: readonly T[];
  /** Bounded; `issueCount` counts all. */
  readonly issues: readonly DiscoveryIssue[];
  readonly issueCount: number;
  /** How many of them are repaired items, which are offered all the same. */
  readonly repairedCount: number;
  /** What the items weigh, as `limits.discovery.total` counts. */
  readonly size: number;
  readonly incomplete?: Incomplete;
  readonly warning?: OfferWarning;
}

export type ListOutcome<T> = Listed<T> | { readonly kind: 'failed'; readonly error: ManagerError };

/** What came of each list that was asked for. */
export interface Discovery {
  readonly tools?: ListOutcome<OfferedTool>;
  readonly resources?: ListOutcome<OfferedItem>;
  readonly resourceTemplates?: ListOutcome<OfferedItem>;
  readonly prompts?: ListOutcome<OfferedItem>;
}

export interface DiscoverOptions {
  readonly signal: AbortSignal;
  readonly kinds?: Iterable<OfferKind>;
  /** What the lists weigh that are kept and not read now. */
  readonly held?: number;
}

/** Never rejects but on abort: a list that failed is told as `failed`. */
export async function discover(client: LiveClient, options: DiscoverOptions): Promise<Discovery> {
  const kinds = new Set(options.kinds ?? offerKinds);
  const { era, transport } = client.negotiated;
  const room: Room = { left: limits.discovery.total - (options.held ?? 0) };
  const reader: Reader = { client, signal: options.signal, slices: new Slices(), room };
  const mirrors = era === 'modern' && transport === 'streamable-http';
  const items = (kind: Exclude<OfferKind, 'tools'>): Promise<ListOutcome<OfferedItem>> | undefined =>
    kinds.has(kind)
      ? readList(reader, kind, { check: (raw) => checkItem(kind, raw), keyOf: (item) => item.key })
      : undefined;
  const [tools, resources, resourceTemplates, prompts] = await Promise.all([
    kinds.has('tools')
      ? readList(reader, 'tools', { check: (raw) => checkTool(raw, { mirrors }), keyOf: (tool) => tool.name })
      : undefined,
    items('resources'),
    items('resourceTemplates'),
    items('prompts'),
  ]);
  return {
    ...(tools && { tools }),
    ...(resources && { resources }),
    ...(resourceTemplates && { resourceTemplates }),
    ...(prompts && { prompts }),
  };
}

interface Reader {
  readonly client: LiveClient;
  readonly signal: AbortSignal;
  readonly slices: Slices;
  readonly room: Room;
}

/** How much the lists that are read at the same time may still grow, all together. */
interface Room {
  left: number;
}

interface Shape<T> {
  readonly check: (raw: JsonValue) => Checked<T>;
  readonly keyOf: (item: T) => string;
}

const requests: Record<OfferKind, { readonly method: string; readonly capability: string }> = {
  tools: { method: 'tools/list', capability: 'tools' },
  resources: { method: 'resources/list', capability: 'resources' },
  resourceTemplates: { method: 'resources/templates/list', capability: 'resources' },
  prompts: { method: 'prompts/list', capability: 'prompts' },
};

async function readList<T>(reader: Reader, kind: OfferKind, shape: Shape<T>): Promise<ListOutcome<T>> {
  const { client, signal } = reader;
  const { method, capability } = requests[kind];
  const advertised = isJsonObject(client.capabilities[capability]);
  // DISC-3: many legacy servers forget to declare their tools.
  const asked = advertised || (kind === 'tools' && client.negotiated.era === 'legacy');
  const collector = new Collector(kind, shape, reader.room, client.redactor);
  if (!asked) return collector.listed();
  try {
    const shortfall = await readPages(client, {
      method,
      field: kind,
      signal,
      onItem: (raw) => collector.add(raw),
      pause: () => reader.slices.pause(),
    });
    return collector.listed(shortfall === undefined ? {} : { incomplete: { kind, ...shortfall } });
  } catch (error) {
    signal.throwIfAborted();
    const failure = asManagerError(error, method);
    // Asked on the quiet: a server that knows no tools says so in one of these ways.
    if (!advertised && unasked.has(failure.code)) return collector.listed();
    // Silence is no such answer: there may be tools that nobody gets to see.
    if (!advertised && failure.code === 'requestTimeout') {
      return collector.listed({ warning: { about: kind, what: 'listFailed', detail: describe(failure) } });
    }
    if (failure.code !== 'protocolError' || failure.data['number'] !== -32601)
      return { kind: 'failed', error: failure };
    // Templates come with the capability of resources: to have none of them is nothing to warn about.
    if (kind === 'resourceTemplates') return collector.listed();
    return collector.listed({ warning: { about: kind, what: 'listNotImplemented', detail: describe(failure) } });
  }
}

const unasked: ReadonlySet<ErrorCode> = new Set(['protocolError', 'invalidResponse']);

/** Takes items one by one, as long as there is room; the first of a name or URI counts. */
class Collector<T> {
  readonly #kind: OfferKind;
  readonly #shape: Shape<T>;
  readonly #room: Room;
  readonly #redactor: Redactor | undefined;
  readonly #items: T[] = [];
  readonly #keys = new Set<string>();
  readonly #issues: DiscoveryIssue[] = [];
  #issueCount = 0;
  #repairedCount = 0;
  #size = 0;
  #headerIssues = 0;
  #position = 0;

  constructor(kind: OfferKind, shape: Shape<T>, room: Room, redactor: Redactor | undefined) {
    this.#kind = kind;
    this.#shape = shape;
    this.#room = room;
    this.#redactor = redactor;
  }

  /** @returns false where there is no room any more: the item is not taken, nor would another one be */
  add(raw: JsonValue): boolean {
    const { item: largest, perValue } = limits.discovery;
    const size = sizeOf(raw, largest, perValue);
    // What is left out counts too: otherwise a server could make us read such items without end.
    if (size > this.#room.left) return false;
    this.#room.left -= size;
    this.#position += 1;
    if (size > largest) this.#take(raw, tooLarge, size);
    // Before anything recurses into it.
    else if (isDeeperThan(raw, limits.answer.depth)) this.#take(raw, tooDeep, size);
    else this.#takeWithoutSecrets(raw, size);
    return true;
  }

  /** Lists are kept, shown and given to agents: no word of what the server was lent is in them. */
  #takeWithoutSecrets(raw: JsonValue, size: number): void {
    const shown = this.#redactor?.content(raw) ?? raw;
    const checked = this.#shape.check(shown);
    const called = shown === raw ? checked.item : this.#shape.check(raw).item;
    const renamed =
      checked.item !== undefined &&
      called !== undefined &&
      this.#shape.keyOf(checked.item) !== this.#shape.keyOf(called);
    this.#take(shown, renamed ? secretName : checked, size);
  }

  #take(raw: JsonValue, { item, fault }: Checked<T>, size: number): void {
    if (fault !== undefined) this.#report({ kind: this.#kind, item: itemLabel(raw, this.#position), ...fault });
    if (item === undefined) return;
    const key = this.#shape.keyOf(item);
    if (this.#keys.has(key)) {
      this.#report({ kind: this.#kind, what: 'duplicate', item: key, reason: 'came before; the first one counts' });
      return;
    }
    this.#keys.add(key);
    this.#items.push(item);
    this.#size += size;
  }

  listed(more: Pick<Listed<T>, 'incomplete' | 'warning'> = {}): Listed<T> {
    return {
      kind: 'listed',
      items: this.#items,
      issues: this.#issues,
      issueCount: this.#issueCount,
      repairedCount: this.#repairedCount,
      size: this.#size,
      ...more,
    };
  }

  #report(issue: DiscoveryIssue): void {
    this.#issueCount += 1;
    if (issue.what === 'repaired') this.#repairedCount += 1;
    if (issue.what === 'headerDefinition') {
      this.#headerIssues += 1;
      if (this.#headerIssues > limits.mirroredHeaders.warnings) return;
    }
    if (this.#issues.length < limits.discovery.rejectedKept) this.#issues.push(issue);
  }
}

const tooLarge = {
  fault: { what: 'badItem', reason: `is larger than ${limits.discovery.item / 2 ** 20} MiB` },
} as const;

const tooDeep = {
  fault: { what: 'badItem', reason: `is nested deeper than ${limits.answer.depth} levels` },
} as const;

/** It would have to be called by its name. */
const secretName = {
  fault: { what: 'badItem', reason: 'has a secret that the server was lent in its name or address' },
} as const;

function asManagerError(error: unknown, method: string): ManagerError {
  if (error instanceof ManagerError) return error;
  return new ManagerError('internal', { detail: `${method} failed` }, { cause: error, outcome: 'unknown' });
}
