import assert from 'node:assert/strict';
import { describe, it } from 'mocha';
import type { JsonObject } from '../../../src/contract/json.ts';
import { AggregateCatalog } from '../../../src/gateway/aggregateCatalog.ts';
import { fitted, promptText, shownItem } from '../../../src/gateway/aggregateWords.ts';
import { offering } from '../../support/offeringServers.ts';

const message = (text: string): JsonObject => ({ role: 'user', content: { type: 'text', text } });
const link = 'roundhouse://result/0';

describe('promptText', () => {
  const parsed = (result: JsonObject): { messages: JsonObject[]; cut?: string } => {
    const text = promptText(result, () => link);
    assert.ok(text.length <= 50_000, String(text.length));
    return JSON.parse(text) as { messages: JsonObject[]; cut?: string };
  };

  it('gives a short one whole, and keeps it nowhere', () => {
    const result = { description: 'd', messages: [message('hello'), message('you')] };
    const text = promptText(result, () => assert.fail('nothing is cut'));
    assert.deepEqual(JSON.parse(text), result);
  });

  it('cuts a long one behind what fits, and says where the whole is', () => {
    for (const piece of ['a', '"', '\u0001', '🚂', '\n']) {
      const { messages, cut } = parsed({
        messages: [message('first'), message(piece.repeat(60_000)), message('last')],
      });
      assert.equal(cut, `Not all is shown. The whole prompt: ${link}`);
      assert.deepEqual(messages[0], message('first'));
      assert.equal(messages.length, 2);
      const text = (messages[1]!['content'] as JsonObject)['text'] as string;
      assert.ok(text.startsWith(piece) && text.length > 3_000, String(text.length));
    }
  });

  it('tells the size of what is binary in place of it', () => {
    const image = { role: 'user', content: { type: 'image', mimeType: 'image/png', data: 'A'.repeat(80_000) } };
    const blob = { role: 'user', content: { type: 'resource', resource: { uri: 'f:a', blob: 'A'.repeat(80_000) } } };
    const { messages, cut } = parsed({ messages: [image, blob] });
    assert.equal(cut, undefined);
    assert.match(JSON.stringify(messages), /"data":"\[59 KiB, not shown\]".*"blob":"\[59 KiB, not shown\]"/);
  });
});

describe('fitted', () => {
  it('takes as many as a model can take, and always one', () => {
    const item = { name: 'x'.repeat(9_000) };
    assert.equal(fitted(Array.from({ length: 20 }, () => item)).length, 5);
    assert.equal(fitted([{ name: 'x'.repeat(90_000) }, item]).length, 1);
    assert.equal(fitted([]).length, 0);
  });
});

describe('shownItem', () => {
  it('is short, and names what is too long by its name alone', () => {
    const server = offering('one', { resources: ['f:a'] });
    const [resource] = new AggregateCatalog([server], 'full').list('resources');
    const long = 'd'.repeat(5_000);
    const shown = shownItem({ ...resource!, raw: { ...resource!.raw, description: long, size: 7, other: 1 } });
    assert.deepEqual(
      { ...shown, description: undefined },
      { uri: 'roundhouse://server.one/f:a', name: 'f:a', server: 'one', size: 7, description: undefined },
    );
    assert.equal((shown['description'] as string).length, 300);
    const args = Array.from({ length: 1_000 }, (_, index) => ({ name: `argument-${index}` }));
    const prompt = { ...resource!, name: 'mcp__one__p', raw: { name: 'mcp__one__p', arguments: args } };
    assert.deepEqual(shownItem(prompt), { name: 'mcp__one__p', server: 'one' });
  });
});
