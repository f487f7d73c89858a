import assert from 'node:assert/strict';
import { after, before, describe, it } from 'mocha';
import type { JsonObject, JsonValue } from '../../../../src/contract/json.ts';
import { SchemaChecker } from '../../../../src/core/tools/schemaCheck.ts';
import { schemaFaults } from '../../../../src/core/tools/schemaWords.ts';

const worker = new URL('../../../support/schemaWorker.mjs', import.meta.url);
const of = (properties: JsonObject, more: JsonObject = {}): JsonObject => ({ type: 'object', properties, ...more });

/** A schema, a value that does not fit, and all that a person reads of it. */
const table: readonly (readonly [JsonObject, JsonValue, ...string[]])[] = [
  [of({ entities: { type: 'array' } }), { entities: null }, 'entities: has to be a list, not null'],
  [of({ n: { type: 'integer' } }), { n: 1.5 }, 'n: has to be a whole number'],
  [of({ n: { type: ['string', 'null'] } }), { n: [] }, 'n: has to be text or null, not a list'],
  [of({ n: { anyOf: [{ type: 'string' }, { type: 'null' }] } }), { n: 1 }, 'n: has to be text or null, not a number'],
  [of({ a: { $ref: '#/$defs/a' } }, { $defs: { a: { type: 'string' } } }), { a: 1 }, 'a: has to be text, not a number'],
  [{ $ref: '#/$defs/x', $defs: { x: { type: 'array' } } }, {}, 'it has to be a list, not an object'],
  [
    of({ a: of({ b: { type: 'array', items: of({}, { required: ['c'] }) } }) }),
    { a: { b: [{}] } },
    'a.b.0.c: is missing',
  ],
  [of({}, { required: ['x', 'y'] }), {}, 'x: is missing', 'y: is missing'],
  [of({}, { additionalProperties: false }), { other: 1 }, 'other: is not allowed'],
  [of({ e: { enum: ['a', 'b; #/x: c'] } }), { e: 'c' }, 'e: has to be one of "a","b; #/x: c"'],
  [of({ c: { const: 1 } }), { c: 2 }, 'c: has to be 1'],
  [of({ s: { minLength: 3 } }), { s: 'ab' }, 's: is too short: 2 characters, at least 3'],
  [of({ s: { maxLength: 1 } }), { s: 'ab' }, 's: is too long: 2 characters, at most 1'],
  [of({ s: { pattern: '^a$' } }), { s: 'b' }, 's: does not have the form that is asked for'],
  [of({ s: { format: 'email' } }), { s: 'b' }, 's: is not of the format email'],
  [of({ n: { minimum: 3 } }), { n: 2 }, 'n: is too small: 2, the bound is 3'],
  [of({ n: { exclusiveMaximum: 3 } }), { n: 3 }, 'n: is too large: 3, the bound is 3'],
  [of({ n: { multipleOf: 2 } }), { n: 3 }, 'n: has to be a multiple of 2'],
  [of({ l: { maxItems: 1 } }), { l: [1, 2] }, 'l: holds too many items: 2, at most 1'],
  [of({ l: { uniqueItems: true } }), { l: [1, 1] }, 'l: holds the same item twice'],
  [of({ 'a b/ü': { type: 'string' } }), { 'a b/ü': 1 }, 'a b/ü: has to be text, not a number'],
  [
    of({ v: { oneOf: [of({}, { required: ['a'] }), of({}, { required: ['b'] })] } }),
    { v: {} },
    'v.a: is missing',
    'v.b: is missing',
  ],
  [
    of({ v: { oneOf: [{ type: 'number' }, { minimum: 0 }] } }),
    { v: 1 },
    'v: has more than one of the forms that it may have',
  ],
  [of({ v: { not: { type: 'number' } } }), { v: 1 }, 'v: is of a form that is ruled out'],
  [of({}, { dependentRequired: { a: ['b'] } }), { a: 1 }, 'it needs b beside a'],
];

describe('the words for what does not fit a schema', () => {
  let checker: SchemaChecker;
  before(() => {
    checker = new SchemaChecker({ worker, patternTime: 10_000, time: 10_000 });
  });
  after(() => checker.dispose());

  for (const [schema, value, ...expected] of table) {
    it(`name the place and what is wanted there: ${expected.join('; ')}`, async () => {
      const verdict = await checker.check(schema, value);
      assert.deepEqual(verdict, { kind: 'invalid', errors: expected });
    });
  }

  const unusable: readonly (readonly [JsonObject, string])[] = [
    [{ $schema: 'https://elsewhere.example/dialect' }, 'its $schema names a dialect that is not known here'],
    [{ $ref: 'https://elsewhere.example/x' }, 'it refers to a part that it does not hold'],
    [{ type: 'string', pattern: '(' }, 'it holds a pattern that is no regular expression'],
    [{ $ref: '#' }, 'it is nested too deep, or refers to itself without end'],
    [{ type: 'object', required: 7 }, 'it is not a valid JSON schema'],
  ];
  for (const [schema, detail] of unusable) {
    it(`say in our own words why a schema cannot be used: ${JSON.stringify(schema)}`, async () => {
      const value = schema['type'] === 'object' ? {} : 'x';
      assert.deepEqual(await checker.check(schema, value), { kind: 'unchecked', why: 'schema', detail });
    });
  }

  it('repeat nothing of a report that they do not understand', () => {
    for (const report of ['', 'nonsense', '#: ', '#/a: Instance went away.', '; ; ;']) {
      assert.match(schemaFaults(report).join(), /^(?:it does not fit|a: does not fit)$/);
    }
  });
});
