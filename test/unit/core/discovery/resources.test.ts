import assert from 'node:assert/strict';
import { describe, it } from 'mocha';
import { readResource } from '../../../../src/core/discovery/resources.ts';
import { rpcFailure } from '../../../support/fakeLiveClient.ts';
import { source } from '../../../support/offerSource.ts';

describe('readResource', () => {
  it('gives the raw result', async () => {
    const result = { contents: [{ uri: 'file:///a', text: 'x', 'x-more': 1 }], 'x-all': true };
    assert.equal(await readResource(source({ 'resources/read': () => result }), 'file:///a'), result);
  });

  it('knows a resource that is not there in both eras’ words', async () => {
    for (const error of [
      rpcFailure('resources/read', -32002, 'no'),
      rpcFailure('resources/read', -32602, 'Resource not found'),
    ]) {
      const missing = source({ 'resources/read': () => Promise.reject(error) });
      await assert.rejects(readResource(missing, 'file:///b'), { code: 'unknownResource', outcome: 'completed' });
    }
    const other = source({
      'resources/read': () => Promise.reject(rpcFailure('resources/read', -32602, 'bad params')),
    });
    await assert.rejects(readResource(other, 'file:///b'), { code: 'protocolError' });
  });

  it('refuses a result without contents and a question in place of one', async () => {
    const odd = source({ 'resources/read': () => ({ contents: 'text' }) });
    await assert.rejects(readResource(odd, 'file:///a'), { code: 'invalidResponse', outcome: 'completed' });
    const asking = source({ 'resources/read': () => ({ resultType: 'input_required', inputRequests: {} }) });
    await assert.rejects(readResource(asking, 'file:///a'), { code: 'inputRequired' });
  });
});
