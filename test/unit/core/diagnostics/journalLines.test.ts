import assert from 'node:assert/strict';
import { describe, it } from 'mocha';
import { entryOf, type JournalEntry, journalName, lineOf } from '../../../../src/core/diagnostics/journalLines.ts';

const start = {
  kind: 'start',
  id: 'a-1',
  at: 1,
  server: 's',
  scope: 'project',
  folder: '/home/me/shop',
  tool: 'pay',
  caller: 'gateway',
  callerName: 'agent',
  decision: 'ask',
  answer: 'window',
  argumentSize: 4,
} as const satisfies JournalEntry;
const end = { kind: 'end', id: 'a-1', at: 2, duration: 1, outcome: 'notSent', code: 'toolDenied' } as const;
const owner = { kind: 'process', version: 1, pid: 7, start: '1', boot: 'b', host: 'h', namespace: 'n' } as const;

describe('a line of the journal', () => {
  it('is one line, and reads as it was written', () => {
    for (const entry of [start, end, owner]) {
      const line = lineOf(entry);
      assert.match(line, /^[^\n]+\n$/);
      assert.deepEqual(entryOf(line), entry);
    }
    assert.match(lineOf({ ...start, tool: 'a\nb\u2028' }), /^[^\n]+\n$/);
  });

  it('is no line of ours where anything does not fit', () => {
    const odd: readonly unknown[] = [
      [],
      null,
      { ...start, id: '../../etc' },
      { ...start, decision: 'maybe' },
      { ...start, at: -1 },
      { ...start, tool: 'x'.repeat(129) },
      { ...end, code: 'a sentence about a secret' },
      { ...end, outcome: 'fine' },
      { ...owner, version: 2 },
      { kind: 'later' },
      { ...end, more: 'x'.repeat(5_000) },
    ];
    for (const each of odd) assert.equal(entryOf(JSON.stringify(each)), undefined, JSON.stringify(each).slice(0, 80));
    assert.equal(entryOf(lineOf(start).slice(0, -9)), undefined);
    assert.equal(entryOf(''), undefined);
  });

  it('has no place for what was said', () => {
    const kept = entryOf(JSON.stringify({ ...end, arguments: 'x', result: 'y', error: 'z' }));
    assert.deepEqual(kept, end);
  });
});

describe('journalName', () => {
  it('makes a name harmless and short, and takes credentials out of it before it cuts', () => {
    assert.equal(journalName('read_file'), 'read_file');
    assert.equal(journalName('a\u202Eb\nc'), 'a[U+202E]b⏎c');
    const token = `ghp_${'Ab1'.repeat(12)}`;
    assert.ok(!journalName(`${'x'.repeat(110)} ${token}`).includes('ghp_'));
    assert.ok(journalName('x'.repeat(5_000)).length <= 128);
  });
});
