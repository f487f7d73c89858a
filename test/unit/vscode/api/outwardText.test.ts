import assert from 'node:assert/strict';
import { describe, it } from 'mocha';
import type { ErrorCode } from '../../../../src/contract/errorCodes.ts';
import { sentences } from '../../../../src/contract/sentences.ts';
import { additions } from '../../../../src/contract/sentencesOf.ts';
import { variants } from '../../../../src/contract/variants.ts';
import { problemText } from '../../../../src/vscode/problemText.ts';
import { outwardText } from '../../../../src/vscode/api/outwardText.ts';
import { english } from '../../../../src/vscode/translate.ts';

const codes = Object.keys(sentences) as ErrorCode[];
const of = (code: ErrorCode, data: Readonly<Record<string, string | number | boolean>>) =>
  outwardText({ code, data }, english);

describe('a problem in words for other extensions', () => {
  it('tells nothing of a launch, a file or an output, whatever the failure', () => {
    const templates = [
      ...Object.values(sentences).flatMap(({ text, remedy }) => [text, remedy]),
      ...variants.flatMap(({ text = '', remedy = '' }) => [text, remedy]),
      ...additions.flatMap(({ text, tells }) => [text, `{${tells}}`]),
    ];
    const places = new Set(templates.join(' ').match(/(?<=(?<!\$)\{)\w+(?=\})/g));
    const secret = ['command', 'path', 'cwd', 'url', 'variable', 'field', 'file', 'folder', 'lock', 'other', 'detail'];
    for (const name of [...secret, 'excerpt', 'noiseSample']) assert.ok(places.has(name), name);
    const data = Object.fromEntries([...places].map((name) => [name, `<${name}>`]));
    const about = ['toolFailed', 'argumentsInvalid', 'resultInvalid', 'toolLeftOut'];
    for (const code of codes) {
      for (const because of codes) {
        const { text, remedy } = of(code, { ...data, because, stderr: '<stderr>', method: 'initialize' });
        const leaked = [...`${text} ${remedy}`.matchAll(/<(\w+)>/g)].map(([, name = '']) => name);
        const allowed = ['server', 'tool', 'prompt', 'kind', 'caller', 'during', 'setting', 'wanted', 'found', 'exit'];
        const fine = [...allowed, 'seconds', 'limit', 'status', 'number', ...(about.includes(code) ? ['detail'] : [])];
        assert.deepEqual(
          leaked.filter((name) => !fine.includes(name)),
          [],
          `${code} ${text} ${remedy}`,
        );
        assert.ok(!text.includes('{') && !remedy.includes('{') && text !== '' && remedy !== '', code);
      }
    }
  });

  it('is what the person reads where that tells no such thing', () => {
    for (const [code, data] of [
      ['toolDenied', { server: 'a', tool: 'b' }],
      ['connectTimeout', { server: 'a', seconds: 30 }],
      ['blockedApproval', { server: 'a', answer: 'refused' }],
      ['blockedEditor', { server: 'a', setting: 'chat.mcp.access', why: 'off' }],
      ['argumentsInvalid', { server: 'a', tool: 'b', of: 'caller', caller: 'some.body' }],
      ['toolFailed', { server: 'a', tool: 'b', detail: 'no such row' }],
      ['protocolError', { server: 'a', method: 'tools/call', number: -32602, detail: 'no such row' }],
    ] as const) {
      assert.deepEqual(of(code, data), problemText({ code, data }, english));
    }
  });

  it('is its code, with the server, where the words would tell more', () => {
    const command = '/home/x/secret project/run';
    assert.deepEqual(of('commandNotFound', { server: 'a](x)', command, path: '/home/x/bin' }), {
      text: 'Server “a] (x)” has a problem: commandNotFound. The MCP view says more.',
      remedy: sentences.commandNotFound.remedy,
    });
    assert.deepEqual(of('configSyntax', { file: '/home/x/mcp.json', detail: 'x', line: 1, column: 2 }), {
      text: 'MCP Roundhouse has a problem: configSyntax. Its log says more.',
      remedy: sentences.configSyntax.remedy,
    });
    assert.deepEqual(of('agentEntryTaken', { agent: 'Codex', name: 'x', file: '/home/x/config.toml' }), {
      text: 'MCP Roundhouse has a problem: agentEntryTaken. Its log says more.',
      remedy: 'Look at it in the MCP view.',
    });
  });
});
