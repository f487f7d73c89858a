// Which item a node of the tree stands for. Any extension and any keybinding can pass something that looks like a node,
// so every part that commands rely on is looked at. Pure.
import { isJsonObject, type JsonObject } from '../../contract/json.ts';
import type { ServerKey } from '../../core/config/model.ts';
import type { Generation } from '../../core/connection/state.ts';
import { offerKinds } from '../../core/discovery/offerKinds.ts';
import type { OfferKind } from '../../core/discovery/snapshot.ts';
import type { Offered } from '../views/treeModel.ts';

export interface ItemTarget {
  readonly key: ServerKey;
  readonly offer: OfferKind;
  readonly item: Offered;
  /** The life of the server whose list the person saw; none for a list that was kept. */
  readonly generation?: Generation;
}

/** Whether it means to be an item. */
export function isItemNode(target: unknown): target is JsonObject {
  return isJsonObject(target) && target['kind'] === 'item';
}

/** Undefined where a part is missing or is something else. */
export function itemOfNode(node: JsonObject): ItemTarget | undefined {
  const { key, item, generation } = node;
  const offer = offerKinds.find((kind) => kind === node['offer']);
  if (typeof key !== 'string' || offer === undefined || !isJsonObject(item)) return undefined;
  const own = offer === 'tools' ? item['hash'] : item['key'];
  if (typeof item['name'] !== 'string' || typeof own !== 'string' || !isJsonObject(item['raw'])) return undefined;
  if (generation !== undefined && typeof generation !== 'number') return undefined;
  return {
    key: key as ServerKey,
    offer,
    item: item as unknown as Offered,
    ...(generation === undefined ? {} : { generation: generation as Generation }),
  };
}
