import assert from 'node:assert/strict';
import { describe, it } from 'mocha';
import type { JsonObject } from '../../../../src/contract/json.ts';
import type { ChangedTool } from '../../../../src/core/manager/toolReview.ts';
import { changeTexts } from '../../../../src/vscode/approvals/changeText.ts';
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
const texts = (...changes: ChangedTool[]): { before: string; after: string; shown: readonly ChangedTool[] } =>
  changeTexts(changes, english, { choices: 0 });
const input: JsonObject = { type: 'object' };

describe('changeTexts', () => {
  it('shows each field that differs, on both sides, and none that does not', () => {
    const { before, after } = texts(
      changed(
        'read',
        { description: 'Reads a file.', inputSchema: { properties: { path: {}, all: {} }, type: 'object' } },
        { description: 'Reads a file.', inputSchema: { type: 'object', properties: { path: {} } } },
        'definition',
      ),
    );
    assert.equal(
      before,
      'Tool read\nWhat it takes:\n  {\n    "properties": {\n      "path": {}\n    },\n    "type": "object"\n  }\n',
    );
    assert.equal(
      after,
      'Tool read\nWhat it takes:\n  {\n    "properties": {\n      "all": {},\n      "path": {}\n    },\n    "type": "object"\n  }\n',
    );
  });

  it('makes hidden characters and padding visible, and shows lines as lines', () => {
    const { after } = texts(
      changed(
        'a\u200b',
        { description: 'One\ntwo  \u202ethree', inputSchema: input },
        { inputSchema: input },
        'definition',
      ),
    );
    assert.match(after, /^Tool a<U\+200B>\nDescription:\n {2}One⏎\n {2}two<U\+0020 × 2><U\+202E>three\n$/);
  });

  it('says what was not there, on the side where it was not', () => {
    const { before, after } = texts(
      changed('new', { description: 'x', inputSchema: input }, undefined, 'new'),
      changed('gone', { inputSchema: input }, { description: 'old', inputSchema: input }, 'definition'),
      changed('big', { description: 'x', inputSchema: input }, undefined, 'definition'),
    );
    assert.match(before, /Tool new\n\(not there before\)\n\nTool gone\nDescription:\n {2}old\n/);
    assert.match(before, /Tool big\n\(what it said before was too much to keep\)\n/);
    assert.match(after, /Tool new\nDescription:\n {2}x\nWhat it takes:\n/);
    assert.match(after, /Tool gone\nDescription:\n {2}\(nothing\)\n/);
  });

  it('shows annotations by themselves', () => {
    const { before, after } = texts(
      changed(
        'drop',
        { inputSchema: input, annotations: { readOnlyHint: true } },
        { inputSchema: input, annotations: { readOnlyHint: false } },
        'annotations',
      ),
    );
    assert.ok(before.includes('What it says of its effects:\n  {\n    "readOnlyHint": false\n  }'));
    assert.ok(after.includes('"readOnlyHint": true'));
  });

  it('shows as much as an editor takes, and says which tools that are', () => {
    const many = Array.from({ length: 10 }, (_, index) =>
      changed(`t${index}`, { description: 'x'.repeat(100) }, undefined, 'new'),
    );
    const { after, shown } = changeTexts(many, english, { choices: 0, largest: 450 });
    assert.deepEqual(
      shown.map(({ tool }) => tool.name),
      ['t0', 't1', 't2'],
    );
    assert.ok(after.includes('Tool t2') && !after.includes('Tool t3'));
  });
});
