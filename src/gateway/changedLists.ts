// Which lists of an offer are other lists than before, as clients are told of it.
import type { KeptOffer } from '../core/discovery/keptLists.ts';
import type { OfferedItem, OfferedTool } from '../core/discovery/snapshot.ts';

export type ChangedList = 'tools' | 'resources' | 'prompts';

/** A template is announced as a resource. */
export function changedLists(before: KeptOffer, now: KeptOffer): readonly ChangedList[] {
  return [
    ...(same(before.tools, now.tools, sameTool) ? [] : (['tools'] as const)),
    ...(same(before.resources, now.resources, sameItem) &&
    same(before.resourceTemplates, now.resourceTemplates, sameItem)
      ? []
      : (['resources'] as const)),
    ...(same(before.prompts, now.prompts, sameItem) ? [] : (['prompts'] as const)),
  ];
}

/** The lists that hold anything. */
export function offeredLists({ tools, resources, resourceTemplates, prompts }: KeptOffer): readonly ChangedList[] {
  return [
    ...(tools.length > 0 ? (['tools'] as const) : []),
    ...(resources.length + resourceTemplates.length > 0 ? (['resources'] as const) : []),
    ...(prompts.length > 0 ? (['prompts'] as const) : []),
  ];
}

function same<T>(one: readonly T[], two: readonly T[], equal: (one: T, two: T) => boolean): boolean {
  return (
    one === two ||
    (one.length === two.length &&
      one.every((item, index) => {
        const other = two[index];
        return other !== undefined && equal(item, other);
      }))
  );
}

/** The hashes cover all that a client relies on; the rest is compared where they do not differ. */
function sameTool(one: OfferedTool, two: OfferedTool): boolean {
  return one.hash === two.hash && one.annotationsHash === two.annotationsHash && sameItem(one, two);
}

function sameItem(one: Pick<OfferedItem, 'raw'>, two: Pick<OfferedItem, 'raw'>): boolean {
  return one.raw === two.raw || JSON.stringify(one.raw) === JSON.stringify(two.raw);
}
