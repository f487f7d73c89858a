import assert from 'node:assert/strict';
import { describe, it } from 'mocha';
import { boundedCanonicalJson, canonicalJson } from '../../../src/base/canonicalJson.ts';

const wide = { length: 1_000, depth: 10 };

describe('canonicalJson', () => {
  it('writes equal values as equal text, whatever the order of their keys', () => {
    const text = canonicalJson({ b: [1, { d: null, c: 'ü"' }], a: true });
    assert.equal(text, '{"a":true,"b":[1,{"c":"ü\\"","d":null}]}');
    assert.equal(canonicalJson({ a: true, b: [1, { c: 'ü"', d: null }] }), text);
  });

  it('keeps the order of lists', () => {
    assert.notEqual(canonicalJson([1, 2]), canonicalJson([2, 1]));
  });

  it('leaves out fields without a value, and writes null where a list or the whole has none', () => {
    assert.equal(canonicalJson({ a: undefined, b: 1, c: undefined }), '{"b":1}');
    assert.equal(canonicalJson([undefined, 1]), '[null,1]');
    assert.equal(canonicalJson(undefined), 'null');
  });

  it('keeps texts apart from what they look like', () => {
    const values = [1, '1', null, 'null', [], {}, [[]], [{}], '', { '': 1 }, { a: 1 }, '{"a":1}'];
    assert.equal(new Set(values.map(canonicalJson)).size, values.length);
  });

  it('gives what JSON.parse reads back as the same value', () => {
    const value = { n: [-0.5, 1e21, 0], s: '\ud800\u0000\n', deep: [[[{}]]], ['__proto__']: 'own' };
    assert.deepEqual(JSON.parse(canonicalJson(value)), value);
  });
});

describe('boundedCanonicalJson', () => {
  const kind = (value: unknown, bounds: Partial<typeof wide>) =>
    boundedCanonicalJson(value, { ...wide, ...bounds }).kind;

  it('writes what fits as canonicalJson does', () => {
    const value = { b: [1, 'x'], a: { d: undefined } };
    assert.deepEqual(boundedCanonicalJson(value, wide), { kind: 'text', text: canonicalJson(value) });
  });

  it('takes a text of exactly the bound, and none that is longer', () => {
    assert.equal(kind('abc', { length: 5 }), 'text');
    assert.equal(kind('abcd', { length: 5 }), 'tooLong');
    assert.equal(kind('abcdefgh', { length: 5 }), 'tooLong');
    assert.equal(kind({ a: [1, 2] }, { length: 11 }), 'text');
    assert.equal(kind({ a: [1, 2] }, { length: 10 }), 'tooLong');
  });

  it('takes as many levels as the bound says, and no more', () => {
    assert.equal(kind([[[1]]], { depth: 3 }), 'text');
    assert.equal(kind([[[[]]]], { depth: 3 }), 'tooDeep');
    assert.equal(kind({ a: { b: [{}] } }, { depth: 3 }), 'tooDeep');
  });

  it('stops walking as soon as the text is too long', () => {
    const touched: string[] = [];
    const field = (name: string) => ({
      enumerable: true,
      get: () => {
        touched.push(name);
        return 'x'.repeat(20);
      },
    });
    assert.equal(kind(Object.defineProperties({}, { a: field('a'), b: field('b') }), { length: 20 }), 'tooLong');
    assert.deepEqual(new Set(touched), new Set(['a']));
  });

  it('refuses nesting that would overflow a stack', () => {
    let value: unknown = 1;
    for (let depth = 0; depth < 100_000; depth++) value = [value];
    assert.equal(kind(value, {}), 'tooDeep');
  });
});
