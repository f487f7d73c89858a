import assert from 'node:assert/strict';
import { describe, it } from 'mocha';
import { isJsonObject } from '../../../../src/contract/json.ts';
import type { ConfigScope, PolicyWord, ServerId } from '../../../../src/contract/serverConfig.ts';
import { parseDocument } from '../../../../src/core/config/configDocument.ts';
import { editConfigText } from '../../../../src/core/config/editConfigText.ts';
import { policyEdits } from '../../../../src/core/config/policyEdits.ts';

function rule(text: string, tool: string, word: PolicyWord | undefined, scope: ConfigScope['kind'] = 'user'): string {
  const document = parseDocument(text);
  assert.ok(document.kind === 'document' && isJsonObject(document.value));
  const edits = policyEdits(document.value, { server: 'demo' as ServerId, tool, word }, scope);
  assert.ok(edits !== undefined);
  return editConfigText(text, edits);
}

describe('policyEdits', () => {
  const entry = '{\n  "mcpServers": {\n    "demo": { "command": "x" } // mine\n  }\n}\n';
  const withRules =
    '{\n  "mcpServers": {\n    "demo": { "command": "x", "toolPolicies": { "echo": "ask", /* all */ "*": "allow" } }\n  }\n}\n';

  it('writes a rule into the entry, of the person or of a project, and touches nothing else', () => {
    const expected = entry.replace('"x" }', '"x", "toolPolicies": { "echo": "deny" } }');
    assert.equal(rule(entry, 'echo', 'deny'), expected);
    assert.equal(rule(entry, 'echo', 'deny', 'project'), expected);
    assert.equal(rule(withRules, 'echo', 'deny'), withRules.replace('"ask"', '"deny"'));
    assert.equal(rule(withRules, 'add', 'ask'), withRules.replace('"allow" }', '"allow", "add": "ask" }'));
  });

  it('writes the person’s rule for a server of others at the top of their file', () => {
    const text = '{\n  "version": 3,\n  "mcpServers": {}\n}\n';
    const written = rule(text, '*', 'ask');
    assert.equal(
      written,
      '{\n  "version": 3,\n  "mcpServers": {},\n  "toolPolicies": {\n    "demo": {\n      "*": "ask"\n    }\n  }\n}\n',
    );
    assert.equal(rule(rule(written, 'echo', 'deny'), 'echo', undefined), written);
    assert.equal(rule(written, '*', undefined), text);
  });

  it('takes what held nothing but the rule with it, and leaves what others wrote', () => {
    const one = '{ "mcpServers": { "demo": { "command": "x", "toolPolicies": { "echo": "ask" } } } }';
    assert.equal(rule(one, 'echo', undefined), '{ "mcpServers": { "demo": { "command": "x" } } }');
    assert.equal(rule(withRules, 'echo', undefined), withRules.replace('"echo": "ask", ', ''));
    const top = '{ "mcpServers": {}, "toolPolicies": { "demo": { "a": "ask" }, "other": { "b": "ask" } } }';
    assert.equal(rule(top, 'a', undefined), '{ "mcpServers": {}, "toolPolicies": { "other": { "b": "ask" } } }');
  });

  it('keeps one rule of the person: writing it into the entry takes it from the top', () => {
    const both =
      '{ "mcpServers": { "demo": { "command": "x" } }, "toolPolicies": { "demo": { "echo": "deny", "*": "ask" } } }';
    assert.equal(
      rule(both, 'echo', 'allow'),
      '{ "mcpServers": { "demo": { "command": "x", "toolPolicies": { "echo": "allow" } } }, "toolPolicies": { "demo": { "*": "ask" } } }',
    );
  });

  it('changes nothing to take away a rule that is not there', () => {
    for (const text of [entry, '{ "mcpServers": {} }', withRules]) assert.equal(rule(text, 'none', undefined), text);
  });

  it('has no place for the rule of a project that does not define the server', () => {
    const at = { server: 'demo' as ServerId, tool: 'echo', word: 'deny' as const };
    assert.equal(policyEdits({ mcpServers: {} }, at, 'project'), undefined);
    assert.equal(policyEdits({}, at, 'project'), undefined);
  });

  it('looks up no name in a prototype', () => {
    assert.equal(rule(entry, 'constructor', undefined), entry);
    assert.match(rule(entry, 'constructor', 'ask'), /"toolPolicies": \{ "constructor": "ask" \}/);
  });
});
