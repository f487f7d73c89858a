import assert from 'node:assert/strict';
import { describe, it } from 'mocha';
import type { JsonValue } from '../../../../src/contract/json.ts';
import { checkItem, checkTool } from '../../../../src/core/discovery/checkItem.ts';
import { rawTool } from '../../../support/fakeLiveClient.ts';

const plain = { mirrors: false };
const reasonOf = (raw: JsonValue): string | undefined => checkTool(raw, plain).fault?.reason;
const nested = (depth: number): JsonValue => (depth <= 1 ? {} : { not: nested(depth - 1) });

describe('checkTool', () => {
  it('keeps unknown fields and the very object', () => {
    const raw = rawTool('t', { 'x-vendor': { deep: [1, null] }, _meta: { a: 1 }, execution: {}, icons: [] });
    assert.equal(checkTool(raw, plain).item?.raw, raw);
  });

  it('takes names of 1 to 256 characters without controls or lone surrogates', () => {
    assert.equal(reasonOf(rawTool('x'.repeat(256))), undefined);
    assert.equal(reasonOf(rawTool('Create Volume/ü.😀')), undefined);
    for (const name of ['', 'x'.repeat(257), 'a\u0007', 'a\u0085', 'a\uD800']) {
      assert.match(reasonOf(rawTool(name)) ?? '', /^name is not/, JSON.stringify(name));
    }
    assert.match(reasonOf({ ...rawTool('t'), name: 7 }) ?? '', /^name is not/);
  });

  it('takes descriptions of up to 8 KiB', () => {
    assert.equal(reasonOf(rawTool('t', { description: 'd'.repeat(8192) })), undefined);
    assert.match(reasonOf(rawTool('t', { description: 'd'.repeat(8193) })) ?? '', /^description/);
    assert.match(reasonOf(rawTool('t', { description: 5 })) ?? '', /^description/);
  });

  it('takes schemas that are objects of at most 64 levels and 256 KiB', () => {
    const withSchema = (inputSchema: JsonValue): string | undefined => reasonOf({ name: 't', inputSchema });
    assert.equal(withSchema(nested(64)), undefined);
    assert.equal(withSchema(nested(65)), 'inputSchema is deeper than 64 levels');
    assert.equal(withSchema(nested(5_000)), 'inputSchema is deeper than 64 levels');
    const around = JSON.stringify({ title: '' }).length;
    assert.equal(withSchema({ title: 'x'.repeat(256 * 1024 - around) }), undefined);
    assert.equal(withSchema({ title: 'x'.repeat(256 * 1024 - around + 1) }), 'inputSchema is larger than 256 KiB');
    for (const odd of [[], 'object', null, true]) assert.match(withSchema(odd) ?? '', /^inputSchema is missing/);
    assert.equal(withSchema({ type: 'string' }), 'inputSchema does not describe an object');
    assert.match(reasonOf({ name: 't' }) ?? '', /^inputSchema is missing/);
    assert.equal(reasonOf(rawTool('t', { outputSchema: [] })), 'outputSchema is not an object');
  });

  it('leaves out an item whose unknown fields are nested deeper than 128 levels', () => {
    const deep: JsonValue = JSON.parse(`${'['.repeat(20_000)}${']'.repeat(20_000)}`) as JsonValue;
    assert.equal(reasonOf(rawTool('t', { 'x-vendor': nested(127) })), undefined);
    for (const value of [nested(128), deep]) {
      assert.equal(reasonOf(rawTool('t', { 'x-vendor': value })), 'is nested deeper than 128 levels');
    }
    assert.match(checkItem('prompts', { name: 'p', _meta: deep }).fault?.reason ?? '', /^is nested deeper/);
    assert.match(checkTool(rawTool('t', { annotations: deep }), plain).fault?.reason ?? '', /^annotations/);
  });

  it('mends annotations that are no object, with a report', () => {
    const { item, fault } = checkTool(rawTool('t', { annotations: [], title: 'T' }), plain);
    assert.deepEqual(item?.raw, rawTool('t', { title: 'T' }));
    assert.match(fault?.reason ?? '', /^annotations/);
    assert.equal(fault?.what, 'repaired');
  });

  it('hashes name, title, description and schemas whatever the order of their keys', () => {
    const hash = (more: Record<string, JsonValue>): string | undefined =>
      checkTool(rawTool('t', more), plain).item?.hash;
    const schema = { type: 'object', properties: { a: { type: 'string', minLength: 1 }, b: {} } };
    const turned = { properties: { b: {}, a: { minLength: 1, type: 'string' } }, type: 'object' };
    assert.equal(hash({ inputSchema: schema }), hash({ inputSchema: turned }));
    const hashes = [
      hash({}),
      hash({ description: '' }),
      hash({ description: 'x' }),
      hash({ title: 'x' }),
      hash({ title: 'y' }),
      hash({ inputSchema: schema }),
      hash({ outputSchema: schema }),
      hash({ outputSchema: {} }),
      checkTool(rawTool('u'), plain).item?.hash,
    ];
    assert.equal(new Set(hashes).size, hashes.length);
  });

  it('tells a change of annotations from a change of the tool', () => {
    const before = checkTool(rawTool('t', { annotations: { readOnlyHint: true } }), plain).item;
    const after = checkTool(rawTool('t', { annotations: { readOnlyHint: false } }), plain).item;
    assert.equal(before?.hash, after?.hash);
    assert.notEqual(before?.annotationsHash, after?.annotationsHash);
  });
});

describe('checkItem', () => {
  it('knows resources by uri, templates by uriTemplate, prompts by name', () => {
    assert.equal(checkItem('resources', { uri: 'file:///a', name: 'n' }).item?.key, 'file:///a');
    assert.equal(checkItem('resourceTemplates', { uriTemplate: 'f:///{a}', name: 'n' }).item?.key, 'f:///{a}');
    assert.equal(checkItem('prompts', { name: 'n' }).item?.key, 'n');
  });

  it('leaves out what has no usable key, name or arguments', () => {
    assert.match(checkItem('resources', { name: 'n' }).fault?.reason ?? '', /^uri is missing/);
    assert.match(checkItem('resources', { name: 'n', uri: 'file:///a\n' }).fault?.reason ?? '', /^uri is missing/);
    assert.match(checkItem('resourceTemplates', { name: 'n', uri: 'x' }).fault?.reason ?? '', /^uriTemplate/);
    assert.match(checkItem('resources', { uri: 'file:///a' }).fault?.reason ?? '', /^name is not/);
    assert.equal(checkItem('prompts', { name: 'n', arguments: {} }).fault?.reason, 'arguments are not a list');
    assert.equal(checkItem('prompts', { name: 'n', arguments: [{}] }).fault?.reason, 'an argument has no usable name');
    assert.equal(checkItem('prompts', null).fault?.reason, 'is not an object');
  });
});
