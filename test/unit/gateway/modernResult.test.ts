import assert from 'node:assert/strict';
import { describe, it } from 'mocha';
import { modernResult } from '../../../src/gateway/modernResult.ts';
import type { Outcome } from '../../../src/gateway/reply.ts';

const error = (code: number): Outcome => ({ kind: 'error', error: { code, message: 'm', data: { uri: 'test://a' } } });

describe('modernResult', () => {
  it('gives a resource that is not there the code of the newer era, and leaves every other failure', () => {
    assert.deepEqual(modernResult('resources/read', error(-32002)), error(-32602));
    assert.deepEqual(modernResult('resources/read', error(-32603)), error(-32603));
    assert.deepEqual(modernResult('tools/call', error(-32002)), error(-32002));
  });

  it('marks what a legacy server answered, and leaves what a modern one did', () => {
    const result = { contents: [] };
    const marked = modernResult('resources/read', { kind: 'value', result });
    assert.deepEqual(marked, {
      kind: 'value',
      result: { contents: [], resultType: 'complete', ttlMs: 0, cacheScope: 'private' },
    });
    const modern: Outcome = { kind: 'value', era: 'modern', result };
    assert.equal(modernResult('resources/read', modern), modern);
  });
});
