import assert from 'node:assert/strict';
import { describe, it } from 'mocha';
import type { ServerId } from '../../../../src/contract/serverConfig.ts';
import type { ApprovalRequest } from '../../../../src/core/ports.ts';
import type { LaunchFingerprint } from '../../../../src/core/transport/launch.ts';
import { approvalText, exact, fitsInDialog } from '../../../../src/vscode/approvals/approvalText.ts';
import { english } from '../../../../src/vscode/translate.ts';
import { demoScope } from '../../../support/managerView.ts';

function request(what: Partial<Extract<ApprovalRequest['what'], { kind: 'stdio' }>> = {}): ApprovalRequest {
  return {
    id: 'demo' as ServerId,
    scope: demoScope,
    fingerprint: 'f' as LaunchFingerprint,
    what: {
      kind: 'stdio',
      command: 'node',
      executable: '/usr/bin/node',
      args: ['server.js', '--port=1'],
      cwd: '/work/demo',
      env: { MODE: 'fast' },
      ...what,
    },
  };
}

describe('what a person reads before a server may run', () => {
  it('names the command as written, the file it is, each argument, the folder and the variables', () => {
    assert.deepEqual(approvalText(request(), english).split('\n'), [
      'Command: node',
      'Program: /usr/bin/node',
      'Argument 1: server.js',
      'Argument 2: --port=1',
      'Folder: /work/demo',
      'Variable MODE: fast',
    ]);
  });

  it('shortens nothing, however long it is', () => {
    const long = 'x'.repeat(20_000);
    const text = approvalText(request({ args: [long] }), english);
    assert.ok(text.includes(long));
    assert.equal(fitsInDialog(text), false);
  });

  it('shows padding, line ends and hidden characters for what they are', () => {
    assert.equal(exact(`ok${' '.repeat(10_000)}rm`), 'ok[10000 × U+0020]rm');
    assert.equal(exact('a\u202Eb\nc'), 'a[U+202E]b⏎c');
    assert.equal(exact(''), '""');
    assert.equal(exact(' x '), '[1 × U+0020]x[1 × U+0020]');
    assert.equal(exact('two  words'), 'two  words');
  });

  it('says so when the command was not found', () => {
    assert.match(approvalText(request({ executable: undefined }), english), /not found/);
  });

  it('names URL and headers of a remote server', () => {
    const what = { kind: 'remote', url: 'https://a.example/x', headerNames: ['X-Team'] } as const;
    const text = approvalText({ ...request(), what }, english);
    assert.match(text, /https:\/\/a\.example\/x/);
    assert.match(text, /X-Team/);
  });

  it('goes into a dialog only when the dialog shows all of it', () => {
    assert.equal(fitsInDialog(approvalText(request(), english)), true);
    assert.equal(fitsInDialog(approvalText(request({ args: Array.from({ length: 40 }, String) }), english)), false);
  });
});
