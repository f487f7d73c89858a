import assert from 'node:assert/strict';
import fc from 'fast-check';
import { describe, it } from 'mocha';
import type { JsonObject, JsonValue } from '../../../../src/contract/json.ts';
import { boundForModel } from '../../../../src/core/tools/modelOutput.ts';

const link = 'roundhouse://result/7';
const whole = (result: JsonObject): ReturnType<typeof boundForModel> => boundForModel(result, { whole: true });
const bound = (result: JsonObject): ReturnType<typeof boundForModel> => boundForModel(result, { link: () => link });
const blocksOf = (result: JsonObject): readonly JsonObject[] =>
  bound(result).result['content'] as readonly JsonObject[];
const text = (value: string): JsonObject => ({ type: 'text', text: value });
const image = (data: string): JsonObject => ({ type: 'image', data, mimeType: 'image/png' });
/** All characters towards the model but base64. */
function textIn({ content, ...rest }: JsonObject): number {
  const sizes = (content as readonly JsonObject[]).map((block) => {
    const { text: own, resource, ...others } = block;
    if (block['type'] === 'image') return 0;
    if (typeof own === 'string') return own.length;
    const { text: inner, ...head } = (resource ?? {}) as { readonly text?: string };
    return JSON.stringify({ ...others, ...head }).length + (inner?.length ?? 0) - JSON.stringify({ type: '' }).length;
  });
  return sizes.reduce((sum, size) => sum + size, JSON.stringify(rest).length);
}

const pattern = 'x"'.repeat(2 * 1024 * 1024);

/** Writes out what the generator names by its size, so that a counterexample stays readable: `@3` is `x"x`. */
function large(value: JsonValue): JsonValue {
  return JSON.parse(JSON.stringify(value), (_, item: JsonValue) => {
    const size = typeof item === 'string' ? /^@(\d+)$/.exec(item)?.[1] : undefined;
    return size === undefined ? item : pattern.slice(0, Number(size));
  }) as JsonValue;
}

describe('boundForModel', () => {
  it('passes a small result on', () => {
    const result = {
      content: [text('hello'), image('AAAA'), { type: 'resource', resource: { uri: 'file:///a', text: 'x' } }],
      structuredContent: { n: 1 },
    };
    assert.deepEqual(bound(result), { result, cut: false });
  });

  it('leaves a result whole for a client before the model, where nothing has to be cut or put right', () => {
    const told = { ...text('no'), annotations: { audience: ['user'] }, _meta: { a: 1 } };
    const links = { type: 'resource_link', uri: 'a:b', name: 'b', size: 7 };
    const result = { content: [told, image('AAAA'), links], isError: false, _meta: { a: 1 }, other: { b: [2] } };
    assert.equal(whole(result).result, result);
    const { content } = result;
    for (const other of [
      { ...result, other: 'x'.repeat(50_000) },
      { ...result, other: Array<number>(4_000).fill(-1.2345678901234567e-100) },
      { ...result, content: [...content, { type: 'audio', data: 'AAAA', mimeType: 'audio/wav' }] },
      { ...result, content: [...content, image('AAAA')] },
      { ...result, content: [...content, { type: 'text', text: 7 }] },
      { ...result, content: [...content, { type: 'resource_link', uri: 'a:b' }] },
      { ...result, structuredContent: { at: image('AAAA') } },
      { ...result, content: 'no list' },
    ]) {
      const output = whole(other);
      assert.notEqual(output.result, other);
      assert.equal(output.result['other'], undefined);
    }
  });

  it('keeps isError and drops what no model needs', () => {
    assert.deepEqual(bound({ content: [text('no')], isError: true, _meta: { a: 1 }, other: 2 }).result, {
      content: [text('no')],
      isError: true,
    });
  });

  it('cuts text at 50,000 characters in all, says so and says where the whole is', () => {
    for (const size of [60_000, 200_000, 5_000_000]) {
      const { result, cut } = bound({ content: [text('a'.repeat(size / 2)), text('b'.repeat(size / 2))] });
      const blocks = result['content'] as readonly JsonObject[];
      assert.equal(cut, true);
      assert.ok(textIn(result) <= 50_000, String(textIn(result)));
      const last = blocks[size > 100_000 ? 0 : 1]?.['text'] as string;
      assert.match(
        last,
        /\n\[Cut: \d+ of \d+ characters were left out\. The whole result: roundhouse:\/\/result\/7\]$/,
      );
      assert.ok(last.length > 15_000);
    }
  });

  it('does not cut inside a character', () => {
    const [block] = blocksOf({ content: [text('👩‍👩‍👧'.repeat(20_000))] });
    assert.match(block?.['text'] as string, /^(?:👩‍👩‍👧)+\n\[Cut/u);
  });

  it('shows at most 8 images', () => {
    const blocks = blocksOf({ content: Array.from({ length: 12 }, (_, index) => image(`A${index}`)) });
    assert.equal(blocks.filter(({ type }) => type === 'image').length, 8);
    assert.match(blocks[8]?.['text'] as string, /^\[An image of type image\/png, 1 bytes, is not shown\./);
  });

  it('shows at most 5 MiB of images', () => {
    const three = 'A'.repeat(3 * 1024 * 1024);
    const blocks = blocksOf({ content: [image(three), image(`${three}B`), image('small')] });
    assert.deepEqual(
      blocks.map(({ type }) => type),
      ['image', 'text', 'image'],
    );
    assert.match(blocks[1]?.['text'] as string, /2\.3 MiB/);
  });

  it('shows and counts an image once that comes in content and in structured content', () => {
    const many = Array.from({ length: 8 }, (_, index) => image(`A${index}`));
    const { result, cut } = bound({ content: many, structuredContent: { shots: many } });
    assert.equal(cut, false);
    assert.deepEqual(result['content'], many);
    assert.equal(JSON.stringify(result['structuredContent']).includes('"A0"'), false);
  });

  it('shows an image that comes in structured content alone', () => {
    const { result } = bound({ content: [], structuredContent: { shot: image('AAAA') } });
    assert.deepEqual(result['content'], [image('AAAA')]);
    assert.deepEqual(result['structuredContent'], {
      shot: { type: 'image', mimeType: 'image/png', data: '[see the images in the content]' },
    });
  });

  it('describes audio, binary resources and unknown blocks', () => {
    const data = 'Q'.repeat(4_000);
    const { result, cut } = bound({
      content: [
        { type: 'audio', data, mimeType: 'audio/wav' },
        { type: 'resource', resource: { uri: 'file:///z.zip', blob: data, mimeType: 'application/zip' } },
        { type: 'hologram', payload: data },
        'nothing',
        { type: 'image' },
      ],
      structuredContent: { sound: { type: 'audio', data }, file: { blob: data } },
    });
    assert.equal(cut, true);
    assert.equal(JSON.stringify(result).includes('QQQQ'), false);
    const shown = (result['content'] as readonly JsonObject[]).map((block) => block['text']);
    assert.deepEqual(shown, [
      `[Audio of type audio/wav, 3 KiB, is not shown. The whole result: ${link}]`,
      `[Resource file:///z.zip of type application/zip, 3 KiB, is not shown. The whole result: ${link}]`,
      `[A block of type hologram, is not shown. The whole result: ${link}]`,
      `[A block that is not an object, is not shown. The whole result: ${link}]`,
      `[An image without data, is not shown. The whole result: ${link}]`,
    ]);
  });

  it('leaves structured content out that does not fit, and says so', () => {
    const { result, cut } = bound({ content: [text('short')], structuredContent: { rows: 'x'.repeat(60_000) } });
    assert.equal(cut, true);
    assert.equal(result['structuredContent'], undefined);
    assert.match(JSON.stringify(result), /Structured content was too large and was left out/);
  });

  it('shows at most 64 blocks and counts the others', () => {
    const blocks = blocksOf({ content: Array.from({ length: 100 }, (_, index) => text(String(index))) });
    assert.equal(blocks.length, 63);
    assert.match(blocks[62]?.['text'] as string, /^\[38 more blocks were left out/);
  });

  it('takes a result without content for an empty one', () => {
    assert.deepEqual(bound({}).result, { content: [] });
    assert.deepEqual(bound({ content: 'text' }).result, { content: [] });
  });

  it('holds all bounds for any result', () => {
    const string = fc.constantFrom('', 'short', '@200', '@1000', '@30000', '@60000');
    const data = fc.constantFrom('', 'short', '@1000', '@2097152', '@3145728');
    const block = fc.record(
      {
        type: fc.constantFrom('text', 'image', 'audio', 'resource', 'resource_link', 'odd'),
        text: string,
        data,
        mimeType: string,
        uri: string,
        name: string,
        description: string,
        resource: fc.record({ uri: string, text: string, blob: string }, { requiredKeys: [] }),
      },
      { requiredKeys: ['type'] },
    );
    const result = fc.record({
      content: fc.array(block, { maxLength: 90 }),
      structuredContent: fc.oneof(fc.jsonValue(), fc.array(block, { maxLength: 20 })),
    });
    fc.assert(
      fc.property(result, (raw) => {
        const bounded = bound(large(raw) as JsonObject).result;
        const blocks = bounded['content'] as readonly JsonObject[];
        const images = blocks.filter(({ type }) => type === 'image');
        assert.ok(textIn(bounded) <= 50_000);
        assert.ok(blocks.length <= 64);
        assert.ok(images.length <= 8);
        assert.ok(images.reduce((sum, { data }) => sum + (data as string).length, 0) <= 5 * 1024 * 1024);
      }),
      { numRuns: 200, seed: 20261129 },
    );
  });
});
