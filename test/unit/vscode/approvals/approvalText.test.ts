import assert from 'node:assert/strict';
import { describe, it } from 'mocha';
import type { ServerId } from '../../../../src/contract/serverConfig.ts';
import type { ApprovalRequest } from '../../../../src/core/ports.ts';
import type { LaunchFingerprint } from '../../../../src/core/transport/launch.ts';
import {
  approvalText,
  documentText,
  exact,
  exactJson,
  fitsInDialog,
} from '../../../../src/vscode/approvals/approvalText.ts';
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
    assert.equal(exact('two words'), 'two words');
    assert.equal(exact('two  words'), 'two[2 × U+0020]words');
  });

  it('shows every blank that is not the plain one, and blanks that stand together in any mixture', () => {
    for (const blank of ['\u00A0', '\u1680', '\u2003', '\u202F', '\u205F', '\u3000', '\t']) {
      const name = `U+${blank.charCodeAt(0).toString(16).toUpperCase().padStart(4, '0')}`;
      assert.equal(exact(`a${blank}b`), `a[${name}]b`);
      assert.equal(exact(`a${blank.repeat(500)}b`), `a[500 × ${name}]b`);
    }
    const mixed = exact(`ok${' \u3000'.repeat(300)}rm`);
    assert.doesNotMatch(mixed, /[\t\p{Zs}]{2}|\u3000/u);
    assert.ok(mixed.startsWith('ok[1 × U+0020][U+3000]') && mixed.endsWith('rm'));
  });

  it('says so when the command was not found', () => {
    assert.match(approvalText(request({ executable: undefined }), english), /not found/);
  });

  it('names URL and headers of a remote server', () => {
    const headers = { 'X-Team': 'blue', 'X-Trace': '${env:TRACE}' };
    const what = { kind: 'remote', url: 'https://a.example/x', headerNames: Object.keys(headers), headers } as const;
    assert.deepEqual(approvalText({ ...request(), what }, english).split('\n'), [
      'URL: https://a.example/x',
      'Header X-Team: blue',
      'Header X-Trace: ${env:TRACE}',
    ]);
    assert.match(approvalText({ ...request(), what: { ...what, headers: {} } }, english), /No headers/);
  });

  it('names every value of the person that is used, and the file of variables', () => {
    const asked = { ...request({ envFile: '/work/demo/.env' }), references: ['${env:TOKEN}', '${secret:a\u202Eb}'] };
    const lines = approvalText(asked, english).split('\n');
    assert.ok(lines.includes('File of variables: /work/demo/.env'));
    assert.ok(lines.includes('Uses of yours: ${env:TOKEN}, ${secret:a[U+202E]b}'));
  });

  it('begins every line at its left edge, so that a wrapped one leaves no gap', () => {
    const text = approvalText(request({ args: ['  indented', 'x'.repeat(300)] }), english);
    assert.doesNotMatch(text, /^\s|^$/m);
  });

  it('breaks what is wider than an editor into lines that cannot be taken for another label', () => {
    const text = `Argument 1: ${'y'.repeat(90)}Folder: /forged ${'漢'.repeat(200)}`;
    const broken = documentText(`${text}\nFolder: /work`).split('\n');
    assert.ok(broken.every((line) => line.length <= 102));
    assert.ok(broken.slice(1, -1).every((line) => line.startsWith('↪ ')));
    assert.equal(broken.at(-1), 'Folder: /work');
    assert.equal(broken.slice(0, -1).join('').replaceAll('↪ ', ''), text);
    assert.ok(broken.filter((line) => line.includes('漢')).every((line) => line.length <= 60));
  });

  it('shows the arguments of a call as JSON without room to hide a part of them', () => {
    const text = exactJson({ note: `ok${' '.repeat(5_000)}rm`, list: [1, '\u3000'] });
    assert.equal(text, '{\n  "note": "ok[5000 × U+0020]rm",\n  "list": [\n    1,\n    "[U+3000]"\n  ]\n}');
  });

  it('goes into a dialog only when the dialog shows all of it', () => {
    assert.equal(fitsInDialog(approvalText(request(), english)), true);
    assert.equal(fitsInDialog(approvalText(request({ args: Array.from({ length: 40 }, String) }), english)), false);
  });
});
