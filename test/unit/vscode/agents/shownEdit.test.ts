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
      const { before, after, line } = shown(client, texts[client]);
      for (const side of [before, after]) {
        for (const secret of [token, 'pass-of-mine', 'AAAA']) assert.equal(side.includes(secret), false, side);
        assert.match(side, /\[redacted\]/);
      }
      assert.match(after, /"\/home\/ada\/\.mcp-roundhouse\/bin\/mcp-roundhouse"/);
      assert.match(after, /"proxy"/);
      const lines = after.split('\n');
      const at = lines.findIndex((text) => text.includes('proxy'));
      assert.ok(line >= at && line <= at + 3, `${line} of ${after}`);
    }
  });
});
