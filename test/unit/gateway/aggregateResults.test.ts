import assert from 'node:assert/strict';
import fc from 'fast-check';
import { describe, it } from 'mocha';
import type { JsonObject } from '../../../src/contract/json.ts';
import { limits } from '../../../src/core/limits.ts';
import { AggregateResults } from '../../../src/gateway/aggregateResults.ts';
import { innerUri } from '../../../src/gateway/aggregateUris.ts';
import { RpcFailure } from '../../../src/gateway/outcomes.ts';
import { ManualClock } from '../../support/manualClock.ts';

interface Content {
  readonly uri: string;
  readonly mimeType?: string;
  readonly text?: string;
  readonly blob?: string;
}

const text = (value: string): JsonObject => ({ type: 'text', text: value });
const { results: most } = limits.aggregate;

function kept() {
  const clock = new ManualClock();
  const results = new AggregateResults(clock);
  const pageAt = (uri: string): readonly Content[] => {
    const inner = innerUri(uri);
    assert.ok(inner?.kind === 'result');
    return results.read(inner.id, inner.page)['contents'] as unknown as readonly Content[];
  };
  /** All parts, without what is said of each page. */
  const whole = (first: string): readonly (readonly Content[])[] => {
    const pages: (readonly Content[])[] = [];
    for (let uri: string | undefined = first; uri !== undefined;) {
      const contents = pageAt(uri);
      pages.push(contents.slice(0, -1));
      uri = /Next page: (\S+)\]$/.exec(contents.at(-1)!.text!)?.[1];
    }
    return pages;
  };
  return { clock, results, pageAt, whole };
}

const linkIn = (result: JsonObject): string | undefined =>
  /roundhouse:\/\/result\/[0-9a-f]{32}/.exec(JSON.stringify(result))?.[0];

describe('AggregateResults', () => {
  it('leaves a small result as it is and keeps nothing', () => {
    const { clock, results } = kept();
    assert.deepEqual(results.bound({ content: [text('x')] }), { content: [text('x')] });
    assert.equal(clock.pending, 0);
  });

  it('gives all text of a result that was cut, in order, and never half a character', () => {
    const piece = fc.oneof(
      fc.integer({ min: 0, max: 90_000 }).map((length) => 'a'.repeat(length)),
      fc.integer({ min: 0, max: 30_000 }).map((length) => `b${'🚂'.repeat(length)}`),
      fc.constant(''),
    );
    fc.assert(
      fc.property(fc.array(piece, { maxLength: 6 }), (pieces) => {
        const { results, whole } = kept();
        const pages = whole(results.keep({ content: pieces.map(text) })!);
        assert.equal(
          pages
            .flat()
            .map((part) => part.text)
            .join(''),
          pieces.join(''),
        );
        for (const page of pages) {
          assert.ok(page.length <= most.parts);
          assert.ok(page.reduce((sum, part) => sum + part.text!.length, 0) <= most.page);
          for (const part of page) assert.doesNotThrow(() => encodeURIComponent(part.text!)); // Fails on halves.
        }
      }),
      { numRuns: 200, seed: 20261130 },
    );
  });

  it('packs many small parts together, and what is binary on a page of its own', () => {
    const { results, whole } = kept();
    const many = Array.from({ length: 100 }, (_, index) => text(String(index)));
    const image = { type: 'image', data: 'AAAA', mimeType: 'image/png' };
    const resource = { type: 'resource', resource: { uri: 'f:a', blob: 'BBBB' } };
    const pages = whole(results.keep({ content: [...many, image, resource], structuredContent: { a: 1 } })!);
    assert.deepEqual(
      pages.map((page) => page.length),
      [48, 48, 4, 1, 1, 1],
    );
    assert.deepEqual(
      pages.slice(3).map(([part]) => ({ mimeType: part!.mimeType, text: part!.text, blob: part!.blob })),
      [
        { mimeType: 'image/png', text: undefined, blob: 'AAAA' },
        { mimeType: undefined, text: undefined, blob: 'BBBB' },
        { mimeType: 'application/json', text: '{"a":1}', blob: undefined },
      ],
    );
  });

  it('keeps so many, the newest, and each for its time', () => {
    const { clock, results, pageAt } = kept();
    const links = Array.from({ length: most.count + 1 }, () => results.keep({ content: [text('x')] })!);
    assert.throws(() => pageAt(links[0]!), RpcFailure);
    assert.equal(pageAt(links[1]!)[0]!.text, 'x');
    clock.advance(most.kept);
    assert.throws(() => pageAt(links.at(-1)!), RpcFailure);
    assert.equal(clock.pending, 0);
  });

  it('keeps no more in all than it may, and says of no address what it does not keep', () => {
    const { results, pageAt } = kept();
    const half = 'x'.repeat(most.size / 2);
    const first = linkIn(results.bound({ content: [text(half)] }))!;
    assert.ok(pageAt(first).length > 0);
    const second = linkIn(results.bound({ content: [text(half)] }))!;
    assert.throws(() => pageAt(first), RpcFailure);
    assert.ok(pageAt(second).length > 0);
    const tooLarge = results.bound({ content: [text(half), text(half)] });
    assert.equal(linkIn(tooLarge), undefined);
    assert.match(JSON.stringify(tooLarge), /characters were left out\./);
    assert.ok(pageAt(second).length > 0);
  });

  it('says how many pages there are to whoever asks for one more', () => {
    const { results, pageAt } = kept();
    const link = results.keep({ content: [text('x'.repeat(most.page + 1))] })!;
    assert.match(pageAt(`${link}/2`).at(-1)!.text!, /^\[Page 2 of 2\. This was the last page\.\]$/);
    assert.throws(() => pageAt(`${link}/3`), /has 2 pages/);
  });
});
