import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import fc from 'fast-check';
import { describe, it } from 'mocha';
import type { JsonObject, JsonValue } from '../../../../src/contract/json.ts';
import type { EntryEdit } from '../../../../src/core/agents/clientFile.ts';
import { editText, entryIn, parseText, sameValue, withEdit } from '../../../../src/core/agents/clientText.ts';
import type { FileFormat } from '../../../../src/core/agents/clients.ts';
import { NotEditable } from '../../../../src/core/agents/parsedText.ts';
import { hunkBetween, takeBack } from '../../../../src/core/agents/textHunk.ts';

const fixtures = new URL('../../../../fixtures/agents/', import.meta.url);
const files: readonly { readonly name: string; readonly format: FileFormat; readonly keyPath: readonly string[] }[] = [
  { name: 'claude.json', format: 'json', keyPath: ['mcpServers'] },
  { name: 'claude_desktop_config.json', format: 'json', keyPath: ['mcpServers'] },
  { name: 'cursor_mcp.json', format: 'json', keyPath: ['mcpServers'] },
  { name: 'windsurf_mcp_config.json', format: 'json', keyPath: ['mcpServers'] },
  { name: 'codex_config.toml', format: 'toml', keyPath: ['mcp_servers'] },
  { name: 'gemini_settings.json', format: 'jsonc', keyPath: ['mcpServers'] },
  { name: 'zed_settings.json', format: 'jsonc', keyPath: ['context_servers'] },
  { name: 'cline_mcp_settings.json', format: 'json', keyPath: ['mcpServers'] },
  { name: 'opencode.jsonc', format: 'jsonc', keyPath: ['mcp'] },
];

describe('the text of a client’s file', () => {
  for (const { name, format, keyPath } of files) {
    it(`gets an entry and loses it again in ${name}, and nothing else changes by a byte`, () => {
      const text = readFileSync(new URL(name, fixtures), 'utf8');
      for (const variant of variants(text)) {
        const added = editText(format, variant, keyPath, set('roundhouse', { command: '/bin/x', args: ['proxy'] }));
        assertOnlyInserted(variant, added);
        assert.equal(added.includes('\r\n') && /[^\r]\n/.test(added), false, 'line ends stay of one kind');
        const removed = editText(format, added, keyPath, { kind: 'remove', name: 'roundhouse' });
        // A list on one line gets a space, and a comma before a comment stays; taken back as it was put there, nothing does.
        assert.equal(compact(removed), compact(variant));
        assert.deepEqual(takeBack(added, hunkBetween(variant, added)), [variant]);
      }
    });
  }

  it('reads an empty file and one of white space as one without entries, and writes a whole one', () => {
    for (const text of ['', '\n', '\uFEFF', ' \r\n']) {
      const after = editText('json', text, ['mcpServers'], set('a', { command: 'x' }));
      assert.deepEqual(plain(valueOf('json', after)), { mcpServers: { a: { command: 'x' } } });
      assert.equal(after.startsWith('\uFEFF'), text.startsWith('\uFEFF'));
    }
    assert.equal(editText('toml', '', ['mcp_servers'], set('a', { command: 'x' })), '[mcp_servers.a]\ncommand = "x"\n');
  });

  it('replaces an entry in its place', () => {
    const toml = '[mcp_servers.a]\ncommand = "old" # why\n\n[mcp_servers.a.env]\nX = "1"\n\n[tui]\nx = 1\n';
    const after = editText('toml', toml, ['mcp_servers'], set('a', { command: 'new', env: { Y: '2' } }));
    assert.equal(after.startsWith('[mcp_servers.a]\ncommand = "new"\n'), true, after);
    assert.equal(after.includes('[tui]\nx = 1\n'), true);
    const json = '{"mcpServers":{"a":{"command":"old"},"b":{}}}';
    const edited = editText('json', json, ['mcpServers'], set('a', { command: 'new' }));
    assert.deepEqual(plain(valueOf('json', edited)), { mcpServers: { a: { command: 'new' }, b: {} } });
  });

  const tomlForms = {
    'tables of its own': '[mcp_servers.a]\ncommand = "x"\n[mcp_servers.a.env]\nK = "v"\n',
    'an inline table': 'mcp_servers = { a = { command = "x", env = { K = "v" } } }\n',
    'an inline table in a table': '[mcp_servers]\na = { command = "x", env = { K = "v" } }\nb = { command = "y" }\n',
    'dotted keys': 'mcp_servers.a.command = "x"\nmcp_servers.a.env.K = "v"\nother = 1\n',
    'dotted keys in a table': '[mcp_servers]\na.command = "x"\na.env = { K = "v" }\n',
    'quoted keys': '["mcp_servers"."a"]\n"command" = \'x\'\n\'env\' = { "K" = """v""" }\n',
  };
  for (const [form, text] of Object.entries(tomlForms)) {
    it(`edits a server that Codex’s file has as ${form}`, () => {
      assert.deepEqual(plain(entry('toml', text, ['mcp_servers'], 'a')), { command: 'x', env: { K: 'v' } });
      const removed = editText('toml', text, ['mcp_servers'], { kind: 'remove', name: 'a' });
      assert.equal(entry('toml', removed, ['mcp_servers'], 'a'), undefined);
      const other = editText('toml', text, ['mcp_servers'], set('new', { command: 'z', args: ['1'] }));
      assert.deepEqual(plain(entry('toml', other, ['mcp_servers'], 'new')), { command: 'z', args: ['1'] });
      const replaced = editText('toml', text, ['mcp_servers'], set('a', { command: 'z' }));
      assert.deepEqual(plain(entry('toml', replaced, ['mcp_servers'], 'a')), { command: 'z' });
    });
  }

  for (const form of ['tables of its own', 'an inline table', 'an inline table in a table'] as const) {
    it(`turns one server off, and on again, in ${form}`, () => {
      const text = tomlForms[form];
      const off = editText('toml', text, ['mcp_servers'], field('a', 'enabled', false));
      assert.equal(entry('toml', off, ['mcp_servers'], 'a')?.['enabled'], false);
      const on = editText('toml', off, ['mcp_servers'], field('a', 'enabled', true));
      assert.equal(entry('toml', on, ['mcp_servers'], 'a')?.['enabled'], true);
      const without = editText('toml', off, ['mcp_servers'], field('a', 'enabled', undefined));
      assert.equal(without.replace(/, *\}/g, ' }'), text);
    });
  }

  it('says what is malformed, with its place', () => {
    const cases: readonly (readonly [FileFormat, string])[] = [
      ['json', '{"mcpServers": {'],
      ['json', '[]'],
      ['json', '{"a":1,"a":2}'],
      ['toml', 'a = \n'],
      ['toml', '[a]\n[a]\n'],
      ['yaml', 'a: [1'],
      ['yaml', 'just text'],
    ];
    for (const [format, text] of cases) {
      const parsed = parseText(format, text);
      assert.equal(parsed.kind, 'malformed', text);
      assert.equal(parsed.detail !== '' && !parsed.detail.includes('\n'), true);
      assert.equal(parsed.offset >= 0 && parsed.offset <= text.length, true);
    }
  });

  it('refuses what it would have to destroy', () => {
    const cases: readonly (readonly [FileFormat, string])[] = [
      ['json', '{"mcpServers": []}'],
      ['json', '{"mcpServers": "x"}'],
      ['toml', 'mcp_servers = 1\n'],
      ['toml', '[[mcp_servers]]\na = 1\n'],
      ['yaml', 'mcpServers: []\n'],
    ];
    for (const [format, text] of cases) {
      const keyPath = format === 'toml' ? ['mcp_servers'] : ['mcpServers'];
      assert.throws(() => editText(format, text, keyPath, set('a', { command: 'x' })), NotEditable, text);
    }
  });

  it('lets no key of a file reach a prototype, and ends on what is hostile', () => {
    const json = parseText('json', '{"mcpServers":{"__proto__":{"polluted":1},"constructor":{"prototype":{"x":1}}}}');
    const toml = parseText(
      'toml',
      '[__proto__]\npolluted = 1\n[mcp_servers.__proto__]\npolluted = 1\n[constructor.prototype]\npolluted = 1\n',
    );
    const yaml = parseText('yaml', '__proto__:\n  polluted: 1\nmcpServers:\n  - name: __proto__\n    polluted: 1\n');
    for (const parsed of [json, toml, yaml]) assert.equal(parsed.kind, 'parsed');
    assert.equal(({} as Record<string, unknown>)['polluted'], undefined);
    for (const [format, text] of [
      ['json', '['.repeat(100_000)],
      ['json', '{"a":'.repeat(50_000)],
      ['toml', `a = ${'['.repeat(10_000)}`],
      ['yaml', '['.repeat(20_000)],
      ['yaml', '['.repeat(500_000)],
      ['yaml', '- '.repeat(20_000)],
      ['yaml', Array.from({ length: 300 }, (_, depth) => `${' '.repeat(depth)}a:\n`).join('')],
      ['toml', `${'a.'.repeat(10_000)}b = 1`],
      ['toml', `a = ${'['.repeat(10_000)}${']'.repeat(10_000)}`],
      [
        'yaml',
        'a: &a [x,x,x,x,x,x,x,x,x]\nb: &b [*a,*a,*a,*a,*a,*a,*a]\nc: &c [*b,*b,*b,*b,*b,*b]\nd: [*c,*c,*c,*c,*c]\n',
      ],
    ] as const) {
      assert.equal(parseText(format, text).kind, 'malformed', format);
    }
  });

  it('edits any JSON file by the bytes of its entry alone, with comments, tabs and all line ends', () => {
    fc.assert(
      fc.property(jsonFile(), entryName(), entryValue(), (text, name, value) => {
        const before = valueOf('jsonc', text);
        const after = editText('jsonc', text, ['mcpServers'], set(name, value));
        assert.equal(sameValue(valueOf('jsonc', after), withEdit(before, ['mcpServers'], set(name, value))), true);
        if (entry('jsonc', text, ['mcpServers'], name) !== undefined) return;
        for (const comment of text.match(/\/\*\d+\*\//g) ?? []) assert.equal(after.includes(comment), true);
        const removed = editText('jsonc', after, ['mcpServers'], { kind: 'remove', name });
        assert.equal(removed.replace(/\s/g, ''), withContainer(text).replace(/\s/g, ''));
      }),
      { numRuns: 500, seed: 8 },
    );
  });

  it('edits any file of Codex by the bytes of its entry alone', () => {
    fc.assert(
      fc.property(tomlFile(), entryName(), entryValue(), (text, name, value) => {
        const before = valueOf('toml', text);
        const after = editText('toml', text, ['mcp_servers'], set(name, value));
        assert.equal(sameValue(valueOf('toml', after), withEdit(before, ['mcp_servers'], set(name, value))), true);
        if (entry('toml', text, ['mcp_servers'], name) !== undefined) return;
        assertOnlyInserted(text, after);
      }),
      { numRuns: 500, seed: 8 },
    );
  });
});

function set(name: string, value: JsonObject): EntryEdit {
  return { kind: 'set', name, value };
}

function field(name: string, key: string, value: boolean | undefined): EntryEdit {
  return { kind: 'setField', name, field: key, value };
}

function valueOf(format: FileFormat, text: string): JsonObject {
  const parsed = parseText(format, text);
  assert.equal(parsed.kind, 'parsed', JSON.stringify(parsed));
  return parsed.value;
}

function entry(format: FileFormat, text: string, keyPath: readonly string[], name: string): JsonObject | undefined {
  const parsed = parseText(format, text);
  assert.equal(parsed.kind, 'parsed', text);
  return entryIn(parsed, keyPath, name)?.raw;
}

/** With ordinary prototypes, for a comparison. */
function plain(value: JsonValue | undefined): unknown {
  return value === undefined ? undefined : JSON.parse(JSON.stringify(value));
}

/** The text itself, with a byte order mark, and with the other line ends. */
function variants(text: string): readonly string[] {
  const unix = text.replaceAll('\r\n', '\n');
  return [text, `\uFEFF${text}`, unix, unix.replaceAll('\n', '\r\n')];
}

/** `after` is `before` with something more in it, in two places at most: the entry, and a comma before it. */
function assertOnlyInserted(before: string, after: string): void {
  const { at, removed, inserted } = hunkBetween(before, after);
  assert.equal(removed.length < 200 && inserted.length > removed.length, true, `${before}\n---\n${after}`);
  let from = 0;
  for (const character of Array.from(removed)) {
    from = inserted.indexOf(character, from) + 1;
    assert.notEqual(
      from,
      0,
      `something at ${at} is lost:
${after}`,
    );
  }
}

function compact(text: string): string {
  return text.replace(/ (?=[}\]])|,(?=\s*(?:\/\/[^\r\n]*\s*)?[}\]])/g, '');
}

/** As it is, with the object that the edit made on the way where the file had none. */
function withContainer(text: string): string {
  return 'mcpServers' in valueOf('jsonc', text)
    ? text
    : editText('jsonc', editText('jsonc', text, ['mcpServers'], set('x', {})), ['mcpServers'], {
        kind: 'remove',
        name: 'x',
      });
}

function entryName(): fc.Arbitrary<string> {
  return fc.constantFrom('roundhouse', 'a b', 'quote"d', 'dotted.name', 'ünïcode', 'first');
}

function entryValue(): fc.Arbitrary<JsonObject> {
  return fc.record(
    {
      command: fc.string({ unit: 'grapheme' }).filter((text) => !/[\ud800-\udfff]/u.test(text)),
      args: fc.array(fc.string()),
      env: fc.dictionary(fc.stringMatching(/^[A-Z_]{1,8}$/), fc.string()),
      enabled: fc.boolean(),
      timeout: fc.nat(),
    },
    { requiredKeys: ['command'] },
  );
}

function jsonFile(): fc.Arbitrary<string> {
  const gap = fc.constantFrom('', ' ', '\t', '\n', '\r\n', '\n  ', ' /*1*/ ', '\n/*22*/\n', ' // x\n');
  const servers = fc
    .tuple(gap, fc.constantFrom('', '"first": {"command": "x"}', '"first": {}, "second": {"url": "y"}'), gap)
    .map(([before, inner, after]) => `{${before}${inner}${after}}`);
  const rest = fc.constantFrom(undefined, '"theme": "dark"', '"n": [1, 2]');
  return fc
    .tuple(fc.boolean(), gap, rest, fc.option(servers, { nil: undefined }), gap, fc.boolean(), gap)
    .map(([mark, a, other, inner, b, trailing, c]) => {
      const parts = [other, inner === undefined ? undefined : `"mcpServers":${b}${inner}`].filter(
        (part) => part !== undefined,
      );
      const comma = trailing && parts.length > 0 ? ',' : '';
      return `${mark ? '\uFEFF' : ''}${a}{${b}${parts.join(`,${a}`)}${comma}${c}}${a}`;
    });
}

function tomlFile(): fc.Arbitrary<string> {
  const block = fc.constantFrom(
    'top = 1',
    '# a comment',
    '',
    'model = "x" # why',
    'list = [\n  1, # one\n  2,\n]',
    'text = """\n[mcp_servers.fake]\n"""',
  );
  const table = fc.constantFrom(
    '[tui]\nx = true',
    '[mcp_servers.first]\ncommand = "x"\n# inside\nargs = []',
    '[mcp_servers.first.env]\nK = "v"',
    '[[hooks]]\nname = "a"',
    "[projects.'/a b']\ntrust = 'yes'",
    '# between\n\n',
  );
  return fc
    .tuple(
      fc.boolean(),
      fc.uniqueArray(block, { selector: (text) => text.split('=')[0] }),
      fc.uniqueArray(table, { selector: (text) => text }),
      fc.boolean(),
      fc.boolean(),
    )
    .map(([mark, blocks, tables, crlf, ended]) => {
      const text = [...blocks, ...tables].join('\n') + (ended ? '\n' : '');
      return (mark ? '\uFEFF' : '') + (crlf ? text.replaceAll('\n', '\r\n') : text);
    });
}
