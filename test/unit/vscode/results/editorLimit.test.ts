import assert from 'node:assert/strict';
import { describe, it } from 'mocha';
import { fitsInEditor } from '../../../../src/vscode/results/editorLimit.ts';

describe('the size that an editor takes', () => {
  it('is what the editor gives to extensions, not one character more', () => {
    assert.equal(fitsInEditor({ length: 52_428_800 }), true);
    assert.equal(fitsInEditor({ length: 52_428_801 }), false);
  });
});
