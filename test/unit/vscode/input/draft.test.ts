import assert from 'node:assert/strict';
import { describe, it } from 'mocha';
import type { ServerKey } from '../../../../src/core/config/model.ts';
import { boundDraft, draftOfQuery, queryOfDraft } from '../../../../src/vscode/input/draft.ts';

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

  it('are known by their address alone in a window that did not open them, bound to no definition', () => {
    for (const tool of ['echo', 'a b', '?#/\u202E']) {
      const draft = { ...older, key: 'project:/my folder?#\n:a' as ServerKey, tool };
      assert.deepEqual(draftOfQuery(queryOfDraft(draft)), { ...draft, hash: '' });
    }
    assert.equal(draftOfQuery('user:a'), undefined);
  });
});
