import assert from 'node:assert/strict';
import fc from 'fast-check';
import { describe, it } from 'mocha';
import type { JsonObject } from '../../../src/contract/json.ts';
import { editorSchema } from '../../../src/gateway/editorSchema.ts';

/** The same schema, as the one of an argument. */
const argument = (schema: JsonObject): unknown => {
  const { properties } = editorSchema({ type: 'object', properties: { a: schema } });
  return (properties as JsonObject)['a'];
};

describe('editorSchema', () => {
  it('leaves a schema that fits as it is', () => {
    const schema = {
      type: 'object',
      description: 'All that a word of draft-07 may say',
      properties: {
        path: { type: 'string', minLength: 1, pattern: '^/', format: 'uri', default: null, examples: [1] },
        sizes: { type: ['array', 'null'], items: { type: 'integer', minimum: 0, exclusiveMaximum: 9.5 }, minItems: 1 },
        kind: { enum: ['a', 'b', null], title: 'Kind', readOnly: true },
        either: { oneOf: [{ const: 1 }, { $ref: '#/definitions/d' }], not: { type: 'string' } },
        when: { if: { required: ['x'] }, then: { minProperties: 2 }, else: false },
        pair: { items: [true, {}], additionalItems: false, uniqueItems: true },
        rest: { patternProperties: { '^x': true }, propertyNames: { maxLength: 3 }, dependencies: { a: ['b'], c: {} } },
        unknown: { 'x-shown': [1, 2], prefixItems: 'of a later draft' },
      },
      required: ['path'],
      additionalProperties: false,
      definitions: { d: { multipleOf: 0.5 } },
      $defs: { e: { type: 'any' } },
    };
    assert.deepEqual(editorSchema(schema), schema);
  });

  it('says that arguments are an object with properties, also where the server said nothing', () => {
    assert.deepEqual(editorSchema({}), { type: 'object', properties: {} });
    assert.deepEqual(editorSchema({ type: ['object', 'null'], properties: [1] }), { type: 'object', properties: {} });
  });

  it('takes away the draft, to which the editor would hold the schema instead', () => {
    for (const draft of ['https://json-schema.org/draft/2020-12/schema', 'https://example.com/mine', 7]) {
      assert.deepEqual(editorSchema({ $schema: draft, type: 'object' }), { type: 'object', properties: {} });
    }
    assert.deepEqual(argument({ $schema: 'x', type: 'string' }), { type: 'string' });
  });

  it('lets go of the words whose values do not fit, and of nothing else', () => {
    const wrong: JsonObject = {
      ...{ type: 'any', minimum: '1', maxLength: -1, minItems: 1.5, pattern: 7, required: true, uniqueItems: 'yes' },
      ...{
        enum: [],
        items: 'string',
        additionalProperties: 'no',
        $ref: '',
        format: null,
        multipleOf: 0,
        examples: 'x',
      },
      ...{ anyOf: [], allOf: {}, not: 'x', properties: [], dependencies: 3, readOnly: 1, maxProperties: 1e300 },
    };
    assert.deepEqual(argument({ ...wrong, description: 'stays', 'x-own': 1 }), { description: 'stays', 'x-own': 1 });
  });

  it('takes a bound that the draft before calls excluded', () => {
    assert.deepEqual(argument({ minimum: 1, exclusiveMinimum: true }), { minimum: 1, exclusiveMinimum: 1 });
    assert.deepEqual(argument({ maximum: 1, exclusiveMaximum: false }), { maximum: 1 });
    assert.deepEqual(argument({ exclusiveMaximum: true }), {});
  });

  it('keeps a type, a choice and a name once', () => {
    assert.deepEqual(argument({ type: ['string', 'string', 'null'] }), { type: ['string', 'null'] });
    assert.deepEqual(argument({ enum: [1, { a: 1 }, 1, { a: 1 }] }), { enum: [1, { a: 1 }] });
    assert.deepEqual(argument({ required: ['a', 'a', 3] }), { required: ['a'] });
  });

  it('allows no less where it had to repair inside: a condition, an exclusion or a choice of one goes whole', () => {
    const broken = { type: 'any', minLength: 3 };
    assert.deepEqual(argument({ not: broken, title: 't' }), { title: 't' });
    assert.deepEqual(argument({ oneOf: [{ type: 'string' }, broken] }), {});
    assert.deepEqual(argument({ if: broken, then: false, else: { minLength: 1 } }), {});
    assert.deepEqual(argument({ anyOf: [{ type: 'string' }, broken, 7] }), {
      anyOf: [{ type: 'string' }, { minLength: 3 }, {}],
    });
    assert.deepEqual(argument({ items: [broken, 'x'] }), { items: [{ minLength: 3 }, {}] });
  });

  it('keeps an argument whose own schema says nothing that can be used', () => {
    const { properties } = editorSchema({ properties: { a: 'string', b: null, c: false, ['__proto__']: 5 } });
    assert.deepEqual(Object.entries(properties as JsonObject), [
      ['a', {}],
      ['b', {}],
      ['c', false],
      ['__proto__', {}],
    ]);
  });

  it('shows the object behind a reference that is the whole schema', () => {
    const inner = { type: 'object', properties: { a: { $ref: '#/$defs/B' } }, required: ['a'] };
    const schema = { $ref: '#/$defs/A~1x', $defs: { 'A/x': { $ref: '#/$defs/C' }, B: {}, C: inner } };
    assert.deepEqual(editorSchema(schema), { ...inner, $defs: schema.$defs });
    const turning = { $ref: '#/definitions/A', definitions: { A: { $ref: '#/definitions/A' } } };
    assert.deepEqual(editorSchema(turning)['properties'], {});
    const beside = { $ref: '#/$defs/A', required: ['b'], $defs: { A: inner } };
    assert.deepEqual(editorSchema(beside), { ...beside, type: 'object', properties: {} });
  });

  it('does not change what it made', () => {
    fc.assert(
      fc.property(fc.dictionary(fc.constantFrom(...words), fc.jsonValue({ maxDepth: 4 })), (schema) => {
        const once = editorSchema(schema);
        assert.deepEqual(editorSchema(once), once);
      }),
      { numRuns: 2_000, seed: 20261130 },
    );
  });
});

const words = [
  'type',
  'properties',
  'items',
  'anyOf',
  'oneOf',
  'not',
  'if',
  'then',
  'enum',
  'required',
  '$ref',
  'minimum',
];
