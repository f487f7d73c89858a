import assert from 'node:assert/strict';
import { describe, it } from 'mocha';
import type { JsonObject } from '../../../../src/contract/json.ts';
import { editConfigText } from '../../../../src/core/config/editConfigText.ts';
import { entryEdits } from '../../../../src/core/config/entryEdits.ts';

function written(entry: JsonObject, existing?: JsonObject): JsonObject {
  const before = { mcpServers: existing === undefined ? {} : { a: existing } };
  const text = editConfigText(JSON.stringify(before, undefined, 2), entryEdits('a', entry, existing));
  return (JSON.parse(text) as { mcpServers: { a: JsonObject } }).mcpServers.a;
}

describe('entryEdits', () => {
  it('makes the protocol of a new entry explicit', () => {
    assert.equal(written({ command: 'x' })['protocol'], 'legacy');
    assert.equal(written({ url: 'https://x/' })['protocol'], 'auto');
    assert.equal(written({ url: 'https://x/', transport: 'streamable-http' })['protocol'], 'auto');
    assert.equal(written({ url: 'https://x/', transport: 'sse' })['protocol'], 'legacy');
    assert.equal(written({ command: 'x', protocol: '2026-07-28' })['protocol'], '2026-07-28');
  });

  it('keeps what an existing entry speaks: omitted was legacy', () => {
    assert.equal(written({ url: 'https://y/' }, { url: 'https://x/' })['protocol'], 'legacy');
    assert.equal(written({ command: 'y' }, { command: 'x', protocol: 'auto' })['protocol'], 'auto');
    assert.equal(written({ url: 'https://y/' }, { command: 'x', protocol: 'legacy' })['protocol'], 'auto');
    assert.equal(
      written({ url: 'https://y/', transport: 'sse' }, { url: 'https://y/', protocol: 'auto' })['protocol'],
      'legacy',
    );
  });

  it('replaces the definition but keeps unknown keys, toggles, policies and time-outs', () => {
    const kept = {
      enabled: false,
      autostart: true,
      toolPolicies: { '*': 'deny' },
      timeouts: { call: 1 },
      note: { by: 'me' },
    };
    const existing = { command: 'x', args: ['1'], env: { A: '1', B: '2' }, cwd: '/', protocol: 'auto', ...kept };
    assert.deepEqual(written({ command: 'y', env: { B: '3' } }, existing), {
      ...{ command: 'y', env: { B: '3' }, protocol: 'auto' },
      ...kept,
    });
  });

  it('replaces a policy map as a whole where one is given, and settings key by key', () => {
    const existing = { command: 'x', toolPolicies: { a: 'deny' }, timeouts: { call: 1, later: 2 }, protocol: 'legacy' };
    assert.deepEqual(written({ command: 'x', toolPolicies: { b: 'ask' }, timeouts: { list: 3 } }, existing), {
      command: 'x',
      toolPolicies: { b: 'ask' },
      timeouts: { later: 2, list: 3 },
      protocol: 'legacy',
    });
  });
});
