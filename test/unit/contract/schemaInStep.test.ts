// The schema that editors use and the reader that decides must agree; where only the reader can tell, the schema is the
// more tolerant one, never the stricter.
import assert from 'node:assert/strict';
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { AjvJsonSchemaValidator } from '@modelcontextprotocol/client/validators/ajv';
import fc from 'fast-check';
import { describe, it } from 'mocha';
import type { JsonValue } from '../../../src/contract/json.ts';
import { parseDocument } from '../../../src/core/config/configDocument.ts';
import { readConfigText } from '../../../src/core/config/readConfigText.ts';

const root = join(import.meta.dirname, '../../..');
const schema = JSON.parse(readFileSync(join(root, 'media/schemas/mcp.schema.json'), 'utf8')) as Record<string, unknown>;
// The validator at hand takes drafts by their own names only; nothing here differs between them.
const portable = Object.fromEntries(Object.entries(schema).filter(([key]) => key !== '$schema'));
const validate = new AjvJsonSchemaValidator().getValidator(portable);

function accepted(value: JsonValue): { schema: boolean; reader: boolean } {
  const reading = readConfigText(JSON.stringify(value), { file: 'f', scope: { kind: 'user' } });
  return { schema: validate(value).valid, reader: reading.kind === 'config' };
}

/** Faults that no schema can see, or that it could only see with patterns nobody could read. */
const readerOnly = new Set(['header-twice', 'input-twice', 'url-userinfo-variable', 'url-cleartext-variable-path']);

describe('the contributed schema', () => {
  for (const name of readdirSync(join(root, 'fixtures/configs/broken')).filter((file) => !file.includes('.problem.'))) {
    const document = parseDocument(readFileSync(join(root, 'fixtures/configs/broken', name), 'utf8'));
    if (document.kind !== 'document' || name.includes('utf')) continue;
    const visible = !readerOnly.has(name.replace('.json', ''));
    it(`${visible ? 'refuses' : 'tolerates'} ${name}`, () => {
      assert.equal(validate(document.value).valid, !visible);
    });
  }

  for (const name of readdirSync(join(root, 'fixtures/configs/good'))) {
    it(`accepts ${name}`, () => {
      const document = parseDocument(readFileSync(join(root, 'fixtures/configs/good', name), 'utf8'));
      assert.ok(document.kind === 'document');
      assert.deepEqual(validate(document.value).errorMessage, undefined);
    });
  }

  it('agrees with the reader on each field with each of many values', () => {
    for (const [field, values] of Object.entries(perField)) {
      for (const value of [...hostile, ...values]) {
        const base = field in remoteFields ? { url: 'https://example.com/' } : { command: 'x' };
        const entry = { ...base, ...(field === 'url' ? { command: undefined } : {}), [field]: value } as JsonValue;
        const { schema: bySchema, reader } = accepted({ version: 3, mcpServers: { a: entry } });
        assert.equal(bySchema, reader, `${field}: ${JSON.stringify(value)}`);
      }
    }
  });

  it('agrees with the reader on the rules at the top, each with each of many values', () => {
    const values = [...hostile, ...names('ask'), ...names('Ask'), { a: {} }, { a: names('ask')[0] }];
    for (const value of [...values, ...hostile.map((rules) => ({ a: rules })), ...names('ask').map((a) => ({ a }))]) {
      const file = { version: 3, mcpServers: {}, toolPolicies: value } as JsonValue;
      const { schema: bySchema, reader } = accepted(file);
      assert.equal(bySchema, reader, JSON.stringify(value));
    }
  });

  it('agrees with the reader on files made of good and bad parts', () => {
    let refused = 0;
    const files = fc.sample(anyFile, { seed: 7, numRuns: 600 });
    for (const file of files) {
      const { schema: bySchema, reader } = accepted(file);
      assert.equal(bySchema, reader, JSON.stringify(file));
      if (!reader) refused += 1;
    }
    // The comparison means something only while both kinds occur often.
    assert.ok(refused > 100 && refused < 500, `${refused} refused`);
  });
});

const hostile: readonly JsonValue[] = [
  null,
  true,
  0,
  1,
  -1,
  1.5,
  '',
  ' ',
  'x',
  '\u0000',
  'a\u0000',
  [],
  [1],
  ['x'],
  {},
  { x: 1 },
  { x: 'y' },
];
const numbers = [86_400_000, 86_400_001, 1e308, '1'];
const names = (value: string): readonly JsonValue[] =>
  [
    '__proto__',
    'constructor',
    'prototype',
    'a b',
    'a=b',
    'a:b',
    'a\n',
    'ä',
    '',
    '*',
    'x'.repeat(256),
    'x'.repeat(257),
  ].map((name) => JSON.parse(`{${JSON.stringify(name)}:${JSON.stringify(value)}}`) as JsonValue);
const remoteFields = { url: true, transport: true, headers: true, oauth: true };
const perField: Readonly<Record<string, readonly JsonValue[]>> = {
  ...{
    command: [],
    args: [['\u0000']],
    env: names('1'),
    envFile: [],
    cwd: [],
    persistent: [],
    isolation: ['shared', 'session'],
    roots: [],
  },
  url: [
    'https://example.com',
    'http://x/',
    'http://localhost',
    'http://127.0.0.1:1',
    'http://127.0.0.1.x/',
    'https://a@b/',
  ],
  transport: ['sse', 'streamable-http', 'auto', 'stdio'],
  headers: [...names('1'), { a: '\n' }, { a: '\u00ff' }, { a: '\u0100' }, { a: '\t' }],
  oauth: [
    { clientId: '' },
    { clientSecret: 1 },
    { scopes: [''] },
    { scopes: ['a'] },
    { metadataUrl: 'http://x/' },
    { redirect: '' },
  ],
  protocol: ['legacy', 'auto', '2026-07-28', '2025-11-25'],
  ...{ enabled: [], autostart: [], description: [] },
  toolPolicies: [...names('ask'), { a: 'Allow' }],
  timeouts: ['connect', 'list', 'call', 'request', 'stop', 'other'].flatMap((key) =>
    [...hostile, ...numbers].map((value) => ({ [key]: value })),
  ),
};

/** Mostly good values, now and then one of the bad ones. */
function mostly(good: readonly JsonValue[], bad: readonly JsonValue[]): fc.Arbitrary<JsonValue> {
  return fc.oneof(
    { weight: 30, arbitrary: fc.constantFrom(...good) },
    { weight: 1, arbitrary: fc.constantFrom(...bad) },
  );
}

const never = [null, 5, true, 'x', [], {}] as const;
const texts = mostly(['x', 'a b', '${env:A}', '$${x'], ['', ' ', '\u0000', 5, null, []]);
const words = (...good: readonly JsonValue[]): fc.Arbitrary<JsonValue> => mostly(good, never);
const milliseconds = mostly([1, 1000, 86_400_000], [0, -1, 1.5, 86_400_001, '1', null]);
const some = (shape: Record<string, fc.Arbitrary<JsonValue>>): fc.Arbitrary<JsonValue> =>
  fc.record(shape, { requiredKeys: [], noNullPrototype: true });

const urls = mostly(
  ['https://example.com/mcp', 'http://localhost:1/x', 'http://127.0.0.1', 'http://[::1]:2/', 'https://${env:HOST}/'],
  ['http://example.com', 'ftp://x', 'https://a@b/', 'https://exa mple', '', null, 1, 'https://x\\y'],
);
const common = {
  protocol: words('legacy', 'legacy', 'auto', '2026-07-28'),
  enabled: mostly([true, false], ['yes', null]),
  autostart: mostly([true, false], ['yes', null]),
  toolPolicies: mostly(
    [{}, { a: 'allow', '*': 'deny' }, { constructor: 'ask' }],
    [{ a: 'yes' }, { '': 'ask' }, [], 'ask'],
  ),
  timeouts: some({
    connect: milliseconds,
    list: milliseconds,
    call: milliseconds,
    request: milliseconds,
    stop: milliseconds,
  }),
  description: mostly(['', 'x'], [1, null]),
  unknown: fc.constantFrom<JsonValue>(...never),
};
const stdio = {
  args: mostly([[], ['a', '${userHome}']], [['\u0000'], [1], 'a', {}]),
  env: mostly([{}, { A: '', 'a.b-c': 'x' }], [{ 'A=B': '' }, { 'A B': '' }, { constructor: '' }, { A: 1 }, []]),
  envFile: texts,
  cwd: texts,
  isolation: words('shared', 'session'),
  roots: mostly([true, false], ['yes', null]),
};
const remote = {
  transport: mostly(['streamable-http', 'sse'], ['auto', 'http', null]),
  headers: mostly([{}, { 'X-A': 'b\t\u00ff' }], [{ 'X A': '' }, { X: '\n' }, { X: '\u2264' }, { prototype: '' }, []]),
  oauth: some({
    clientId: texts,
    clientSecret: texts,
    scopes: mostly([[], ['a']], [[1], 'a']),
    metadataUrl: mostly(['https://x/'], ['http://x/', 'x']),
    redirect: texts,
  }),
};
const entry = fc.oneof(
  {
    weight: 10,
    arbitrary: fc
      .tuple(some({ ...common, ...stdio, persistent: words(true, false) }), texts)
      .map(([rest, command]) => ({ ...(rest as object), command })),
  },
  {
    weight: 10,
    arbitrary: fc.tuple(some({ ...common, ...remote }), urls).map(([rest, url]) => ({ ...(rest as object), url })),
  },
  {
    weight: 1,
    arbitrary: some({ ...common, ...stdio, ...remote, command: texts, url: urls, persistent: words(true, false) }),
  },
  { weight: 1, arbitrary: fc.constantFrom<JsonValue>(...never) },
) as fc.Arbitrary<JsonValue>;
const ids = fc.oneof(
  { weight: 20, arbitrary: fc.constantFrom('a', 'b-c', '_d', 'x'.repeat(32)) },
  { weight: 1, arbitrary: fc.constantFrom('', 'a__b', 'constructor', 'a.b', 'x'.repeat(33)) },
);
const inputs = mostly(
  [[], [{ id: 'k', type: 'promptString', password: true }], [{ id: 'k', type: 'pickString', options: ['a'] }]],
  [
    {},
    null,
    [{ id: 'k' }],
    [{ id: 'k', type: 'command' }],
    [{ id: 'k', type: 'pickString' }],
    [{ id: 'a b', type: 'promptString' }],
  ],
);
const anyFile = fc
  .tuple(
    fc.record(
      {
        version: mostly([1, 2, 3, 3, 3, 3, 3], [0, 4, '3', null]),
        inputs,
        toolPolicies: mostly(
          [{}, { a: { '*': 'ask' } }, { 'b-c': { constructor: 'deny' } }],
          [[], null, { 'a.b': {} }, { constructor: {} }, { a: 'ask' }, { a: { x: 'yes' } }, { a: { '': 'ask' } }],
        ),
        $extra: fc.constantFrom<JsonValue>(...never),
      },
      { requiredKeys: [], noNullPrototype: true },
    ),
    fc.oneof(
      { weight: 30, arbitrary: fc.dictionary(ids, entry, { maxKeys: 2, noNullPrototype: true }) },
      { weight: 1, arbitrary: fc.constantFrom<JsonValue>(null, [], 'x') },
    ),
  )
  .map(([head, mcpServers]) => ({ ...head, mcpServers })) as fc.Arbitrary<JsonValue>;
