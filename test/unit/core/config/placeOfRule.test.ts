import assert from 'node:assert/strict';
import { describe, it } from 'mocha';
import type { ServerId } from '../../../../src/contract/serverConfig.ts';
import { placeOfRule } from '../../../../src/core/config/placeOfRule.ts';

const text = `{
  "version": 3,
  "mcpServers": {
    "files": { "command": "x", "toolPolicies": { "read": "ask",
      "delte": "deny" } },
    "hub": { "command": "y" }
  },
  "toolPolicies": {
    "files": { "mvoe": "deny" }
  }
}`;

describe('placeOfRule', () => {
  const place = (server: string, ...tools: readonly string[]) => placeOfRule(text, server as ServerId, tools);

  it('is that of the first rule which the file has, in the entry or at its top', () => {
    assert.deepEqual(place('files', 'delte', 'read'), { line: 5, column: 7 });
    assert.deepEqual(place('files', 'absent', 'read'), { line: 4, column: 50 });
    assert.deepEqual(place('files', 'mvoe'), { line: 9, column: 16 });
  });

  it('is none where the file has no such rule, or is no configuration', () => {
    assert.equal(place('hub', 'delte'), undefined);
    assert.equal(place('other', 'delte'), undefined);
    assert.equal(placeOfRule('{ "mcpServers": ', 'files' as ServerId, ['delte']), undefined);
  });
});
