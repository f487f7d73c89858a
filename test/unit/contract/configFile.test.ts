import assert from 'node:assert/strict';
import { describe, it } from 'mocha';
import { isServerId, parseConfigFile, parseEntry } from '../../../src/contract/configFile.ts';
import { versionOf } from '../../../src/contract/configMigrations.ts';
import type { JsonObject } from '../../../src/contract/json.ts';

function definition(raw: JsonObject) {
  const result = parseEntry(raw, 3);
  assert.ok(result.ok, JSON.stringify(result));
  return result.definition;
}

function reasons(raw: JsonObject, version: 1 | 2 | 3 | 'none' = 3): readonly string[] {
  const result = parseEntry(raw, version === 'none' ? undefined : version);
  return result.ok ? [] : result.faults.map((fault) => fault.path.join('.'));
}

describe('isServerId', () => {
  it('takes 1 to 32 characters of ASCII letters, digits, underscore and hyphen', () => {
    for (const id of ['a', 'A-b_9', '-', '_', '_a_b_', 'x'.repeat(32), 'constructors', 'toString']) {
      assert.equal(isServerId(id), true, id);
    }
    for (const id of [
      '',
      'x'.repeat(33),
      'a__b',
      '__proto__',
      'constructor',
      'prototype',
      'a.b',
      'a b',
      'ä',
      'a\n',
      'a/b',
    ]) {
      assert.equal(isServerId(id), false, JSON.stringify(id));
    }
  });
});

describe('parseEntry', () => {
  it('fills in the defaults of a command', () => {
    const { env, toolPolicies, ...rest } = { env: {}, ...definition({ command: 'x' }) };
    assert.deepEqual([Object.keys(env), Object.keys(toolPolicies)], [[], []]);
    assert.deepEqual(rest, {
      ...{ kind: 'stdio', command: 'x', args: [], persistent: false, isolation: 'shared' },
      ...{ protocol: 'legacy', enabled: true, autostart: false, timeouts: {} },
    });
  });

  it('holds of roots that there are to be none, and nothing where the default is written out', () => {
    assert.deepEqual({ roots: undefined, ...definition({ command: 'x', roots: false }) }.roots, false);
    assert.equal('roots' in definition({ command: 'x', roots: true }), false);
    assert.deepEqual(reasons({ command: 'x', roots: 'no' }), ['roots']);
  });

  it('fills in the defaults of a URL', () => {
    const { headers, toolPolicies, ...rest } = { headers: {}, ...definition({ url: 'https://example.com' }) };
    assert.deepEqual([Object.keys(headers), Object.keys(toolPolicies)], [[], []]);
    assert.deepEqual(rest, {
      ...{ kind: 'remote', url: 'https://example.com', transport: 'auto' },
      ...{ protocol: 'legacy', enabled: true, autostart: false, timeouts: {} },
    });
  });

  it('asks whether url was meant by another client’s word for it, where nothing else says what it is', () => {
    for (const key of ['serverUrl', 'httpUrl']) {
      const result = parseEntry({ [key]: 'https://example.com' }, 3);
      assert.ok(!result.ok);
      assert.deepEqual(result.faults, [
        { path: [key], reason: 'did you mean url? That is its name in this file', atKey: true },
      ]);
      assert.deepEqual(reasons({ [key]: 'https://example.com', url: 'https://example.com' }), []);
      assert.deepEqual(reasons({ [key]: 'https://example.com', command: 'x' }), []);
    }
  });

  it('asks whether a word with one slip was meant, and is silent about any other', () => {
    const reason = (key: string): string | undefined => {
      const result = parseEntry({ [key]: 'x' }, 3);
      return result.ok ? undefined : result.faults[0]?.reason;
    };
    for (const key of ['comand', 'Command', 'commnad', 'commands', 'commend', 'kommand']) {
      assert.equal(reason(key), 'did you mean command? That is its name in this file', key);
    }
    for (const key of ['cmd', 'comm', 'exec', 'u', 'hurl2']) assert.equal(reason(key), 'it needs command or url', key);
  });

  it('ignores keys that it does not know, and keys of the other kind', () => {
    assert.deepEqual(
      definition({ command: 'x', type: 'stdio', headers: {}, oauth: { a: 1 }, timeouts: { later: 'x' } }),
      definition({ command: 'x' }),
    );
  });

  it('checks a known key of the other kind all the same', () => {
    assert.deepEqual(reasons({ command: 'x', headers: 5 }), ['headers']);
    assert.deepEqual(reasons({ url: 'https://example.com', args: 'x' }), ['args']);
  });

  it('refuses both targets, none, and persistent on a remote whatever it says', () => {
    assert.deepEqual(reasons({ command: 'x', url: 'https://example.com' }), ['url']);
    assert.deepEqual(reasons({}), ['']);
    assert.deepEqual(reasons({ url: 'https://example.com', persistent: false }), ['persistent']);
  });

  it('allows protocol by version', () => {
    const stdio = { command: 'x', protocol: 'auto' };
    const remote = { url: 'https://example.com', protocol: 'auto' };
    assert.deepEqual(
      (['none', 1, 2, 3] as const).map((version) => [reasons(stdio, version), reasons(remote, version)]),
      [
        [['protocol'], ['protocol']],
        [['protocol'], ['protocol']],
        [['protocol'], []],
        [[], []],
      ],
    );
  });

  it('lets sse speak legacy only', () => {
    const sse = { url: 'https://example.com', transport: 'sse' };
    assert.deepEqual(reasons({ ...sse, protocol: 'legacy' }), []);
    assert.equal(definition(sse).protocol, 'legacy');
    assert.deepEqual(reasons({ ...sse, protocol: '2026-07-28' }), ['protocol']);
  });

  it('finds a prototype key although the schema passes over it', () => {
    const env = JSON.parse('{"__proto__":"x"}') as JsonObject;
    assert.deepEqual(reasons({ command: 'x', env }), ['env.__proto__']);
    assert.deepEqual(reasons({ command: 'x', toolPolicies: env }), ['toolPolicies.__proto__']);
  });
});

describe('parseConfigFile', () => {
  it('never gives servers beside a fault', () => {
    const raw = { mcpServers: { good: { command: 'x' }, bad: { command: '' } } };
    assert.equal(parseConfigFile(raw, { version: 3, maxServers: 10, maxItems: 100 }).ok, false);
  });
});

describe('versionOf', () => {
  it('knows 1, 2, 3 and none', () => {
    assert.deepEqual(
      [
        {},
        { version: 1 },
        { version: 2 },
        { version: 3 },
        { version: 4 },
        { version: '3' },
        { version: null },
        { version: 0 },
      ].map(versionOf),
      [undefined, 1, 2, 3, 'unknown', 'unknown', 'unknown', 'unknown'],
    );
  });
});
