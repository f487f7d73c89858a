// Results as a model may see them (TOOL-5), and the whole of those that were cut, page by page, for whoever has the address
// that the cut result names. Promises: bounded in number, size and time, the oldest goes first; an address cannot be guessed.
import { randomBytes } from 'node:crypto';
import type { Clock } from '../base/clock.ts';
import { type Disposable } from '../base/disposable.ts';
import { sizeOf } from '../base/sizeOf.ts';
import { isJsonObject, type JsonObject, type JsonValue } from '../contract/json.ts';
import { limits } from '../core/limits.ts';
import { boundForModel } from '../core/tools/modelOutput.ts';
import { resultUri } from './aggregateUris.ts';
import { RpcFailure } from './outcomes.ts';

interface Kept {
  readonly pages: readonly (readonly JsonObject[])[];
  readonly size: number;
  readonly expiry: Disposable;
}

export class AggregateResults implements Disposable {
  readonly #clock: Clock;
  readonly #kept = new Map<string, Kept>();
  #size = 0;

  constructor(clock: Clock) {
    this.#clock = clock;
  }

  /** What of a result goes to a model; what was cut is kept whole. */
  bound(result: JsonObject): JsonObject {
    let id: string | undefined;
    const output = boundForModel(result, { whole: true, link: () => resultUri((id ??= newId())) });
    if (!output.cut) return output.result;
    return this.#keep(id ?? newId(), result) ? output.result : boundForModel(result).result;
  }

  /** The address under which a result can be read that is not shown whole; undefined where it is too large to be kept. */
  keep(result: JsonObject): string | undefined {
    const id = newId();
    return this.#keep(id, result) ? resultUri(id) : undefined;
  }

  /** The result of `resources/read`. Fails with an RpcFailure where it is not kept any more, or has no such page. */
  read(id: string, page: number): JsonObject {
    const pages = this.#kept.get(id)?.pages;
    if (pages === undefined) throw new RpcFailure(-32002, 'This result is not kept any more. Call the tool again.');
    const contents = pages[page - 1];
    if (contents === undefined) throw new RpcFailure(-32002, `This result has ${pages.length} pages.`);
    const where = page < pages.length ? `Next page: ${resultUri(id, page + 1)}` : 'This was the last page.';
    const uri = resultUri(id, page);
    const place = { uri, mimeType: 'text/plain', text: `[Page ${page} of ${pages.length}. ${where}]` };
    return { contents: [...contents.map((content) => ({ uri, ...content })), place] };
  }

  dispose(): void {
    for (const id of [...this.#kept.keys()]) this.#drop(id);
  }

  #keep(id: string, result: JsonObject): boolean {
    const { count, size: most, kept } = limits.aggregate.results;
    const size = sizeOf(result, most);
    if (size > most) return false;
    for (const oldest of [...this.#kept.keys()]) {
      if (this.#kept.size < count && this.#size + size <= most) break;
      this.#drop(oldest);
    }
    const expiry = this.#clock.after(kept, () => this.#drop(id));
    this.#kept.set(id, { pages: pagesOf(result), size, expiry });
    this.#size += size;
    return true;
  }

  #drop(id: string): void {
    const entry = this.#kept.get(id);
    if (entry === undefined) return;
    this.#kept.delete(id);
    this.#size -= entry.size;
    entry.expiry.dispose();
  }
}

function newId(): string {
  return randomBytes(16).toString('hex');
}

/** Everything of a result in pages: text in pieces, what is binary on a page of its own. */
function pagesOf(result: JsonObject): readonly (readonly JsonObject[])[] {
  const { page: most, parts } = limits.aggregate.results;
  const pages: JsonObject[][] = [];
  let page: JsonObject[] = [];
  let left: number = most;
  const turn = (): void => {
    if (page.length > 0) pages.push(page);
    page = [];
    left = most;
  };
  for (const { text, ...content } of contentsOf(result)) {
    if (typeof text !== 'string') {
      turn();
      page.push(content);
      turn();
      continue;
    }
    for (let at = 0; at < text.length || at === 0;) {
      if (left < 2 || page.length >= parts) turn();
      const end = withoutHalf(text, Math.min(text.length, at + left));
      page.push({ ...content, text: text.slice(at, end) });
      left = Math.max(0, left - (end - at) - perPart);
      at = end;
      if (at < text.length) turn();
      if (text.length === 0) break;
    }
  }
  turn();
  return pages.length === 0 ? [[]] : pages;
}

/** Of the text of a page: what stands around each part of it. */
const perPart = 100;

/** Not between the halves of a surrogate pair. */
function withoutHalf(text: string, end: number): number {
  return /[\uD800-\uDBFF]/.test(text.charAt(end - 1)) && end < text.length ? end - 1 : end;
}

function contentsOf({ content, messages, contents, structuredContent }: JsonObject): readonly JsonObject[] {
  const blocks = [content, messages, contents].flatMap((list) =>
    Array.isArray(list) ? (list as readonly JsonValue[]) : [],
  );
  return [
    ...blocks.map(contentOf),
    ...(structuredContent === undefined
      ? []
      : [{ mimeType: 'application/json', text: JSON.stringify(structuredContent) }]),
  ];
}

function contentOf(block: JsonValue): JsonObject {
  if (!isJsonObject(block)) return { mimeType: 'application/json', text: JSON.stringify(block) };
  const { type, text, data, mimeType, resource, uri, blob } = block;
  if (type === 'text' && typeof text === 'string') return { mimeType: 'text/plain', text };
  const typed = typeof mimeType === 'string' ? { mimeType } : {};
  if ((type === 'image' || type === 'audio') && typeof data === 'string') return { ...typed, blob: data };
  if (type === 'resource' && isJsonObject(resource)) return contentOf({ ...resource });
  if (type === undefined && typeof uri === 'string' && typeof text === 'string') return { ...typed, text };
  if (type === undefined && typeof uri === 'string' && typeof blob === 'string') return { ...typed, blob };
  return { mimeType: 'application/json', text: JSON.stringify(block) };
}
