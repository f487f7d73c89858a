import assert from 'node:assert/strict';
import { describe, it } from 'mocha';
import { toolFailure } from '../../../../src/core/tools/toolFailure.ts';

describe('toolFailure', () => {
  it('names server, tool and what the tool said, made visible', () => {
    const result = {
      isError: true,
      content: [{ type: 'text', text: 'no\u202E' }, { type: 'image' }, { type: 'text', text: 'way' }],
    };
    const failure = toolFailure('s', 't', result);
    assert.equal(failure?.code, 'toolFailed');
    assert.equal(failure.outcome, 'completed');
    assert.deepEqual(failure.data, { server: 's', tool: 't', detail: 'no[U+202E]\nway' });
  });

  it('bounds what the tool said, and says when it said nothing', () => {
    const long = toolFailure('s', 't', { isError: true, content: [{ type: 'text', text: 'x'.repeat(1_000_000) }] });
    assert.equal((long?.data['detail'] as string).length, 2_000);
    assert.equal(toolFailure('s', 't', { isError: true })?.data['detail'], 'without a message');
  });

  it('is none for a good result', () => {
    for (const isError of [undefined, false, 'true', 1]) {
      assert.equal(toolFailure('s', 't', { content: [], ...(isError !== undefined && { isError }) }), undefined);
    }
  });
});
