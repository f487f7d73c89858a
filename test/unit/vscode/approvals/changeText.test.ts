import assert from 'node:assert/strict';
import { describe, it } from 'mocha';
import type { JsonObject } from '../../../../src/contract/json.ts';
import type { ChangedTool } from '../../../../src/core/manager/toolReview.ts';
import { changeText } from '../../../../src/vscode/approvals/changeText.ts';
import { english } from '../../../../src/vscode/translate.ts';

function changed(
  name: string,
  now: JsonObject,
  known: JsonObject | undefined,
  change: ChangedTool['change'],
): ChangedTool {
  const tool = { name, raw: { name, ...now }, hash: '', annotationsHash: '' };
  return { tool, change, ...(known && { known: { name, ...known } }) };
}
/** Each section as text: what only one side has begins with its sign. */
function shown(...changes: ChangedTool[]): readonly string[] {
  return changeText(changes, english).sections.map(({ heading, lines }) =>
    [heading, ...lines.map((line) => (typeof line === 'string' ? line : signed(line)))].join('\n'),
  );
}
function signed({ side, text }: { readonly side: 'before' | 'now'; readonly text: string }): string {
  return `${side === 'before' ? '-' : '+'}${text}`;
}
const input: JsonObject = { type: 'object' };

describe('changeText', () => {
  it('shows each field that differs, the lines that one side alone has by their side, and no other field', () => {
    const texts = shown(
      changed(
        'read',
        { description: 'Reads a file.', inputSchema: { properties: { path: {}, all: {} }, type: 'object' } },
        { description: 'Reads a file.', inputSchema: { type: 'object', properties: { path: {} } } },
        'definition',
      ),
    );
    const same = ['  {', '    "properties": {'];
    const rest = ['      "path": {}', '    },', '    "type": "object"', '  }'];
    assert.deepEqual(texts, [['Tool read', 'What it takes:', ...same, '+      "all": {},', ...rest].join('\n')]);
  });

  it('makes hidden characters and padding visible, and shows lines as lines', () => {
    const [text] = shown(
      changed(
        'a\u200b',
        { description: 'One\ntwo  \u202ethree', inputSchema: input },
        { description: 'One\ntwo', inputSchema: input },
        'definition',
      ),
    );
    assert.equal(text, 'Tool a<U+200B>\nDescription:\n  One⏎\n-  two\n+  two<U+0020 × 2><U+202E>three');
  });

  it('says what was not there, or is gone', () => {
    const texts = shown(
      changed('new', { description: 'x', inputSchema: input }, undefined, 'new'),
      changed('gone', { inputSchema: input }, { description: 'old', inputSchema: input }, 'definition'),
      changed('big', { description: 'x', inputSchema: input }, undefined, 'definition'),
    );
    assert.match(texts[0]!, /^Tool new\n\(not there before\)\nDescription:\n\+ {2}x\nWhat it takes:\n\+/);
    assert.equal(texts[1], 'Tool gone\nDescription:\n-  old\n+  (nothing)');
    assert.match(texts[2]!, /^Tool big\n\(what it said before was too much to keep\)\nDescription:\n\+ {2}x\n/);
  });

  it('shows annotations by themselves', () => {
    const [text] = shown(
      changed(
        'drop',
        { inputSchema: input, annotations: { readOnlyHint: true } },
        { inputSchema: input, annotations: { readOnlyHint: false } },
        'annotations',
      ),
    );
    const lines = ['-    "readOnlyHint": false', '+    "readOnlyHint": true'];
    assert.equal(text, ['Tool drop', 'What it says of its effects:', '  {', ...lines, '  }'].join('\n'));
  });

  it('shows both sides whole where too much differs to tell line from line', () => {
    const side = (word: string): JsonObject => ({
      description: ['same', ...Array.from({ length: 5_000 }, (_, at) => `${word} ${at}`)].join('\n'),
      inputSchema: input,
    });
    const [text] = shown(changed('long', side('now'), side('before'), 'definition'));
    assert.equal(text?.match(/^[-+] {2}same⏎$/gm)?.length, 2);
    assert.ok(text.includes('\n-  before 4999\n+  same⏎\n+  now 0⏎\n'));
  });

  it('shows as much as a page takes, and says which tools that are', () => {
    const many = Array.from({ length: 10 }, (_, index) =>
      changed(`t${index}`, { description: 'x'.repeat(100) }, undefined, 'new'),
    );
    const { sections, shown: tools } = changeText(many, english, 450);
    assert.deepEqual(
      tools.map(({ tool }) => tool.name),
      ['t0', 't1', 't2'],
    );
    assert.deepEqual(
      sections.map(({ heading }) => heading),
      ['Tool t0', 'Tool t1', 'Tool t2'],
    );
  });
});
