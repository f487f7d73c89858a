import assert from 'node:assert/strict';
import { describe, it } from 'mocha';
import { EditorActivity } from '../../../src/gateway/editorActivity.ts';

describe('EditorActivity', () => {
  it('says that a server is at rest when the last of what was open there ended', () => {
    const activity = new EditorActivity();
    const rested: string[] = [];
    activity.onDidRest((server) => rested.push(server));
    const [session, request, other] = [activity.open('a'), activity.open('a'), activity.open('b')];
    session.dispose();
    session.dispose();
    assert.deepEqual([activity.isOpen('a'), activity.isOpen('b'), rested], [true, true, []]);
    request.dispose();
    assert.deepEqual([activity.isOpen('a'), activity.isOpen('b'), rested], [false, true, ['a']]);
    other.dispose();
    assert.deepEqual(rested, ['a', 'b']);
  });
});
