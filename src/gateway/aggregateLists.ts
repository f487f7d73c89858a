// The lists of the aggregate as one kind of client sees them, in pages (GATE-4). A cursor goes on with the list that it is
// of, also when a server came up meanwhile: the last few lists are kept for that. What meets in one name is logged.
import { randomBytes } from 'node:crypto';
import { visibleLine } from '../base/sanitise.ts';
import type { JsonObject } from '../contract/json.ts';
import { limits } from '../core/limits.ts';
import type { Log } from '../core/ports.ts';
import type { NameStyle } from '../core/tools/names.ts';
import { AggregateCatalog, type CatalogItem, type OfferingServer } from './aggregateCatalog.ts';
import type { AggregateServers } from './aggregateServers.ts';
import { cutPages, type ListKind, pageOutcome } from './listResults.ts';
import { RpcFailure } from './outcomes.ts';
import type { Outcome } from './reply.ts';

export interface AggregateListsOptions {
  readonly servers: Pick<AggregateServers, 'offering'>;
  readonly style: NameStyle;
  /** Definitions of tools of ours, listed first. */
  readonly own: readonly JsonObject[];
  /** Whether the servers' tools are listed. */
  readonly listsTools: boolean;
  readonly log?: Log | undefined;
  /** UTF-16 units of a page. */
  readonly page?: number;
}

interface Edition {
  readonly name: string;
  readonly of: readonly OfferingServer[];
  readonly catalog: AggregateCatalog;
  readonly pages: Map<ListKind, readonly Buffer[]>;
}

export class AggregateLists {
  readonly #options: AggregateListsOptions;
  /** A cursor of another life of the gateway's is not taken for one of this. */
  readonly #life = randomBytes(4).toString('hex');
  /** Oldest first. */
  readonly #editions: Edition[] = [];
  #count = 0;
  #logged = '';

  constructor(options: AggregateListsOptions) {
    this.#options = options;
  }

  get catalog(): AggregateCatalog {
    return this.#now().catalog;
  }

  /** Fails with an RpcFailure where the cursor is none of ours, or its list is too old. */
  page(kind: ListKind, cursor: unknown): Outcome {
    const { edition, from } = this.#at(cursor);
    return pageOutcome(this.#pagesOf(edition, kind), from, (index) => `${edition.name}.${index}`);
  }

  /** So many items from the cursor on, and the cursor of the next one. */
  slice(
    cursor: unknown,
    limit: number,
    itemsOf: (catalog: AggregateCatalog) => readonly CatalogItem[],
  ): { readonly items: readonly CatalogItem[]; readonly cursorAfter: (count: number) => string | undefined } {
    const { edition, from } = this.#at(cursor);
    const all = itemsOf(edition.catalog);
    const items = all.slice(from, from + limit);
    const cursorAfter = (count: number): string | undefined =>
      from + count < all.length ? `${edition.name}.${from + count}` : undefined;
    return { items, cursorAfter };
  }

  #pagesOf({ catalog, pages }: Edition, kind: ListKind): readonly Buffer[] {
    const { own, listsTools, page } = this.#options;
    const made = pages.get(kind);
    if (made !== undefined) return made;
    const ours = kind === 'tools' ? own.map((raw) => ({ raw })) : [];
    const theirs = kind === 'tools' && !listsTools ? [] : catalog.list(kind);
    const cut = cutPages(kind, [...ours, ...theirs], page);
    pages.set(kind, cut);
    return cut;
  }

  #at(cursor: unknown): { readonly edition: Edition; readonly from: number } {
    const now = this.#now();
    if (cursor === undefined) return { edition: now, from: 0 };
    const [, name, from] = (typeof cursor === 'string' ? /^(.+)\.(\d{1,6})$/.exec(cursor) : undefined) ?? [];
    const edition = this.#editions.find((each) => each.name === name);
    if (edition !== undefined && from !== undefined) return { edition, from: Number(from) };
    throw new RpcFailure(-32602, 'Invalid params: this cursor is not known any more; list anew.');
  }

  #now(): Edition {
    const { servers, style } = this.#options;
    const of = servers.offering();
    const newest = this.#editions.at(-1);
    if (newest?.of === of) return newest;
    const name = `${this.#life}-${(this.#count += 1)}`;
    const edition: Edition = { name, of, catalog: new AggregateCatalog(of, style), pages: new Map() };
    this.#editions.push(edition);
    if (this.#editions.length > limits.aggregate.olderLists + 1) this.#editions.shift();
    this.#report(edition.catalog);
    return edition;
  }

  #report({ collisions }: AggregateCatalog): void {
    const told = JSON.stringify(collisions);
    if (told === this.#logged) return;
    this.#logged = told;
    for (const { name, tools } of collisions) {
      const which = tools.map(({ server, tool }) => `${visibleLine(tool, 100)} of ${server}`).join(', ');
      this.#options.log?.warn(`${name} would stand for each of ${which}: none of them can be called by it`);
    }
  }
}
