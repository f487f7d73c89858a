// A small offer of a fake server, for what reads resources and gets prompts.
import type { JsonObject } from '../../src/contract/json.ts';
import type { OfferSource } from '../../src/core/discovery/offerSource.ts';
import { type Answer, FakeLiveClient } from './fakeLiveClient.ts';
import { snapshotOf } from './snapshotOf.ts';

/** A prompt with a required and an optional argument. */
export const greet = {
  key: 'greet',
  name: 'greet',
  raw: { name: 'greet', arguments: [{ name: 'who', required: true, description: 'D' }, { name: 'how' }] },
};
export const snapshot = snapshotOf({
  tools: [{ name: 't', hash: 'h', annotationsHash: 'n', raw: { name: 't', 'x-more': 1 } }],
  resources: [{ key: 'file:///a', name: 'a', raw: { uri: 'file:///a', name: 'a' } }],
  prompts: [greet],
});

/** A server that offers `snapshot` and answers as told. */
export function source(
  answers: Record<string, Answer>,
  capabilities: JsonObject = { completions: {} },
): OfferSource & { client: FakeLiveClient } {
  return { id: 's', client: new FakeLiveClient(answers, { capabilities }), snapshot };
}
