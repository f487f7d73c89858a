import assert from 'node:assert/strict';
import { describe, it } from 'mocha';
import type { JsonValue } from '../../../../src/contract/json.ts';
import { toResultPage } from '../../../../src/contract/pageMessages.ts';
import { promptView } from '../../../../src/vscode/results/promptView.ts';
import { durationText, resultView } from '../../../../src/vscode/results/resultView.ts';
import { english } from '../../../../src/vscode/translate.ts';

const facts = { server: 'everything', tool: 'echo', milliseconds: 12 };

function blocks(...content: JsonValue[]) {
  const view = resultView({ content }, facts, english);
  // What the extension makes, the page must accept.
  assert.deepEqual(toResultPage.parse({ type: 'show', result: view }).result.blocks, view.blocks);
  return view.blocks;
}

describe('a result as it is shown', () => {
  it('lays out text that is JSON and leaves other text as it is', () => {
    assert.deepEqual(blocks({ type: 'text', text: '{"a":1}' }, { type: 'text', text: '{not json' }), [
      { kind: 'text', text: '{\n  "a": 1\n}', format: 'json' },
      { kind: 'text', text: '{not json', format: 'plain' },
    ]);
  });

  it('changes nothing in JSON but its blanks', () => {
    const text = String.raw`{"id":9007199254740993,"b":1.0,"x":1,"x":2, "é":"\u00e9 \"{,}\" \\", "none":[ ],"of":{}}`;
    const [block] = blocks({ type: 'text', text });
    assert.deepEqual(block, {
      kind: 'text',
      text: String.raw`{
  "id": 9007199254740993,
  "b": 1.0,
  "x": 1,
  "x": 2,
  "é": "\u00e9 \"{,}\" \\",
  "none": [],
  "of": {}
}`,
      format: 'json',
    });
  });

  it('lays out JSON as the platform does where that changes no value', () => {
    const value = { a: [[], {}, [1, [true, null]], { b: { c: '\n\u2028' } }], d: -1.5e-7, '': '' };
    for (const text of [JSON.stringify(value), JSON.stringify(value, null, '\t')]) {
      assert.deepEqual(blocks({ type: 'text', text }), [
        { kind: 'text', text: JSON.stringify(value, null, 2), format: 'json' },
      ]);
    }
  });

  it('leaves JSON as it is that is nested beyond reading', () => {
    const text = '['.repeat(900_000) + ']'.repeat(900_000);
    assert.deepEqual(blocks({ type: 'text', text }), [{ kind: 'text', text, format: 'plain' }]);
  });

  it('shows bitmaps, and no SVG and no odd data, as images', () => {
    const [png, svg, odd] = blocks(
      { type: 'image', mimeType: 'image/png', data: 'AAAA' },
      { type: 'image', mimeType: 'image/svg+xml', data: 'AAAA' },
      { type: 'image', mimeType: 'image/png', data: '"><script>' },
    );
    assert.equal(png!.kind, 'image');
    assert.equal(svg!.kind, 'other');
    assert.equal(odd!.kind, 'other');
  });

  it('plays audio only of an audio type', () => {
    const [good, bad] = blocks(
      { type: 'audio', mimeType: 'audio/wav', data: 'AAAA' },
      { type: 'audio', mimeType: 'text/html', data: 'AAAA' },
    );
    assert.equal(good!.kind, 'audio');
    assert.equal(bad!.kind, 'other');
  });

  it('shows embedded text, an embedded image as an image, and only the size of other bytes', () => {
    const resource = (part: Record<string, string>) => ({ type: 'resource', resource: { uri: 'x://y', ...part } });
    assert.deepEqual(
      blocks(
        resource({ text: 'hello', mimeType: 'text/plain' }),
        resource({ blob: 'AAAA', mimeType: 'image/png' }),
        resource({ blob: 'AAAAAAAA', mimeType: 'application/zip' }),
      ).map(({ kind }) => kind),
      ['resource', 'image', 'resource'],
    );
  });

  it('shows what a server sent in place of content, marked as malformed', () => {
    const shown = (result: Record<string, JsonValue>) => {
      const view = resultView(result, facts, english);
      assert.deepEqual(toResultPage.parse({ type: 'show', result: view }).result.blocks, view.blocks);
      return view.blocks.map((block) => (block.kind === 'other' ? [block.type, block.summary] : block.kind));
    };
    assert.deepEqual(shown({ content: 'hello' }), [
      ['Malformed result: its content is not a list. The server sent:', '"hello"'],
    ]);
    assert.deepEqual(shown({ toolResult: 7, isError: true, _meta: {} }), [
      ['Malformed result: it has no content. The server sent:', '{\n  "toolResult": 7\n}'],
    ]);
    for (const plain of [{}, { content: [] }, { structuredContent: {} }, { isError: true }]) {
      assert.deepEqual(shown(plain), []);
    }
  });

  it('keeps what it does not know as a summary', () => {
    const [unknown, number] = blocks({ type: 'hologram', x: 1 }, 5);
    assert.deepEqual(unknown, { kind: 'other', type: 'hologram', summary: '{\n  "type": "hologram",\n  "x": 1\n}' });
    assert.equal(number!.kind, 'other');
  });

  it('shows the first of very many parts, and says how many it leaves out and where all are', () => {
    const shown = blocks(...Array<JsonValue>(100_000).fill(0));
    assert.equal(shown.length, 501);
    const rest = { type: 'Parts not shown: 99500', summary: '“Open as JSON” shows all of them.' };
    assert.deepEqual(shown.at(-1), { kind: 'other', ...rest });
    assert.equal(blocks(...Array<JsonValue>(500).fill(0)).length, 500);
    const messages = Array.from({ length: 100_000 }, () => ({ role: 'user', content: { type: 'text', text: 'hi' } }));
    assert.deepEqual(promptView({ messages }, facts, english).blocks.at(-1), {
      ...{ kind: 'other', ...rest, type: 'Parts not shown: 99750' },
    });
  });

  it('names tool and server of a failure', () => {
    const view = resultView({ isError: true, content: [] }, facts, english);
    assert.match(view.failure!, /echo.*everything/);
    assert.equal(resultView({ content: [] }, facts, english).failure, undefined);
  });

  it('lays out structured content, an empty one too', () => {
    assert.equal(
      resultView({ structuredContent: { a: [1] } }, facts, english).structured,
      '{\n  "a": [\n    1\n  ]\n}',
    );
    assert.equal(resultView({ structuredContent: {} }, facts, english).structured, '{}');
  });

  it('shows structured content once that is in text as well, and an image once', () => {
    const copy = { type: 'text', text: '{"a":[1]}' };
    const view = resultView({ content: [copy], structuredContent: { a: [1] } }, facts, english);
    assert.deepEqual([view.blocks, view.structured], [[], '{\n  "a": [\n    1\n  ]\n}']);
    const image = { type: 'image', mimeType: 'image/png', data: 'AAAA' };
    const both = resultView({ content: [image], structuredContent: { image: 'AAAA' } }, facts, english);
    assert.doesNotMatch(both.structured!, /AAAA/);
    assert.equal(both.blocks.length, 1);
  });

  it('says how long it took in words', () => {
    assert.equal(durationText(12.4, english), '12 ms');
    assert.equal(durationText(1234, english), '1.2 s');
  });

  it('shows the messages of a prompt under who says them', () => {
    const result = {
      messages: [
        { role: 'user', content: { type: 'text', text: 'hi' } },
        { role: 'assistant', content: [{ type: 'text', text: 'yes' }] },
      ],
    };
    assert.deepEqual(
      promptView(result, facts, english).blocks.map((block) => ('text' in block ? block.text : block.kind)),
      ['User', 'hi', 'Assistant', 'yes'],
    );
  });
});
