import assert from 'node:assert/strict';
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import fc from 'fast-check';
import { parse, type ParseError } from 'jsonc-parser';
import { describe, it } from 'mocha';
import { isJsonObject, type JsonObject, type JsonValue } from '../../src/contract/json.ts';
import { parseDocument } from '../../src/core/config/configDocument.ts';
import { editConfigText } from '../../src/core/config/editConfigText.ts';
import { readConfigText } from '../../src/core/config/readConfigText.ts';
import { commentedJson } from '../support/commentedJson.ts';
import { jsonPieces } from '../support/jsonPieces.ts';

const seed = 20261129;
const folder = join(import.meta.dirname, '../../fixtures/configs');
const samples = ['good', 'broken'].flatMap((kind) =>
  readdirSync(join(folder, kind))
    .filter((name) => !name.includes('.problem.'))
    .map((name) => readFileSync(join(folder, kind, name), 'utf8')),
);

describe('configuration texts of any kind', () => {
  it('never make reading throw, yield nothing for an error, or allow what nobody wrote (10,000 texts) [CFG-5a, CFG-5b]', () => {
    const counts = { config: 0, refused: 0 };
    fc.assert(
      fc.property(anyText, (text) => {
        const reading = readConfigText(text, { file: '/f', scope: { kind: 'user' } });
        counts[reading.kind] += 1;
        if (reading.kind === 'refused') {
          for (const { position, file, code } of reading.problems) {
            assert.ok(position !== undefined && position.line >= 1 && position.column >= 1);
            assert.ok(position.line <= text.split(/\r\n|\r|\n/).length && position.column <= text.length + 1);
            assert.ok(file === '/f' && code.startsWith('config'));
          }
          return;
        }
        // What another reader of the same text sees is what was read: every server, every policy, nothing more.
        const entries = serversOf(text);
        assert.deepEqual(reading.servers.map((server) => server.id).sort(), Object.keys(entries).sort());
        for (const { id, definition } of reading.servers) {
          const entry = entries[id] as JsonObject;
          assert.deepEqual({ ...definition.toolPolicies }, entry['toolPolicies'] ?? {});
          assert.equal(definition.enabled, entry['enabled'] ?? true);
          assert.equal(definition.protocol, entry['protocol'] ?? 'legacy');
        }
      }),
      { seed, numRuns: 10_000 },
    );
    assert.ok(counts.config > 500 && counts.refused > 3_000, JSON.stringify(counts));
  });

  it('get the wanted value by an edit and keep every comment outside of it, whatever the layout [CFG-8b]', () => {
    const leaf = fc.oneof(
      fc.integer({ min: 0, max: 9 }),
      fc.constantFrom('x', 'a // b', '/* c */', ',}'),
      fc.boolean(),
    );
    const key = fc.constantFrom('a', 'b', 'c', 'd');
    const inner = fc.dictionary(key, fc.oneof(leaf, fc.array(leaf, { maxLength: 2 })), {
      maxKeys: 3,
      noNullPrototype: true,
    });
    const document = fc.dictionary(key, fc.oneof(leaf, inner), { maxKeys: 4, noNullPrototype: true });
    const wanted = fc.oneof(leaf, inner, fc.constant(undefined));
    const path = fc.oneof(fc.tuple(key), fc.tuple(key, key));
    fc.assert(
      fc.property(
        document,
        path,
        wanted,
        fc.array(fc.nat(6), { minLength: 20, maxLength: 60 }),
        (before, at, value, choices) => {
          if (at.length === 2 && at[0] in before && typeof before[at[0]] !== 'object') return;
          let chosen = 0;
          const text = commentedJson(before, (count) => (choices[chosen++ % choices.length] ?? 0) % count);
          const edited = editConfigText(text, [{ path: at, value }]);
          const parsed = parseDocument(edited);
          assert.ok(parsed.kind === 'document', `${text}\n---\n${edited}`);
          assert.deepEqual(plain(parsed.value), expectedValue(before, at, value), `${text}\n---\n${edited}`);
          const touched = at.reduce<JsonValue | undefined>(
            (part, name) => (part as JsonObject | undefined)?.[name],
            before,
          );
          if (touched === undefined) assert.deepEqual(commentsOf(edited), commentsOf(text), `${text}\n---\n${edited}`);
          else assertOutsideKept(text, edited, at);
        },
      ),
      { seed, numRuns: 4_000 },
    );
  });
});

const inserted = fc.constantFrom(
  ...jsonPieces,
  ...['null', '1e999', '-'],
  ...[
    '"__proto__":',
    '"constructor":',
    '"toolPolicies":{"*":"deny"},',
    '"version":1,',
    '"version":9,',
    '"url":"http://x",',
  ],
);
/** A sample with a few places cut, doubled, swapped or filled. */
const mutated = fc
  .tuple(
    fc.constantFrom(...samples),
    fc.array(fc.tuple(fc.double({ min: 0, max: 1, noNaN: true }), fc.nat(3), fc.nat(12), inserted), {
      minLength: 1,
      maxLength: 4,
    }),
  )
  .map(([text, changes]) =>
    changes.reduce((current, [where, kind, length, piece]) => {
      const at = Math.floor(where * current.length);
      const [before, middle, after] = [
        current.slice(0, at),
        current.slice(at, at + length),
        current.slice(at + length),
      ];
      if (kind === 0) return before + after;
      if (kind === 1) return before + piece + middle + after;
      if (kind === 2) return before + middle + middle + after;
      return before + piece + after;
    }, text),
  );
const word = fc.constantFrom(
  'command',
  'url',
  'env',
  'args',
  'toolPolicies',
  'version',
  'mcpServers',
  '__proto__',
  'allow',
  'a',
  '',
);
const shaped = fc
  .record(
    {
      version: fc.constantFrom<JsonValue>(1, 2, 3, 3, 3, 4, null),
      mcpServers: fc.dictionary(
        fc.oneof(fc.string({ maxLength: 34 }), fc.constantFrom('a', 'b-1')),
        fc.record(
          {
            command: fc.oneof(fc.string(), fc.constant('x')),
            args: fc.array(fc.string()),
            env: fc.dictionary(fc.string(), fc.string()),
            toolPolicies: fc.dictionary(fc.string(), fc.constantFrom('allow', 'ask', 'deny', 'deny', 'no')),
            enabled: fc.boolean(),
            protocol: fc.constantFrom('legacy', 'auto'),
          },
          { requiredKeys: ['command'] },
        ),
        { maxKeys: 3 },
      ),
    },
    { requiredKeys: ['mcpServers'] },
  )
  .map((value) => JSON.stringify(value));
const nested = fc.letrec((tie) => ({
  value: fc.oneof(
    { maxDepth: 5 },
    word,
    fc.double(),
    fc.constant(null),
    fc.array(tie('value'), { maxLength: 3 }),
    fc.dictionary(word, tie('value'), { maxKeys: 3 }),
  ),
})).value;
const anyText = fc.oneof(
  { weight: 5, arbitrary: mutated },
  { weight: 3, arbitrary: shaped },
  { weight: 1, arbitrary: nested.map((value) => JSON.stringify(value)) },
  { weight: 1, arbitrary: fc.string({ unit: 'binary', maxLength: 80 }) },
  { weight: 1, arbitrary: fc.array(inserted, { maxLength: 30 }).map((pieces) => pieces.join('')) },
);

function serversOf(text: string): JsonObject {
  const errors: ParseError[] = [];
  const value = parse(text.replace(/^\uFEFF/, ' '), errors, { allowTrailingComma: true }) as JsonObject;
  assert.deepEqual(errors, []);
  const servers = value['mcpServers'];
  assert.ok(isJsonObject(servers));
  return servers;
}

/** Comments that stand outside the edited value's own text are all there, in order. */
function assertOutsideKept(before: string, after: string, path: readonly string[]): void {
  const document = parseDocument(before);
  assert.ok(document.kind === 'document');
  let node = document.root;
  for (const name of path) node = node.children!.find((item) => item.children![0]!.value === name)!.children![1]!;
  const property = node.parent!;
  const outside = commentsOf(before.slice(0, property.offset)).concat(
    commentsOf(before.slice(property.offset + property.length)),
  );
  const kept = new Set(commentsOf(after));
  assert.deepEqual(
    outside.filter((comment) => !kept.has(comment)),
    [],
    `${before}\n---\n${after}`,
  );
}

function commentsOf(text: string): string[] {
  return [...text.matchAll(/(?:\/\/|\/\*) c\d+/g)].map((match) => match[0]);
}

function expectedValue(before: JsonObject, path: readonly string[], value: JsonValue | undefined): JsonValue {
  const [first = '', second] = path;
  if (second === undefined) return withField(before, first, value);
  const part = before[first] as JsonObject | undefined;
  if (part === undefined && value === undefined) return before;
  return withField(before, first, withField(part ?? {}, second, value));
}

function withField(object: JsonObject, key: string, value: JsonValue | undefined): JsonObject {
  if (value !== undefined) return { ...object, [key]: value };
  return Object.fromEntries(Object.entries(object).filter(([name]) => name !== key));
}

function plain(value: JsonValue): JsonValue {
  return JSON.parse(JSON.stringify(value)) as JsonValue;
}
