// Finds tools by words (GATE-4, tool search): pure. A word counts the more the fewer tools have it, most in a name, less in
// the id of a server or a title, least in a description; the beginning of a word counts in part. Same order for the same list.
import type { CatalogItem } from './aggregateCatalog.ts';
import { limits } from '../core/limits.ts';

/** Those that match at all, best first. */
export function findTools(query: string, items: readonly CatalogItem[], most: number): readonly CatalogItem[] {
  const wanted = [...new Set(wordsIn(query.slice(0, limits.aggregate.query)))].slice(0, mostWords);
  const { documents, spread } = indexOf(items);
  const rarity = (word: string): number => Math.log(1 + items.length / (1 + (spread.get(word) ?? 0)));
  const scored = documents.map(({ item, weights }) => ({
    item,
    score: wanted.reduce((sum, word) => sum + rarity(word) * weightOf(word, weights), 0),
  }));
  return scored
    .filter(({ score }) => score > 0)
    .sort((one, other) => other.score - one.score || (one.item.name < other.item.name ? -1 : 1))
    .slice(0, most)
    .map(({ item }) => item);
}

interface Index {
  readonly documents: readonly { readonly item: CatalogItem; readonly weights: ReadonlyMap<string, number> }[];
  /** In how many tools a word is. */
  readonly spread: ReadonlyMap<string, number>;
}

const mostWords = 16;
const read = 2_000;
const indexes = new WeakMap<readonly CatalogItem[], Index>();

function indexOf(items: readonly CatalogItem[]): Index {
  const known = indexes.get(items);
  if (known !== undefined) return known;
  const spread = new Map<string, number>();
  const documents = items.map((item) => {
    const { title, description } = item.raw;
    const weights = new Map<string, number>();
    const add = (text: unknown, weight: number): void => {
      if (typeof text !== 'string') return;
      for (const word of wordsIn(text.slice(0, read))) if (!weights.has(word)) weights.set(word, weight);
    };
    add(item.inner, 4);
    add(item.server.id, 2);
    add(title, 2);
    add(description, 1);
    for (const word of weights.keys()) spread.set(word, (spread.get(word) ?? 0) + 1);
    return { item, weights };
  });
  const index = { documents, spread };
  indexes.set(items, index);
  return index;
}

function weightOf(wanted: string, weights: ReadonlyMap<string, number>): number {
  const whole = weights.get(wanted);
  if (whole !== undefined) return whole;
  if (wanted.length < 3) return 0;
  let best = 0;
  for (const [word, weight] of weights) {
    if (word.length >= 3 && (word.startsWith(wanted) || wanted.startsWith(word))) best = Math.max(best, weight / 2);
  }
  return best;
}

/** `readFile`, `read_file` and `read file` are the same words. */
function wordsIn(text: string): readonly string[] {
  const parted = text.replace(/(\p{Ll}|\p{N})(\p{Lu})/gu, '$1 $2').replace(/(\p{Lu})(\p{Lu}\p{Ll})/gu, '$1 $2');
  return parted.toLowerCase().match(/[\p{L}\p{N}]+/gu) ?? [];
}
