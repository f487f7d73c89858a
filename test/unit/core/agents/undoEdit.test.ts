import assert from 'node:assert/strict';
import fc from 'fast-check';
import { describe, it } from 'mocha';
import { editText, entryIn, parseText } from '../../../../src/core/agents/clientText.ts';
import type { FileFormat } from '../../../../src/core/agents/clients.ts';
import { missingKeys } from '../../../../src/core/agents/editRecord.ts';
import { hunkBetween } from '../../../../src/core/agents/textHunk.ts';
import { undoneText } from '../../../../src/core/agents/undoEdit.ts';

type Recorded = Parameters<typeof undoneText>[1];
const launcher = '/h/.mcp-roundhouse/bin/mcp-roundhouse';
const value = { command: launcher, args: ['proxy'] };

/** Adds our entry to a text; answers the new text and what is noted of it. */
function connected(
  format: FileFormat,
  before: string | undefined,
  name = 'roundhouse',
): { text: string; record: Recorded } {
  const keyPath = format === 'toml' ? ['mcp_servers'] : ['mcpServers'];
  const text = editText(format, before ?? '', keyPath, { kind: 'set', name, value });
  const parsed = parseText(format, before ?? '');
  const now = parseText(format, text);
  assert.ok(parsed.kind === 'parsed' && now.kind === 'parsed');
  const old = entryIn(parsed, keyPath, name);
  return {
    text,
    record: {
      purpose: 'connect',
      shape: format === 'toml' ? 'codex' : 'cursor',
      format,
      keyPath,
      name,
      ...(old && { before: old }),
      after: entryIn(now, keyPath, name)!,
      hunk: hunkBetween(before ?? '', text),
      madeFile: before === undefined,
      madeKeys: missingKeys(parsed.value, keyPath),
    },
  };
}

describe('taking an edit back', () => {
  it('gives the very text back, whatever it was', () => {
    const texts = [
      '{}',
      '',
      '\n',
      '{"mcpServers":{}}',
      '\uFEFF{\r\n\t"a": 1, // x\r\n\t"mcpServers": {\r\n\t},\r\n}\r\n',
      '{"mcpServers":{"roundhouse": {"command": "theirs" /* c */}}}',
      '{ "a": [1,\n2] }',
    ];
    fc.assert(
      fc.property(fc.constantFrom(...texts), (before) => {
        const { text, record } = connected('jsonc', before);
        assert.deepEqual(undoneText(text, record), { kind: 'text', after: before });
      }),
    );
    for (const before of [
      '',
      'a = 1',
      'a = 1\r\n',
      '[mcp_servers.b]\ncommand = "x"\n\n\n',
      'mcp_servers = { b = {} }',
    ]) {
      const { text, record } = connected('toml', before);
      assert.deepEqual(undoneText(text, record), { kind: 'text', after: before });
    }
  });

  it('removes the file that it made, unless somebody wrote into it', () => {
    for (const format of ['json', 'toml'] as const) {
      const { text, record } = connected(format, undefined);
      assert.deepEqual(undoneText(text, record), { kind: 'removeFile' });
      const note = format === 'toml' ? '# mine\n' : '// mine\n';
      assert.equal(undoneText(note + text, record).kind, 'text');
      const other = editText(format, text, record.keyPath, { kind: 'set', name: 'mine', value: { command: 'm' } });
      const undone = undoneText(other, record);
      assert.ok(undone.kind === 'text' && undone.after.includes('mine') && !undone.after.includes('roundhouse'));
    }
  });

  it('goes by the entry alone where the text around was written anew, and leaves no empty object of ours', () => {
    const { text, record } = connected('json', '{"theme":"dark"}');
    const anew = JSON.stringify(JSON.parse(text), undefined, 4);
    const undone = undoneText(anew, record);
    assert.ok(undone.kind === 'text');
    assert.deepEqual(JSON.parse(undone.after), { theme: 'dark' });
    const had = connected('json', '{"mcpServers":{}}');
    const kept = undoneText(JSON.stringify(JSON.parse(had.text)), had.record);
    assert.ok(kept.kind === 'text');
    assert.deepEqual(JSON.parse(kept.after), { mcpServers: {} });
  });

  it('never takes out what only looks like it, nor another entry of the same text', () => {
    const { record } = connected('json', '{"mcpServers":{}}');
    const inserted = record.hunk!.inserted;
    const decoy = `{"note":${JSON.stringify(inserted)},"mcpServers":{"roundhouse":{"args":["proxy"],"command":"${launcher}"},"b":{}}}`;
    const undone = undoneText(decoy, record);
    assert.ok(undone.kind === 'text');
    assert.deepEqual(JSON.parse(undone.after), { note: inserted, mcpServers: { b: {} } });
  });

  it('leaves a changed entry alone, and says so of a broken file', () => {
    const { text, record } = connected('json', '{"mcpServers":{}}');
    const changed = text.replace('"proxy"', '"proxy","--workspace","/w"');
    assert.deepEqual(undoneText(changed, record), { kind: 'changedSince' });
    assert.deepEqual(undoneText('{"mcpServers":{}}', record), { kind: 'alreadyGone' });
    assert.deepEqual(undoneText(undefined, record), { kind: 'alreadyGone' });
    assert.equal(undoneText('{', record).kind, 'malformed');
  });

  it('takes a changed entry out where the person says so, or where it starts the launcher that goes', () => {
    const { text, record } = connected('json', '{"mcpServers":{}}');
    const changed = text.replace('"proxy"', '"proxy","--workspace","/w"');
    for (const how of ['remove', 'removeOurs'] as const) {
      const undone = undoneText(changed, record, how);
      assert.ok(undone.kind === 'text');
      assert.deepEqual(JSON.parse(undone.after), { mcpServers: {} });
    }
    const own = '{"mcpServers":{"roundhouse":{"command":"mine"}}}';
    assert.deepEqual(undoneText(own, record, 'removeOurs'), { kind: 'alreadyGone' });
    const over = connected('json', own).record;
    const other = own.replace('mine', 'other');
    assert.deepEqual(undoneText(other, over, 'removeOurs'), { kind: 'changedSince' });
    assert.deepEqual(undoneText(other, over, 'remove'), { kind: 'text', after: own });
  });

  it('makes a file that is gone again where something of its owner’s was taken out of it', () => {
    for (const [format, before] of [
      ['jsonc', '{ "mcpServers": { "a": { "command": "c" /* mine */ } } }'],
      ['toml', '[mcp_servers.a]\ncommand = "c" # mine\n'],
    ] as const) {
      const keyPath = format === 'toml' ? ['mcp_servers'] : ['mcpServers'];
      const parsed = parseText(format, before);
      assert.ok(parsed.kind === 'parsed');
      const record: Recorded = {
        ...{ purpose: 'takeOver', shape: 'cursor', format, keyPath, name: 'a', madeFile: false, madeKeys: 0 },
        before: entryIn(parsed, keyPath, 'a')!,
        hunk: hunkBetween(before, editText(format, before, keyPath, { kind: 'remove', name: 'a' })),
      };
      const undone = undoneText(undefined, record);
      assert.ok(undone.kind === 'text' && undone.after.includes('mine'), format);
      const made = parseText(format, undone.after);
      assert.ok(made.kind === 'parsed');
      assert.deepEqual(entryIn(made, keyPath, 'a')?.raw, record.before?.raw);
    }
  });

  it('takes the one field back that it set, whatever else its owner changed in the entry', () => {
    const keyPath = ['mcp_servers'];
    const before = '[mcp_servers.a] # mine\ncommand = "c"\nargs = ["1"]\n';
    const off = editText('toml', before, keyPath, { kind: 'setField', name: 'a', field: 'enabled', value: false });
    const [old, now] = [before, off].map((text) => {
      const parsed = parseText('toml', text);
      assert.ok(parsed.kind === 'parsed');
      return entryIn(parsed, keyPath, 'a')!;
    });
    const record: Recorded = {
      ...{ purpose: 'takeOver', shape: 'codex', format: 'toml', keyPath, name: 'a', field: 'enabled' },
      ...{ before: old!, after: now!, hunk: hunkBetween(before, off), madeFile: false, madeKeys: 0 },
    };
    const change = (text: string): string => text.replace('"1"', '"2"');
    assert.deepEqual(undoneText(off, record), { kind: 'text', after: before });
    assert.deepEqual(undoneText(change(off), record), { kind: 'text', after: change(before) });
    assert.deepEqual(undoneText(change(before), record), { kind: 'alreadyGone' });
    assert.deepEqual(undoneText(change(off).replace('false', '"no"'), record), { kind: 'changedSince' });
    assert.deepEqual(undoneText('model = "m"\n', record), { kind: 'changedSince' });
  });
});
