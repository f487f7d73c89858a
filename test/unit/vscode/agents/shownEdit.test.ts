import assert from 'node:assert/strict';
import { describe, it } from 'mocha';
import type { ClientId } from '../../../../src/core/agents/clients.ts';
import { type ClientReading, planEdit } from '../../../../src/core/agents/clientFile.ts';
import { writeEntry } from '../../../../src/core/agents/entryShapes.ts';
import { agentEntry } from '../../../../src/core/launcher/agentEntry.ts';
import { shownEdit } from '../../../../src/vscode/agents/shownEdit.ts';
import { fileOf } from '../../../support/foundView.ts';

function shown(client: ClientId, text: string): ReturnType<typeof shownEdit> {
  const file = fileOf(client);
  const reading: ClientReading = {
    ...{ kind: 'read', file, path: file.path, text, hash: '', mode: 0o600, keyPath: file.keyPath, entries: [] },
  };
  const value = writeEntry(file.shape, agentEntry('/home/ada/.mcp-roundhouse', 'linux'));
  return shownEdit(planEdit(reading, { kind: 'set', name: 'roundhouse', value }));
}

describe('an edit that is shown before it is made', () => {
  it('hides what looks like a secret on both sides, of servers and of anything else, and no part of the change', () => {
    const token = 'kept-by-Ada-0815';
    const key = `-----BEGIN PRIVATE KEY-----\n${'A'.repeat(64)}\n-----END PRIVATE KEY-----`;
    const texts = {
      cursor: `{\n  "mcpServers": {\n    "a": { "command": "a", "args": ["--api-key", "${token}"] }\n  },\n  "password": "pass-of-mine"\n}\n`,
      codex: `password = "pass-of-mine"\npem = """${key}"""\n\n[mcp_servers.a]\ncommand = "a"\nargs = ["--api-key", "${token}"]\n`,
    } as const;
    for (const client of ['cursor', 'codex'] as const) {
      // The edit is at the end of the servers: what holds the secrets is among the lines around it.
      const { lines } = shown(client, texts[client]);
      const all = lines.map(textOf).join('\n');
      for (const secret of [token, 'pass-of-mine', 'AAAA']) assert.equal(all.includes(secret), false, all);
      assert.match(all, /\[redacted\]/);
      assert.match(all, /"\/home\/ada\/\.mcp-roundhouse\/bin\/mcp-roundhouse"/);
      assert.match(all, /"proxy"/);
    }
  });

  it('is the lines that go and come, with three around them, and which line of the file is the first', () => {
    const text = `{\n${[1, 2, 3, 4, 5].map((at) => `  "${at}": ${at},\n`).join('')}  "mcpServers": {\n    "a": { "command": "a" }\n  }\n}\n`;
    const { lines, from } = shown('cursor', text);
    assert.equal(from, 5);
    assert.deepEqual(lines.slice(0, 4), [
      '  "4": 4,',
      '  "5": 5,',
      '  "mcpServers": {',
      { side: 'before', text: '    "a": { "command": "a" }' },
    ]);
    const come = lines.filter((line) => typeof line !== 'string' && line.side === 'now');
    assert.equal(textOf(come[0]!), '    "a": { "command": "a" },');
    assert.match(textOf(come[1]!), /^ {4}"roundhouse": \{/);
    assert.deepEqual(lines.slice(-2), ['  }', '}']);
  });

  it('is marked within a line, where a file is one line, and shows hidden characters as their numbers', () => {
    const text = '{"a":1,"mcpServers":{"x":{"command":"x"}},"z":2}';
    const { lines, from } = shown('cursor', text);
    const [before, now] = lines;
    assert.deepEqual([from, lines.length, before], [1, 2, { side: 'before', text }]);
    if (typeof now !== 'object' || now.part === undefined) assert.fail(JSON.stringify(now));
    const { start, end } = now.part;
    assert.match(now.text.slice(start, end), /^,\s*"roundhouse":.*"proxy".*\}$/);
    assert.equal(now.text.slice(0, start) + now.text.slice(end), text);

    const hidden = shown('cursor', '{"a":"\u202e","mcpServers":{}}').lines;
    assert.match(textOf(hidden[0]!), /<U\+202E>/);
  });
});

function textOf(line: string | { readonly text: string }): string {
  return typeof line === 'string' ? line : line.text;
}
