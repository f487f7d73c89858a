import assert from 'node:assert/strict';
import { after, before, describe, it } from 'mocha';
import type { JsonObject, JsonValue } from '../../../../src/contract/json.ts';
import { SchemaChecker, type SchemaCheckerOptions, type Verdict } from '../../../../src/core/tools/schemaCheck.ts';
import { schemaWorkerUrl } from '../../../../src/core/tools/schemaWorkerUrl.ts';

const worker = new URL('../../../support/schemaWorker.mjs', import.meta.url);
const person = {
  type: 'object',
  properties: { name: { type: 'string' }, age: { type: 'integer', minimum: 0 } },
  required: ['name'],
};

describe('SchemaChecker', () => {
  let checker: SchemaChecker;
  /** Generous limits: what is checked here is not the time. */
  const patient = (options: SchemaCheckerOptions = {}): SchemaChecker =>
    new SchemaChecker({ worker, patternTime: 10_000, time: 10_000, ...options });
  const check = (schema: JsonObject, value: JsonValue): Promise<Verdict> => checker.check(schema, value);

  before(() => {
    checker = patient();
  });
  after(() => checker.dispose());

  it('takes what fits and tells what does not', async () => {
    assert.deepEqual(await check(person, { name: '', age: 3 }), { kind: 'valid' });
    const verdict = await check(person, { name: 'x', age: 'three' });
    assert.equal(verdict.kind, 'invalid');
    assert.deepEqual(verdict.errors, ['age: has to be a whole number, not text']);
  });

  it('takes an empty string for a value', async () => {
    assert.deepEqual(await check({ type: 'object', required: ['s'] }, { s: '' }), { kind: 'valid' });
  });

  it('follows references, also recursive ones, and combined schemas', async () => {
    const tree = {
      $ref: '#/$defs/node',
      $defs: {
        node: {
          type: 'object',
          properties: { next: { $ref: '#/$defs/node' }, n: { anyOf: [{ type: 'number' }, { type: 'null' }] } },
        },
      },
    };
    assert.equal((await check(tree, { next: { next: { n: null } } })).kind, 'valid');
    assert.equal((await check(tree, { next: { next: { n: 'x' } } })).kind, 'invalid');
    const variants = {
      oneOf: [
        { type: 'object', required: ['a'] },
        { type: 'object', required: ['b'] },
      ],
    };
    assert.equal((await check(variants, { a: 1 })).kind, 'valid');
    assert.equal((await check(variants, { a: 1, b: 2 })).kind, 'invalid');
  });

  it('knows the dialects of 2020-12 and draft-07 apart', async () => {
    const tuple = { type: 'array', items: [{ type: 'string' }] };
    const draft7 = { ...tuple, $schema: 'http://json-schema.org/draft-07/schema#' };
    assert.equal((await check(draft7, [1])).kind, 'invalid');
    assert.equal((await check({ type: 'array', prefixItems: [{ type: 'string' }] }, [1])).kind, 'invalid');
  });

  it('checks two schemas with one $id each by itself', async () => {
    const of = (type: string): JsonObject => ({ $id: 'https://s.example/schema', type });
    assert.equal((await check(of('string'), 'x')).kind, 'valid');
    assert.equal((await check(of('number'), 'x')).kind, 'invalid');
  });

  it('leaves unchecked what cannot be used, with a reason', async () => {
    for (const schema of [
      { $ref: 'https://elsewhere.example/schema' },
      { $schema: 'https://elsewhere.example/dialect' },
      { type: 'string', pattern: '(' },
    ]) {
      const verdict = await check(schema, 'x');
      assert.equal(verdict.kind === 'unchecked' && verdict.why, 'schema', JSON.stringify(schema));
    }
  });

  it('leaves a value unchecked that is too large to be handed over', async () => {
    const verdict = await check({ type: 'string' }, 'x'.repeat(5 * 1024 * 1024));
    assert.equal(verdict.kind === 'unchecked' && verdict.why, 'size');
  });

  it('tells at most ten errors, bounded and made visible', async () => {
    const properties = Object.fromEntries(
      Array.from({ length: 50 }, (_, index) => [`p${index}`, { enum: ['\u202E'.repeat(1_000)] }]),
    );
    const value = Object.fromEntries(Object.keys(properties).map((key) => [key, 'x']));
    const verdict = await check({ type: 'object', properties }, value);
    assert.equal(verdict.kind, 'invalid');
    assert.ok(verdict.errors.length <= 10);
    for (const error of verdict.errors) {
      assert.ok(error.length <= 400);
      assert.doesNotMatch(error, /\u202E/);
    }
  });

  it('ends a pattern that would run for ages, which would never end here', async () => {
    const quick = patient({ patternTime: 50 });
    try {
      const evil = { type: 'object', properties: { a: { type: 'string', pattern: '^(a+)+$' } } };
      const verdict = await quick.check(evil, { a: `${'a'.repeat(60)}!` });
      assert.deepEqual(verdict, { kind: 'unchecked', why: 'time', detail: 'the schema takes too long' });
      assert.equal((await quick.check({ type: 'string' }, 1)).kind, 'invalid');
    } finally {
      quick.dispose();
    }
  });

  it('ends schemas that grow without patterns', async () => {
    const quick = patient({ time: 300 });
    try {
      const twice = (to: string): JsonObject => ({ allOf: [{ $ref: to }, { $ref: to }] });
      const $defs: Record<string, JsonObject> = { d40: { type: 'string' } };
      for (let level = 0; level < 40; level++) $defs[`d${level}`] = twice(`#/$defs/d${level + 1}`);
      const verdict = await quick.check({ $ref: '#/$defs/d0', $defs }, 'x');
      assert.equal(verdict.kind === 'unchecked' && verdict.why, 'time');
    } finally {
      quick.dispose();
    }
  });

  it('survives a schema that calls itself for ever', async () => {
    const verdict = await check({ $ref: '#' }, 'x');
    assert.equal(verdict.kind, 'unchecked');
    assert.equal((await check({ type: 'string' }, 'x')).kind, 'valid');
  });

  it('answers every one of many that ask at once, each its own', async () => {
    const verdicts = await Promise.all(
      Array.from({ length: 200 }, (_, index) => check({ const: index }, index % 2 === 0 ? index : -1)),
    );
    verdicts.forEach((verdict, index) => assert.equal(verdict.kind, index % 2 === 0 ? 'valid' : 'invalid'));
  });

  it('is unchecked, not stuck, where its thread cannot start or ends by itself', async () => {
    for (const source of ['import "no-such-module"', 'process.exit(3)', 'import "node:fs"']) {
      const broken = new SchemaChecker({ worker: new URL(`data:text/javascript,${encodeURIComponent(source)}`) });
      const verdict = await broken.check({ type: 'string', minLength: 1 }, 'x');
      assert.equal(verdict.kind === 'unchecked' && verdict.why, 'thread', source);
      broken.dispose();
    }
  });

  it('ends with its caller’s abort', async () => {
    const controller = new AbortController();
    controller.abort();
    const late = new AbortController();
    const waiting = checker.check(person, {}, { signal: late.signal });
    late.abort();
    for (const verdict of [await checker.check(person, {}, { signal: controller.signal }), await waiting]) {
      assert.deepEqual(verdict, { kind: 'unchecked', why: 'thread', detail: 'cancelled' });
    }
  });
});

describe('schemaWorkerUrl', () => {
  it('finds the thread’s program beside source, entries and chunks', () => {
    const found = (from: string): string => schemaWorkerUrl(from).href;
    assert.equal(found('file:///r/src/core/tools/schemaCheck.ts'), 'file:///r/src/core/tools/schemaWorker.ts');
    assert.equal(found('file:///r/dist/extension.js'), 'file:///r/dist/schemaWorker.js');
    assert.equal(found('file:///r/dist/chunks/call-ABC.js'), 'file:///r/dist/schemaWorker.js');
    assert.equal(found('file:///C:/chunks/dist/cli.js'), 'file:///C:/chunks/dist/schemaWorker.js');
  });
});
