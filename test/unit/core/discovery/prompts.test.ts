import assert from 'node:assert/strict';
import { describe, it } from 'mocha';
import { getPrompt, promptArguments } from '../../../../src/core/discovery/prompts.ts';
import { greet, source } from '../../../support/offerSource.ts';

describe('getPrompt', () => {
  it('lists arguments with their required marks', () => {
    assert.deepEqual(promptArguments(greet), [
      { name: 'who', description: 'D', required: true },
      { name: 'how', required: false },
    ]);
  });

  it('asks with the given arguments, an empty one included', async () => {
    const offer = source({ 'prompts/get': () => ({ messages: [] }) });
    await getPrompt(offer, 'greet', { who: '' });
    assert.deepEqual(offer.client.sent[0]?.params, { name: 'greet', arguments: { who: '' } });
  });

  it('refuses an unknown prompt and a missing argument before anything is sent', async () => {
    const offer = source({ 'prompts/get': () => ({ messages: [] }) });
    await assert.rejects(getPrompt(offer, 'nobody', {}), { code: 'unknownPrompt', outcome: 'notSent' });
    await assert.rejects(getPrompt(offer, 'greet', { how: 'x' }), (error: Error & { data: unknown }) => {
      assert.deepEqual(error.data, { server: 's', tool: 'greet', detail: 'missing: who' });
      return true;
    });
    assert.equal(offer.client.sent.length, 0);
  });
});
