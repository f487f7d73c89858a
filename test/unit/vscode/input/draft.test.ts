import assert from 'node:assert/strict';
import { describe, it } from 'mocha';
import type { ServerKey } from '../../../../src/core/config/model.ts';
import { boundDraft } from '../../../../src/vscode/input/draft.ts';

describe('arguments that are edited as JSON', () => {
  const older = { key: 'user:a' as ServerKey, tool: 'echo', hash: 'older' };
  const newer = { ...older, hash: 'newer' };

  it('stay bound to the definition that their text was written for while they are open', () => {
    assert.equal(boundDraft(newer, older, true), older);
  });

  it('are bound to the present definition when they are opened anew', () => {
    assert.equal(boundDraft(newer, older, false), newer);
    assert.equal(boundDraft(newer, undefined, false), newer);
  });
});
