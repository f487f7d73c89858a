import assert from 'node:assert/strict';
import fc from 'fast-check';
import { describe, it } from 'mocha';
import { rawAnswerIn } from '../../../../src/core/transport/rawAnswer.ts';

const find = (text: string): ReturnType<typeof rawAnswerIn> => rawAnswerIn(Buffer.from(text));

describe('the id of an answer in its bytes', () => {
  it('is found at the head and at the tail, and the result between its brackets', () => {
    for (const text of [
      '{"jsonrpc":"2.0","id":1007,"result":{"a":"\\\\\\"}"}}',
      '{"result":{"a":"\\\\\\"}"},"id":1007,"jsonrpc":"2.0"}\r',
      ' { "jsonrpc" : "2.0" , "result" : {"a":"\\\\\\"}"} , "id" : 1007 } ',
    ]) {
      const found = find(text);
      assert.ok(found, text);
      assert.equal(found.id, 1007);
      assert.equal(found.frame.toString('utf8', found.idFrom, found.idTo), '1007');
      assert.equal(found.frame.toString('utf8', found.resultFrom, found.resultTo), '{"a":"\\\\\\"}"}');
    }
  });

  it('is left to the parser where anything else stands beside, or stands twice', () => {
    for (const text of [
      '{"jsonrpc":"2.0","id":1,"result":{},"id":2}',
      '{"jsonrpc":"2.0","id":1,"result":{},"\\u0069d":2}',
      '{"jsonrpc":"2.0","id":1,"result":{},"error":{}}',
      '{"jsonrpc":"2.0","id":1,"result":{},"method":"x"}',
      '{"jsonrpc":"2.0","id":1,"result":{}} {"jsonrpc":"2.0","id":2,"result":{}}',
      '[{"jsonrpc":"2.0","id":1,"result":{}}]',
      '{"jsonrpc":"2.0","id":"1","result":{}}',
      '{"jsonrpc":"2.0","id":1.5,"result":{}}',
      '{"jsonrpc":"2.0","id":-1,"result":{}}',
      '{"jsonrpc":"1.0","id":1,"result":{}}',
      '{"jsonrpc":"2.0","id":1,"result":[]}',
      '{"jsonrpc":"2.0","id":1,"result":"x"}',
      '{"jsonrpc":"2.0","id":1,"result":{}',
      '{"jsonrpc":"2.0","id":1,"result":{"a":"}',
      '{"jsonrpc":"2.0","id":1,"error":{"code":1,"message":"x"}}',
      '{"id":1,"result":{}}',
      '{"jsonrpc":"2.0","result":{}}',
      '{}',
      '',
      '{"jsonrpc":"2.0","id":1,"result":{}},',
    ]) {
      assert.equal(find(text), undefined, text);
    }
  });

  it('is what the parser finds, whatever the result holds and however it is written', () => {
    const layout = fc.constantFrom<[number, string]>([0, ''], [1, ''], [2, ' ']);
    fc.assert(
      fc.property(fc.dictionary(fc.string(), fc.jsonValue()), fc.nat(), layout, (result, id, [order, gap]) => {
        const members = [`"jsonrpc":${gap}"2.0"`, `"id":${id}`, `"result":${gap}${JSON.stringify(result)}`];
        const turned = [...members.slice(order), ...members.slice(0, order)];
        const found = find(`{${turned.join(`${gap},`)}}`);
        assert.ok(found);
        assert.equal(found.id, id);
        const between = found.frame.toString('utf8', found.resultFrom, found.resultTo);
        assert.equal(between, JSON.stringify(result));
      }),
      { numRuns: 2_000, seed: 20261130 },
    );
  });

  it('is never one that the parser does not find, whatever bytes come', () => {
    const piece = fc.constantFrom(
      ...[
        '{',
        '}',
        '[',
        ']',
        '"',
        ',',
        ':',
        '\\',
        ' ',
        '1',
        'x',
        '"id"',
        '"result"',
        '"jsonrpc":"2.0"',
        '{}',
        '"id":1',
      ],
    );
    let both = 0;
    const check = (text: string): void => {
      const found = find(text);
      let parsed: { id?: unknown } | undefined;
      try {
        parsed = JSON.parse(text) as { id?: unknown };
      } catch {
        // No JSON: then nobody reads a second id out of it.
      }
      if (found === undefined || parsed === undefined) return;
      both += 1;
      assert.equal(parsed.id, found.id, text);
    };
    fc.assert(
      fc.property(fc.array(piece, { maxLength: 14 }), (pieces) =>
        check(`{"jsonrpc":"2.0","id":1,"result":{${pieces.join('')}}`),
      ),
      { numRuns: 20_000, seed: 20261130 },
    );
    assert.ok(both > 20, `only ${both} were JSON`);
  });
});
