import assert from 'node:assert/strict';
import { describe, it } from 'mocha';
import fc from 'fast-check';
import { frameAnswer, OversizedFrame } from '../../../../src/core/transport/oversizedFrame.ts';

const edge = 200;

function answerOf(frame: string) {
  const bytes = Buffer.from(frame);
  return frameAnswer(bytes.toString('latin1', 0, edge), bytes.toString('latin1', Math.max(0, bytes.length - edge)));
}

const large = `{"content":[{"type":"text","text":"${'x'.repeat(1000)}"}]}`;

describe('frameAnswer', () => {
  for (const [what, frame, id] of [
    ['an id at the beginning', `{"jsonrpc":"2.0","id":7,"result":${large}}`, 7],
    ['an id at the end', `{"result":${large},"jsonrpc":"2.0","id":7}`, 7],
    [
      'an id between large members',
      `{"id":"a\\"b","error":{"code":1,"message":"x","data":${large}},"jsonrpc":"2.0"}`,
      'a"b',
    ],
    ['blanks and line ends of Windows', `{ "jsonrpc" : "2.0" , "result" : ${large} , "id" : -12 }\r`, -12],
    ['other members before the result', `{"_meta":{"id":9,"a":[{}]},"id":7,"result":${large}}`, 7],
  ] as const) {
    it(`finds ${what}`, () => assert.deepEqual(answerOf(frame), { kind: 'answer', id }));
  }

  for (const [what, frame] of [
    ['a request', `{"jsonrpc":"2.0","id":7,"method":"m","params":${large}}`],
    ['a request that has a member called result', `{"jsonrpc":"2.0","id":7,"method":"m","result":${large}}`],
    ['a request that ends in its method', `{"params":${large},"method":"m","id":7}`],
    ['a request whose parameters look like a result', `{"result":${large},"method":"m","id":7}`],
    ['a notification whose parameters hold an id', `{"jsonrpc":"2.0","method":"m","params":{"a":${large},"id":7}}`],
    ['an id that only a nested object has', `{"jsonrpc":"2.0","result":{"a":${large},"id":7}}`],
    ['an id inside of a text', `{"result":"${'x'.repeat(1000)},\\"id\\":7}"}`],
    ['an id that is null', `{"jsonrpc":"2.0","id":null,"error":{"code":1,"message":"${'x'.repeat(1000)}"}}`],
    ['an array', `[{"jsonrpc":"2.0","id":7,"result":${large}}]`],
    ['no JSON', 'x'.repeat(1000)],
  ] as const) {
    it(`finds no call in ${what}`, () => assert.deepEqual(answerOf(frame), { kind: 'unknown' }));
  }

  it('finds the very id of any answer, or none', () => {
    const id = fc.oneof(fc.integer(), fc.string({ maxLength: 20 }));
    fc.assert(
      fc.property(id, fc.jsonValue(), fc.boolean(), (wanted, value, first) => {
        const rest = { result: { value, text: 'x'.repeat(500) }, jsonrpc: '2.0' };
        const answer = answerOf(JSON.stringify(first ? { id: wanted, ...rest } : { ...rest, id: wanted }));
        assert.ok(answer.kind === 'unknown' || answer.id === wanted);
      }),
      { seed: 5, numRuns: 200 },
    );
  });
});

describe('OversizedFrame', () => {
  it('keeps both ends, however small the pieces are', () => {
    const frame = `{"result":${large},"jsonrpc":"2.0","id":42}`;
    for (const size of [1, 3, edge, 10_000]) {
      const kept = new OversizedFrame(edge);
      for (let at = 0; at < frame.length; at += size) kept.append(Buffer.from(frame.slice(at, at + size)));
      assert.deepEqual(kept.answer(), { kind: 'answer', id: 42 });
    }
  });
});
