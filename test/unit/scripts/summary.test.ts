import assert from 'node:assert/strict';
import { describe, it } from 'mocha';
import { summary } from '../../../scripts/lib/summary.mjs';

describe('the end of a test run', () => {
  it('is the totals alone where everything ran', () => {
    assert.equal(summary({ passed: 12, failed: 0, skipped: [] }), '12 passed, 0 failed');
  });

  it('names what was skipped, above the line of the totals, which stays as it is', () => {
    const lines = summary({ passed: 1, failed: 2, skipped: ['scenario tests: a', 'page tests: b'] }).split('\n');
    assert.deepEqual(lines, ['2 skipped:', '  scenario tests: a', '  page tests: b', '', '1 passed, 2 failed']);
  });
});
