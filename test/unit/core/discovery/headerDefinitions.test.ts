import assert from 'node:assert/strict';
import { describe, it } from 'mocha';
import type { JsonObject } from '../../../../src/contract/json.ts';
import { headerDefinitions } from '../../../../src/core/discovery/headerDefinitions.ts';

const marked = (name: unknown, type = 'string'): JsonObject => ({ type, 'x-mcp-header': name }) as JsonObject;
const schema = (properties: JsonObject, more: JsonObject = {}): JsonObject => ({ type: 'object', properties, ...more });

describe('headerDefinitions', () => {
  it('finds marked properties at any depth of plain properties', () => {
    assert.deepEqual(
      headerDefinitions(schema({ a: marked('A', 'integer'), b: schema({ c: marked('C', 'boolean') }) })),
      {
        kind: 'legal',
        mirrored: [
          { path: ['a'], header: 'Mcp-Param-A' },
          { path: ['b', 'c'], header: 'Mcp-Param-C' },
        ],
      },
    );
    assert.deepEqual(headerDefinitions(schema({ a: { type: 'string' } })), { kind: 'legal', mirrored: [] });
  });

  it('takes a property that is called x-mcp-header for a property', () => {
    assert.deepEqual(headerDefinitions(schema({ 'x-mcp-header': { type: 'string' } })), {
      kind: 'legal',
      mirrored: [],
    });
  });

  const illegal: Record<string, JsonObject> = {
    'on the root': { ...schema({}), 'x-mcp-header': 'A' },
    'not a string': schema({ a: marked(1) }),
    empty: schema({ a: marked('') }),
    'with a space': schema({ a: marked('A B') }),
    'with a line break': schema({ a: marked('A\r\nEvil: 1') }),
    'with a colon': schema({ a: marked('A:') }),
    'on a number': schema({ a: marked('A', 'number') }),
    'on an object': schema({ a: marked('A', 'object') }),
    'on nothing': schema({ a: { 'x-mcp-header': 'A' } }),
    'twice, in another case': schema({ a: marked('Abc'), b: marked('aBC') }),
    'below items': schema({ a: { type: 'array', items: marked('A') } }),
    'below anyOf': schema({ a: { anyOf: [marked('A')] } }),
    'below oneOf of the root': schema({}, { oneOf: [schema({ a: marked('A') })] }),
    'below additionalProperties': schema({}, { additionalProperties: marked('A') }),
    'below $defs': schema({}, { $defs: { a: marked('A') } }),
    'below patternProperties': schema({}, { patternProperties: { '^a': marked('A') } }),
    'more often than 32 times': schema(
      Object.fromEntries(Array.from({ length: 33 }, (_, index) => [`p${index}`, marked(`H${index}`)])),
    ),
  };
  for (const [where, inputSchema] of Object.entries(illegal)) {
    it(`refuses a definition ${where}, with a bounded reason`, () => {
      const found = headerDefinitions(inputSchema);
      assert.equal(found.kind, 'illegal');
      assert.ok(found.reason.length > 0 && found.reason.length < 300);
    });
  }
});
