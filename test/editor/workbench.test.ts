import assert from 'node:assert/strict';
import { describe, it } from 'mocha';
import { type EditorSession, startEditorSession, useEditorSession } from '../support/editorSession.ts';
import { eventually } from '../support/eventually.ts';
import { patience } from '../support/patience.ts';
import { stillThere } from '../support/processTable.ts';

describe('the editor that tests drive', () => {
  let session: EditorSession;
  useEditorSession(
    (started) => (session = started),
    () => ({ extension: 'none' }),
  );

  it('opens a folder in Restricted Mode, and trust given in the window ends it', async () => {
    const folder = await session.makeFolder({ 'notes.txt': 'one\ntwo\n' });
    const window = await session.openWindow({ folder });
    await window.waitUntilRestricted();
    await window.grantTrust();
    await eventually(async () => !(await window.isRestricted()), patience, 'the end of Restricted Mode');
    await window.openFile('notes.txt');
    assert.equal(await window.editorText('notes.txt'), 'one\ntwo\n');
    await window.close();
  });

  it('has no process left of its own after it stopped', async () => {
    const other = await startEditorSession({ extension: 'none' });
    await other.openWindow({ folder: await other.makeFolder({}) });
    const running = other.server.processes().map(({ pid }) => pid);
    assert.ok(running.length > 1, JSON.stringify(other.server.processes()));
    assert.deepEqual(await other.stop(), []);
    await eventually(() => stillThere(running).length === 0, patience, 'the end of what it ran');
  });
});
