import assert from 'node:assert/strict';
import { describe, it } from 'mocha';
import {
  categories,
  configuredCategory,
  isOffered,
  type ToolCategory,
  type ToolMode,
} from '../../../../src/core/tools/category.ts';

describe('the category of a configured tool', () => {
  it('is what sends over a network, unless code chose a stricter one', () => {
    assert.equal(configuredCategory(), 'network_send');
    assert.deepEqual(categories.map(configuredCategory), ['network_send', 'network_send', 'network_send', 'execute']);
    for (const word of ['', 'READ', 'none', '__proto__']) {
      assert.equal(configuredCategory(word as ToolCategory), 'network_send');
    }
  });

  it('keeps it out of a plan, which only reading ones are offered to', () => {
    const offered = (mode?: ToolMode): readonly ToolCategory[] => categories.filter((each) => isOffered(each, mode));
    assert.deepEqual(offered(), categories);
    assert.deepEqual(offered('act'), categories);
    assert.deepEqual(offered('plan'), ['read']);
    assert.deepEqual(offered('Plan' as ToolMode), ['read'], 'what is no mode is the narrower one');
  });
});
