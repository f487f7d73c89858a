import assert from 'node:assert/strict';
import { describe, it } from 'mocha';
import type { JsonObject } from '../../../../src/contract/json.ts';
import { argumentFields, draftArguments, parseAnswer } from '../../../../src/vscode/input/argumentFields.ts';

function kinds(properties: JsonObject, more: JsonObject = {}) {
  const fields = argumentFields({ type: 'object', properties, ...more });
  return fields?.map(({ name, kind }) => `${name}: ${kind}`);
}

describe('the questions for a tool’s arguments', () => {
  it('asks each kind of value in its own way', () => {
    assert.deepEqual(
      kinds({
        a: { type: 'string' },
        b: { type: 'number' },
        c: { type: 'integer' },
        d: { type: 'boolean' },
        e: { enum: ['x', 1, null] },
        f: { type: 'array', items: { enum: ['x', 'y'] } },
        g: { type: 'object' },
        h: { type: 'array', items: { type: 'string' } },
        i: { oneOf: [{ const: 'x', title: 'X' }, { const: 'y' }] },
      }),
      [
        'a: text',
        'b: number',
        'c: integer',
        'd: boolean',
        'e: choice',
        'f: choices',
        'g: json',
        'h: json',
        'i: choice',
      ],
    );
  });

  it('asks required ones first and keeps the schema’s order otherwise', () => {
    assert.deepEqual(kinds({ a: { type: 'string' }, b: { type: 'string' } }, { required: ['b'] }), [
      'b: text',
      'a: text',
    ]);
  });

  it('follows local references and sees through "or null"', () => {
    const schema = { $defs: { name: { type: 'string', description: 'Who' } } };
    assert.deepEqual(
      kinds(
        {
          a: { $ref: '#/$defs/name' },
          b: { anyOf: [{ type: 'number' }, { type: 'null' }] },
          c: { type: ['integer', 'null'] },
        },
        schema,
      ),
      ['a: text', 'b: number', 'c: integer'],
    );
  });

  it('ends on references that go round in circles, lead nowhere or out of the schema', () => {
    assert.deepEqual(
      kinds(
        {
          a: { $ref: '#/$defs/loop' },
          b: { $ref: '#/$defs/none' },
          c: { $ref: 'https://evil.example/schema' },
          d: { $ref: '#/$defs/__proto__/polluted' },
        },
        { $defs: { loop: { $ref: '#/$defs/loop' } } },
      ),
      ['a: json', 'b: json', 'c: json', 'd: json'],
    );
  });

  it('leaves a choice between objects, and very many arguments, to the JSON editor', () => {
    assert.equal(argumentFields({ oneOf: [{ type: 'object' }, { type: 'object' }] }), undefined);
    assert.equal(argumentFields({ type: 'object', properties: 'odd' }), undefined);
    assert.equal(argumentFields('odd'), undefined);
    const many = Object.fromEntries(Array.from({ length: 51 }, (_, index) => [`p${index}`, { type: 'string' }]));
    assert.equal(argumentFields({ properties: many }), undefined);
  });

  it('asks nothing for a tool without arguments', () => {
    assert.deepEqual(argumentFields({ type: 'object' }), []);
  });

  it('takes an empty string as a value, and no blank for a number', () => {
    assert.deepEqual(parseAnswer('text', ''), { kind: 'value', value: '' });
    assert.deepEqual(parseAnswer('number', ' '), { kind: 'wrong', why: 'number' });
    assert.deepEqual(parseAnswer('number', '1e3'), { kind: 'value', value: 1000 });
    assert.deepEqual(parseAnswer('integer', '1.5'), { kind: 'wrong', why: 'integer' });
    assert.deepEqual(parseAnswer('json', '{'), { kind: 'wrong', why: 'json' });
    assert.deepEqual(parseAnswer('json', '[1]'), { kind: 'value', value: [1] });
  });

  it('drafts JSON from what was given last, else from defaults and required names', () => {
    const schema = {
      properties: { a: { type: 'string' }, b: { type: 'number', default: 5 }, c: { type: 'boolean' } },
      required: ['a'],
    };
    assert.deepEqual(draftArguments(schema, undefined), { a: '', b: 5 });
    assert.deepEqual(draftArguments(schema, { c: true }), { c: true });
  });

  it('never begin with a $schema, which would make the editor fetch the URL behind it', () => {
    const properties = { $schema: { type: 'string', default: 'https://evil.example/s' }, text: { type: 'string' } };
    const schema = { type: 'object', properties, required: ['$schema', 'text'] };
    assert.deepEqual(draftArguments(schema, undefined), { text: '' });
    assert.deepEqual(draftArguments(schema, { $schema: 'https://evil.example/s', text: 'x' }), { text: 'x' });
  });
});
