// What a modern server is asked to tell about (2026-07-28, `subscriptions/listen`), what it agreed to, and which
// lists a notification is about, in both eras. Pure.
import { isJsonObject, type JsonObject } from '../../contract/json.ts';
import type { OfferKind } from '../discovery/snapshot.ts';

interface Change {
  readonly method: string;
  readonly capability: string;
  readonly filter: string;
  readonly kinds: readonly OfferKind[];
}

const changes: readonly Change[] = [
  {
    method: 'notifications/tools/list_changed',
    capability: 'tools',
    filter: 'toolsListChanged',
    kinds: ['tools'],
  },
  {
    method: 'notifications/resources/list_changed',
    capability: 'resources',
    filter: 'resourcesListChanged',
    kinds: ['resources', 'resourceTemplates'],
  },
  {
    method: 'notifications/prompts/list_changed',
    capability: 'prompts',
    filter: 'promptsListChanged',
    kinds: ['prompts'],
  },
];

/** Asks for every change that the server declares; undefined where it declares none. */
export function changeFilter(capabilities: JsonObject): JsonObject | undefined {
  const asked = changes.filter(({ capability }) => declares(capabilities, capability, 'listChanged'));
  return asked.length === 0 ? undefined : Object.fromEntries(asked.map(({ filter }) => [filter, true]));
}

export function declares(capabilities: JsonObject, capability: string, feature: string): boolean {
  const declared = capabilities[capability];
  return isJsonObject(declared) && declared[feature] === true;
}

/** Parts of the filter that the server did not acknowledge. */
export function notHonoured(asked: JsonObject, honoured: JsonObject): readonly string[] {
  return Object.entries(asked).flatMap(([key, value]) => {
    const answer = honoured[key];
    if (!Array.isArray(value)) return answer === value ? [] : [key];
    const agreed: readonly unknown[] = Array.isArray(answer) ? answer : [];
    return value.every((uri) => agreed.includes(uri)) ? [] : [key];
  });
}

/** The lists that a notification says to have changed, and the filter key that asks for it. */
export function changeOf(method: string): Pick<Change, 'kinds' | 'filter'> | undefined {
  return changes.find((change) => change.method === method);
}

/** The lists behind the honoured part of a filter: they may have changed while nobody listened. */
export function kindsOfFilter(filter: JsonObject): readonly OfferKind[] {
  return changes.filter((change) => filter[change.filter] === true).flatMap(({ kinds }) => kinds);
}
