import type { OfferKind } from './snapshot.ts';

/** Every kind of list, in the order in which they are shown. */
export const offerKinds: readonly OfferKind[] = ['tools', 'resources', 'resourceTemplates', 'prompts'];
