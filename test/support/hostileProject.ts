// Texts of a project's configuration file as an attacker, a broken tool or a careless person leaves them: entries that
// would run, ask or expand at once if they were let, in every layout and encoding. All of it as bytes.
import fc from 'fast-check';
import { jsonPieces } from './jsonPieces.ts';

/** What the entries try to reach: each leaves a trace where it is reached. */
export interface Lures {
  /** A program that writes a file when it runs. */
  readonly program: string;
  /** An HTTP server that counts its connections. */
  readonly origin: string;
}

export function hostileBytes(lures: Lures): fc.Arbitrary<Uint8Array> {
  const text = fc.oneof(
    { weight: 12, arbitrary: documents(lures).map((value) => JSON.stringify(value)) },
    { weight: 4, arbitrary: mutated(documents(lures).map((value) => JSON.stringify(value, undefined, 2))) },
    { weight: 1, arbitrary: twice(lures) },
    { weight: 1, arbitrary: deep(lures) },
    { weight: 1, arbitrary: fc.array(fc.constantFrom(...tokens), { maxLength: 40 }).map((pieces) => pieces.join('')) },
    { weight: 1, arbitrary: fc.string({ unit: 'binary', maxLength: 60 }) },
  );
  return fc.tuple(text, encoding).map(([written, encode]) => encode(written));
}

/** `${env:…}` and all else that expands, or looks as if it did. */
const variables = [
  ...['${env:LURE}', '${env:PATH}', '${env:HOME}', '${env:NONE:-x}', '${env:LURE:-${env:LURE}}', '${env:__proto__}'],
  ...['${input:i}', '${secret:s}', '${input:__proto__}', '${workspaceFolder}', '${userHome}', '$${env:LURE}'],
  ...[
    '${command:x}',
    '${cmd: touch x}',
    '$(touch x)',
    '`touch x`',
    '${env:',
    '${',
    '$',
    '${env:LURE',
    '%LURE%',
    '$LURE',
  ],
];
const texts = fc.oneof(
  { weight: 5, arbitrary: fc.constantFrom(...variables) },
  { weight: 2, arbitrary: fc.constantFrom(' ', 'x', '-c', '../..', '/', '\u202E', '\uD800', 'a\nb', '\u{E0041}') },
  { weight: 1, arbitrary: fc.array(fc.constantFrom(...variables, 'x'), { maxLength: 4 }).map((all) => all.join('')) },
);
const names = fc.constantFrom(
  ...['A', 'B', 'LURE', 'PATH', 'Path', 'LD_PRELOAD', 'NODE_OPTIONS', 'node_options', 'npm_config_x', 'BASH_ENV'],
  ...['toString', 'é'],
);
const ids = fc.constantFrom('a', 'b', 'server-1', 'X_Y', 'toString');
const badNames = fc.constantFrom(
  ...['__proto__', 'constructor', 'prototype', '', 'a__b', 'a b', 'a=b', 'é', 'x'.repeat(33), '\u0000'],
);
const odd: fc.Arbitrary<unknown> = fc.constantFrom(
  null,
  true,
  0,
  -1,
  1e308,
  '',
  [],
  {},
  [[]],
  { a: null },
  [null],
  'x',
);
const dictionary = (value: fc.Arbitrary<unknown>): fc.Arbitrary<Record<string, unknown>> =>
  fc.array(fc.tuple(names, value), { maxLength: 3 }).map(ownKeys);

/** Entries that a reader takes, whatever they are after. */
function entries({ program, origin }: Lures): fc.Arbitrary<Record<string, unknown>> {
  const common = {
    autostart: fc.constantFrom(true, true, true, false),
    enabled: fc.constantFrom(true, true, true, true, true, false),
    toolPolicies: fc.constantFrom({ '*': 'allow' }, { '*': 'deny', toString: 'ask' }),
    timeouts: fc.constantFrom({ connect: 1 }, { call: 3_600_000 }),
    description: texts,
    unknown: fc.anything({ maxDepth: 2 }).map((value) => JSON.parse(JSON.stringify([value] as unknown)) as unknown),
  };
  const stdio = fc.record(
    {
      command: fc.constantFrom(program, program, program, '${env:LURE}', './program', '/bin/sh', '${secret:s}'),
      ...{ args: fc.array(texts, { maxLength: 3 }), env: dictionary(texts), envFile: texts, cwd: texts },
      ...{ persistent: fc.boolean(), isolation: fc.constantFrom('shared', 'session') },
      ...common,
    },
    { requiredKeys: ['command', 'autostart'] },
  );
  const remote = fc.record(
    {
      url: fc.constantFrom(`${origin}/mcp`, `${origin}/\${env:LURE}`, `${origin}/?t=\${secret:s}`, '${env:URL}'),
      headers: fc
        .array(fc.constantFrom('X-A', 'Cookie', 'toString'))
        .map((all) => ownKeys(all.map((name) => [name, '${env:LURE}']))),
      transport: fc.constantFrom('sse', 'streamable-http'),
      oauth: fc.constantFrom({ clientId: '${env:LURE}' }, { clientSecret: '${env:LURE}' }),
      ...common,
    },
    { requiredKeys: ['url', 'autostart'] },
  );
  const fewKeys = fc.constantFrom<readonly string[]>(['cwd', 'envFile', 'oauth'], []);
  return fc
    .tuple(fc.oneof({ weight: 2, arbitrary: stdio }, { weight: 1, arbitrary: remote }), fewKeys)
    .map(([entry, without]) => Object.fromEntries(Object.entries(entry).filter(([name]) => !without.includes(name))));
}

function documents(lures: Lures): fc.Arbitrary<unknown> {
  const servers = fc.array(fc.tuple(ids, entries(lures)), { minLength: 1, maxLength: 4 }).map(ownKeys);
  const inputs = fc.constant([{ id: 'i', type: 'promptString', password: true, default: '${env:LURE}' }]);
  const good = fc.record(
    { version: fc.constant(3), mcpServers: servers, inputs },
    { requiredKeys: ['version', 'mcpServers'] },
  );
  return fc.oneof(
    { weight: 6, arbitrary: good },
    { weight: 3, arbitrary: fc.tuple(good, spoiling(lures)).map(([document, spoil]) => spoil(document)) },
  );
}

/** One thing that no reader may take, or that readers take differently. */
function spoiling({ program, origin }: Lures): fc.Arbitrary<(good: { readonly mcpServers: object }) => unknown> {
  const run = { command: program, autostart: true };
  const withEntry = (id: string, entry: unknown) => (good: { readonly mcpServers: object }) => {
    const servers = { ...good.mcpServers };
    Object.defineProperty(servers, id, { value: entry, enumerable: true });
    return { ...good, mcpServers: servers };
  };
  const url = fc.constantFrom(
    'http://169.254.169.254/',
    'file:///etc/passwd',
    'https://u:p@h.invalid/',
    `${origin}@h.invalid/`,
    '',
  );
  const field = fc.tuple(
    fc.constantFrom(
      'command',
      'args',
      'env',
      'envFile',
      'cwd',
      'enabled',
      'autostart',
      'toolPolicies',
      'timeouts',
      'protocol',
    ),
    odd,
  );
  return fc.oneof(
    fc.constantFrom<unknown>(1, 2, 4, '3', null, {}).map((version) => (good: object) => ({ ...good, version })),
    badNames.map((id) => withEntry(id, run)),
    badNames.map((name) => withEntry('bad', { ...run, env: ownKeys([[name, 'x']]) })),
    odd.map((entry) => withEntry('bad', entry)),
    url.map((value) => withEntry('bad', { url: value, autostart: true })),
    field.map(([name, value]) => withEntry('bad', { ...run, [name]: value })),
    odd.map((inputs) => (good: object) => ({ ...good, inputs })),
    fc.constant(({ mcpServers }: { readonly mcpServers: object }) => mcpServers),
    fc.constant(({ mcpServers }: { readonly mcpServers: object }) => ({
      servers: mcpServers,
      mcp: { servers: mcpServers },
    })),
    odd.map((value) => () => value),
  );
}

/** One key twice: readers differ in which one they take. */
function twice(lures: Lures): fc.Arbitrary<string> {
  return fc
    .tuple(entries(lures), entries(lures))
    .map((both) => `{"version":3,"mcpServers":{${both.map((entry) => `"a":${JSON.stringify(entry)}`).join(',')}}}`);
}

function deep({ program }: Lures): fc.Arbitrary<string> {
  return fc
    .tuple(fc.constantFrom(10, 100, 1_000, 5_000), fc.constantFrom(...nests), fc.boolean())
    .map(([depth, [open, close], whole]) => {
      const nest = `${open.repeat(depth)}1${whole ? close.repeat(depth) : ''}`;
      return `{"version":3,"mcpServers":{"a":{"command":${JSON.stringify(program)},"autostart":true,"x":${nest}}}}`;
    });
}

const nests = [
  ['[', ']'],
  ['{"a":', '}'],
  ['{"__proto__":', '}'],
] as const;

const tokens = [
  ...jsonPieces,
  ...['\\u0000', '\t', ' '],
  ...[
    'null',
    'true',
    '1e999',
    '-',
    '"version"',
    '3',
    '"mcpServers"',
    '"a"',
    '"command"',
    '"url"',
    '"env"',
    '"__proto__"',
  ],
  ...['"${env:LURE}"', '"autostart":true', "'", '#', '<', '&'],
];

/** A good text with pieces taken out, put in, doubled or cut off. */
function mutated(good: fc.Arbitrary<string>): fc.Arbitrary<string> {
  const step = fc.record({
    kind: fc.nat(4),
    where: fc.double({ min: 0, max: 1, noNaN: true }),
    length: fc.nat(30),
    piece: fc.constantFrom(...tokens),
  });
  return fc.tuple(good, fc.array(step, { minLength: 1, maxLength: 4 })).map(([text, steps]) =>
    steps.reduce((now, { kind, where, length, piece }) => {
      const at = Math.floor(where * now.length);
      const [head, middle, tail] = [now.slice(0, at), now.slice(at, at + length), now.slice(at + length)];
      return (
        [head + tail, head + piece + middle + tail, head + middle + middle + tail, head + piece + tail, head][kind] ??
        now
      );
    }, text),
  );
}

/** Keys are the object's own, `__proto__` too. */
function ownKeys(pairs: readonly (readonly [string, unknown])[]): Record<string, unknown> {
  const result: Record<string, unknown> = {};
  for (const [name, value] of pairs)
    Object.defineProperty(result, name, { value, enumerable: true, configurable: true, writable: true });
  return result;
}

const utf8 = (text: string): Uint8Array => Buffer.from(text, 'utf8');
const encoding: fc.Arbitrary<(text: string) => Uint8Array> = fc.oneof(
  { weight: 20, arbitrary: fc.constant(utf8) },
  {
    weight: 4,
    arbitrary: fc.constantFrom(
      (text: string) => utf8(`\uFEFF${text}`),
      (text: string) => utf8(text.replaceAll('\n', '\r\n')),
      (text: string) => utf8(`// ${text.replaceAll(/[\r\n]/g, ' ')}\n${text}`),
      (text: string) => utf8(`${text}\0`),
      (text: string) => Buffer.from(`\uFEFF${text}`, 'utf16le'),
      (text: string) => Buffer.from(`\uFEFF${text}`, 'utf16le').swap16(),
      (text: string) => Buffer.from(text, 'latin1'),
      (text: string) => Buffer.concat([utf8(text), Buffer.from([0xc3, 0x28, 0xff])]),
      (text: string) => Buffer.concat([Buffer.from([0xc0, 0xaf]), utf8(text)]),
      (text: string) => utf8(text + ' '.repeat(100_000)),
    ),
  },
);
