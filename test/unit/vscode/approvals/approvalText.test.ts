import assert from 'node:assert/strict';
import fc from 'fast-check';
import { describe, it } from 'mocha';
import type { ServerId } from '../../../../src/contract/serverConfig.ts';
import type { ApprovalRequest } from '../../../../src/core/ports.ts';
import type { LaunchFingerprint } from '../../../../src/core/transport/launch.ts';
import {
  approvalText,
  exactJson,
  fitsInDialog,
  groupSections,
  textOf,
} from '../../../../src/vscode/approvals/approvalText.ts';
import { english } from '../../../../src/vscode/translate.ts';
import { demoScope, userScope } from '../../../support/managerView.ts';

function request(what: Partial<Extract<ApprovalRequest['what'], { kind: 'stdio' }>> = {}): ApprovalRequest {
  return {
    id: 'demo' as ServerId,
    scope: demoScope,
    fingerprint: 'f' as LaunchFingerprint,
    file: '/work/demo/.roundhouse/mcp.json',
    line: 4,
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

const place = 'Defined in: /work/demo/.roundhouse/mcp.json, line 4';

describe('what a person reads before a server may run', () => {
  it('names the command as written, the file it is, each argument, the folder and the variables', () => {
    assert.deepEqual(approvalText(request(), english).split('\n'), [
      'Command: node',
      'Program: /usr/bin/node',
      'Argument 1: server.js',
      'Argument 2: --port=1',
      'Folder: /work/demo',
      'Variable MODE: fast',
      place,
    ]);
  });

  it('shortens nothing, however long it is', () => {
    const long = 'x'.repeat(20_000);
    const text = approvalText(request({ args: [long] }), english);
    assert.ok(text.includes(long));
    assert.equal(fitsInDialog(text), false);
  });

  it('shows padding, line ends and hidden characters for what they are, in values and names', () => {
    const args = [`ok${' '.repeat(10_000)}rm`, 'a\nb', 'server1\uFE0F.js', ''];
    const lines = approvalText(request({ args, env: { 'A\u200B: B': 'c\u202E' } }), english).split('\n');
    assert.deepEqual(lines.slice(2), [
      'Argument 1: ok<U+0020 × 10000>rm',
      'Argument 2: a⏎b',
      'Argument 3: server1<U+FE0F>.js',
      'Argument 4: ""',
      'Folder: /work/demo',
      'Variable A<U+200B><U+003A> B: c<U+202E>',
      place,
    ]);
  });

  it('shows two launches alike only if they are the same', () => {
    const value = fc
      .array(
        fc.constantFrom(
          ...[
            'a',
            ' ',
            '  ',
            '\n',
            '⏎',
            '\uFE0F',
            '<U+FE0F>',
            '\u202E',
            '<U+',
            'e\u0301',
            'é',
            ': ',
            ':',
            '""',
            '\r\n',
          ],
          ...['\nFolder: /x', 'Argument 1: ', '↪ ', '[3 × U+0020]', '[U+202E]', '\u0301', '\u0302'.repeat(9)],
        ),
        { maxLength: 4 },
      )
      .map((parts) => parts.join(''));
    const launch = fc.record({
      command: value,
      args: fc.array(value, { maxLength: 2 }),
      cwd: value,
      env: fc.dictionary(value, value, { maxKeys: 2 }),
    });
    fc.assert(
      fc.property(launch, launch, value, (one, other, part) => {
        const near = [other, { ...one, args: [...one.args, part] }, { ...one, cwd: one.cwd + part }];
        const moved = Object.entries(one.env).map(([name, text]) => [`${name}: ${text}`, '']);
        const read = { ...one, command: approvalText(request(one), english) };
        for (const candidate of [...near, read, { ...one, env: Object.fromEntries(moved) as typeof one.env }]) {
          const alike = shown(candidate) === shown(one);
          assert.equal(alike, JSON.stringify(candidate) === JSON.stringify(one));
        }
      }),
      { numRuns: 3_000, seed: 20261130 },
    );
    function shown(what: typeof launch extends fc.Arbitrary<infer T> ? T : never): string {
      return approvalText(request(what), english).normalize('NFC');
    }
  });

  it('shows where a working folder leads that is a link', () => {
    const linesOf = (realCwd: string): readonly string[] =>
      approvalText(request({ cwd: '/proj/data', realCwd, env: {} }), english)
        .split('\n')
        .slice(4, -1);
    assert.deepEqual(linesOf('/etc'), ['Folder: /proj/data', 'This folder leads to: /etc']);
    assert.deepEqual(linesOf('/proj/data'), ['Folder: /proj/data']);
  });

  it('shows where a program leads that is a link', () => {
    const linked = request({ command: 'npx', calledAs: '/usr/bin/npx', executable: '/usr/lib/npx-cli.js' });
    assert.deepEqual(approvalText(linked, english).split('\n').slice(0, 3), [
      'Command: npx',
      'Program: /usr/bin/npx',
      'This program is a link to: /usr/lib/npx-cli.js',
    ]);
  });

  it('says so when the command was not found, or is not known yet', () => {
    assert.match(approvalText(request({ executable: undefined }), english), /not found/);
    const open = request({ command: '${input:c}', executable: undefined, executableOpen: true });
    assert.match(approvalText(open, english), /depends on values of yours/);
    assert.doesNotMatch(approvalText(open, english), /not found/);
  });

  it('names URL and headers of a remote server', () => {
    const headers = { 'X-Team': 'blue', 'X-Trace': '${env:TRACE}' };
    const url = 'https://a.example/x';
    const reached = { reached: url, host: 'a.example' };
    const what = { kind: 'remote', url, ...reached, headers } as const;
    assert.deepEqual(approvalText({ ...request(), what }, english).split('\n'), [
      'URL: https://a.example/x',
      'Host: a.example',
      'Header X-Team: blue',
      'Header X-Trace: ${env:TRACE}',
      place,
    ]);
    assert.match(approvalText({ ...request(), what: { ...what, headers: {} } }, english), /No headers/);
  });

  it('names the URL and host that are reached, and the URL as written where that differs', () => {
    const url = 'https://\u0430pple.com/\uFE0F';
    const reached = { reached: 'https://xn--pple-43d.com/%EF%B8%8F', host: 'xn--pple-43d.com' };
    const what = { kind: 'remote', url, ...reached, headers: {} } as const;
    assert.deepEqual(approvalText({ ...request(), what }, english).split('\n'), [
      'URL: https://xn--pple-43d.com/%EF%B8%8F',
      'Host: xn--pple-43d.com',
      'Written as: https://\u0430pple.com/<U+FE0F>',
      'No headers',
      place,
    ]);
    const open = { kind: 'remote', url: 'https://${env:H}/', headers: {} } as const;
    assert.deepEqual(approvalText({ ...request(), what: open }, english).split('\n'), [
      'URL: https://${env:H}/',
      'No headers',
      place,
    ]);
  });

  it('names every value of the person that is used, and the file of variables', () => {
    const asked = { ...request({ envFile: '/work/demo/.env' }), references: ['${env:TOKEN}', '${secret:a\u202Eb}'] };
    const lines = approvalText(asked, english).split('\n');
    assert.ok(lines.includes('File of variables: /work/demo/.env'));
    assert.ok(lines.includes('Uses your values: ${env:TOKEN}, ${secret:a<U+202E>b}'));
  });

  it('begins every line at its left edge, so that a wrapped one leaves no gap', () => {
    const text = approvalText(request({ args: ['  indented', 'x'.repeat(300)] }), english);
    assert.doesNotMatch(text, /^\s|^$/m);
  });

  it('shows the arguments of a call as JSON without room to hide a part of them', () => {
    const text = exactJson({ note: `ok${' '.repeat(5_000)}rm`, list: [1, '\u3000'] }).join('\n');
    assert.equal(text, '{\n  "note": "ok<U+0020 × 5000>rm",\n  "list": [\n    1,\n    "<U+3000>"\n  ]\n}');
  });

  it('names all servers of one question in a line each, then shows the whole of each', () => {
    const other = {
      ...request(),
      id: 'far' as ServerId,
      scope: userScope,
      last: 'forgotten' as const,
      what: { kind: 'remote', url: 'https://a.example/x', host: 'a.example', headers: {} } as const,
    };
    const text = textOf(groupSections([request(), other], english));
    assert.equal(text.split('\n\n')[0], 'demo (folder “demo”): node\nfar (yours): a.example · changed');
    for (const each of [request(), other])
      assert.ok(text.includes(`\n\nServer “${each.id}”\n${approvalText(each, english)}`));
  });

  it('goes into a dialog only when the dialog shows all of it', () => {
    assert.equal(fitsInDialog(approvalText(request(), english)), true);
    assert.equal(fitsInDialog(approvalText(request({ args: Array.from({ length: 40 }, String) }), english)), false);
  });
});
