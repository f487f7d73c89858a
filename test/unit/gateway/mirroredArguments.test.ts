import assert from 'node:assert/strict';
import { describe, it } from 'mocha';
import type { JsonObject } from '../../../src/contract/json.ts';
import { refuseUnmirrored } from '../../../src/gateway/mirroredArguments.ts';
import { clientRequest } from '../../support/clientRequest.ts';

const offered = (properties: JsonObject) => ({
  name: 'a',
  hash: '',
  annotationsHash: '',
  raw: { name: 'a', inputSchema: { type: 'object', properties } },
});
const tool = offered({
  region: { type: 'string', 'x-mcp-header': 'Region' },
  count: { type: 'integer', 'x-mcp-header': 'Count' },
});
const check = (args: JsonObject, headers: Readonly<Record<string, string>>, of = tool): void =>
  refuseUnmirrored(clientRequest({ params: { name: 'a', arguments: args }, headers }), () => of);
const base64 = (text: string): string => `=?base64?${Buffer.from(text).toString('base64')}?=`;

describe('arguments that a client repeats in headers', () => {
  it('are taken where both say the same, plain or encoded', () => {
    check({ region: 'eu', count: 3 }, { 'mcp-param-region': 'eu', 'mcp-param-count': '3' });
    check({ region: 'Köln' }, { 'mcp-param-region': base64('Köln') });
    check({ region: '=?base64?SGVsbG8=' }, { 'mcp-param-region': '=?base64?SGVsbG8=' });
    check({ region: null }, {});
    check({}, { 'mcp-param-other': 'x' });
  });

  const refused: readonly (readonly [string, JsonObject, Readonly<Record<string, string>>])[] = [
    ['is missing', { region: 'eu' }, {}],
    ['says something else', { region: 'eu' }, { 'mcp-param-region': 'us' }],
    ['differs in case', { region: 'eu' }, { 'mcp-param-region': 'EU' }],
    ['is there for no argument', {}, { 'mcp-param-region': 'eu' }],
    ['is there for null', { region: null }, { 'mcp-param-region': 'null' }],
    ['has a wrong padding', { region: 'Hello' }, { 'mcp-param-region': '=?base64?SGVsbG8?=' }],
    ['has characters that are no base64', { region: 'Hello' }, { 'mcp-param-region': '=?base64?SGVs!!!bG8=?=' }],
  ];
  for (const [what, args, headers] of refused) {
    it(`are refused where the header ${what}`, () => {
      assert.throws(() => check(args, headers), { code: -32020 });
    });
  }

  it('are let be where the tool asks for none, asks wrongly, or the client has no headers', () => {
    check({ region: 'eu' }, {}, offered({ region: { type: 'string' } }));
    check({ region: 'eu' }, {}, offered({ region: { type: 'object', 'x-mcp-header': 'Region' } }));
    refuseUnmirrored(clientRequest({ params: { name: 'a', arguments: { region: 'eu' } } }), () => tool);
    refuseUnmirrored(clientRequest({ headers: {} }), () => undefined);
  });
});
