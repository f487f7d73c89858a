import assert from 'node:assert/strict';
import { describe, it } from 'mocha';
import { complete } from '../../../../src/core/discovery/completion.ts';
import { source } from '../../../support/offerSource.ts';

describe('complete', () => {
  const ref = { kind: 'resource', uriTemplate: 'file:///{x}' } as const;

  it('asks with reference, argument and context', async () => {
    const offer = source({
      'completion/complete': () => ({ completion: { values: ['ab', 7, 'ac'], total: 5, hasMore: true } }),
    });
    const found = await complete(offer, ref, { name: 'x', value: 'a' }, { context: { y: '1' } });
    assert.deepEqual(found, { values: ['ab', 'ac'], total: 5, hasMore: true });
    assert.deepEqual(offer.client.sent[0]?.params, {
      ref: { type: 'ref/resource', uri: 'file:///{x}' },
      argument: { name: 'x', value: 'a' },
      context: { arguments: { y: '1' } },
    });
  });

  it('gives at most 100 values, and none where the server offers none', async () => {
    const many = source({ 'completion/complete': () => ({ completion: { values: Array(500).fill('v') } }) });
    const found = await complete(many, { kind: 'prompt', name: 'greet' }, { name: 'who', value: '' });
    assert.deepEqual([found.values.length, found.hasMore], [100, true]);
    const none = source({}, {});
    assert.deepEqual(await complete(none, ref, { name: 'x', value: '' }), { values: [], hasMore: false });
    assert.equal(none.client.sent.length, 0);
  });
});
