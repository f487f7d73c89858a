// Which of a server's items a name means, and how to say that it has none of that name. Pure.
import type { OfferKind } from '../../core/discovery/snapshot.ts';
import { ManagerError } from '../../core/errors.ts';
import { keyOf, type Offered } from '../views/treeModel.ts';

/** `offers`: the kinds that were looked through. Fails with unknownTool, unknownPrompt or unknownResource. */
export function namedItem<T extends { readonly item: Offered }>(
  items: readonly T[],
  name: string,
  { server, offers }: { readonly server: string; readonly offers: readonly OfferKind[] },
): T {
  const found = items.find(({ item }) => keyOf(item) === name);
  if (found !== undefined) return found;
  if (offers.includes('tools')) throw new ManagerError('unknownTool', { server, tool: name });
  if (offers.includes('prompts')) throw new ManagerError('unknownPrompt', { server, prompt: name });
  throw new ManagerError('unknownResource', { server, uri: name });
}
