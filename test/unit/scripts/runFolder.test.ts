import assert from 'node:assert/strict';
import { describe, it } from 'mocha';
import { runFolderBase } from '../../../scripts/lib/runFolder.mjs';

const socket = '/rh-XXXXXX/t/vscode-ipc-00000000-0000-0000-0000-000000000000.sock';

describe('the folder of an editor', () => {
  it('is in the temporary folder wherever the paths of its sockets are short enough there', () => {
    assert.equal(runFolderBase('/tmp', 'linux'), '/tmp');
    for (let length = 5; length < 80; length += 1) {
      const temporary = `/${'t'.repeat(length - 1)}`;
      const base = runFolderBase(temporary, 'darwin');
      assert.equal(base, length + socket.length <= 103 ? temporary : '/tmp', `${length}`);
    }
  });

  it('counts bytes, not characters', () => {
    assert.equal(runFolderBase(`/${'é'.repeat(30)}`, 'linux'), '/tmp');
  });
});
