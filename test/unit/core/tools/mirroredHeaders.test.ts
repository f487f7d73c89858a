import assert from 'node:assert/strict';
import { describe, it } from 'mocha';
import type { JsonObject } from '../../../../src/contract/json.ts';
import { mirroredHeaders } from '../../../../src/core/tools/mirroredHeaders.ts';

const mirrored = [
  { path: ['a'], header: 'Mcp-Param-A' },
  { path: ['in', 'b'], header: 'Mcp-Param-B' },
];
const headers = (args: JsonObject): Readonly<Record<string, string>> =>
  mirroredHeaders(mirrored, { server: 's', tool: 't', args });
const one = (a: string | number | boolean): string | undefined => headers({ a })['Mcp-Param-A'];

describe('mirroredHeaders', () => {
  it('sends plain values as they are', () => {
    assert.deepEqual(headers({ a: 'us-west 1', in: { b: 42 } }), { 'Mcp-Param-A': 'us-west 1', 'Mcp-Param-B': '42' });
    assert.equal(one(false), 'false');
    assert.equal(one(-0.5), '-0.5');
    assert.equal(one(Number.MAX_SAFE_INTEGER), '9007199254740991');
  });

  it('wraps what a header cannot hold, or what looks wrapped, as base64', () => {
    const wrapped = (text: string): string => `=?base64?${Buffer.from(text).toString('base64')}?=`;
    for (const text of ['', ' lead', 'trail ', 'ü', '日本', 'a\r\nEvil: 1', '\u0000', '=?base64?eA==?=']) {
      assert.equal(one(text), wrapped(text), JSON.stringify(text));
    }
    assert.equal(one('a\tb'), 'a\tb');
    assert.equal(one('=?base64?x'), '=?base64?x');
  });

  it('leaves out what is absent, null or structured', () => {
    assert.deepEqual(headers({ a: null, in: { b: [1] } }), {});
    assert.deepEqual(headers({ in: 'text' }), {});
    assert.deepEqual(headers({}), {});
  });

  it('refuses an integer that cannot be sent exactly, naming it', () => {
    for (const value of [2 ** 53, -(2 ** 53), 1e21]) {
      assert.throws(() => headers({ in: { b: value } }), {
        code: 'unsafeInteger',
        outcome: 'notSent',
        data: { server: 's', tool: 't', field: 'in.b' },
      });
    }
  });

  it('refuses values that are too long for headers', () => {
    assert.equal(one('x'.repeat(2_048))?.length, 2_048);
    assert.throws(() => one('x'.repeat(2_049)), { code: 'argumentsInvalid', outcome: 'notSent' });
  });
});
