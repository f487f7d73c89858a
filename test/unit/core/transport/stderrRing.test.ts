import assert from 'node:assert/strict';
import { describe, it } from 'mocha';
import { Redactor } from '../../../../src/base/redact.ts';
import { StderrRing } from '../../../../src/core/transport/stderrRing.ts';

function ring(bounds: { line?: number; total?: number; secrets?: string[] } = {}) {
  const lines: string[] = [];
  const { line = 100, total = 10_000, secrets = [] } = bounds;
  const made = new StderrRing({ line, total, redactor: new Redactor(secrets), onLine: (text) => lines.push(text) });
  return { made, lines };
}

function write(made: StderrRing, text: string, size: number): void {
  const bytes = Buffer.from(text);
  for (let at = 0; at < bytes.length; at += size) made.push(bytes.subarray(at, at + size));
}

describe('StderrRing', () => {
  for (const size of [1, 2, 3, 1000]) {
    it(`splits every kind of line end and keeps characters whole, read by ${size} bytes`, () => {
      const { made, lines } = ring();
      write(made, 'one ≤\ntwo 😀\r\nthree\rfour\n\n \nfive', size);
      assert.deepEqual(lines, ['one ≤', 'two 😀', 'three', 'four']);
      made.end();
      assert.deepEqual(lines.at(-1), 'five');
    });
  }

  it('makes escape sequences and control characters harmless', () => {
    const { made, lines } = ring();
    made.push(
      Buffer.from('\u001B[31mred\u001B[0m \u001B]8;;http://x\u0007link\u001B]8;;\u0007 \u0007bell \u202Etxt\n'),
    );
    assert.deepEqual(lines, ['red link [U+0007]bell [U+202E]txt']);
  });

  it('hides a known secret that comes in two chunks, also in the ring', () => {
    const { made, lines } = ring({ secrets: ['canary-value'] });
    made.push(Buffer.from('a canary-'));
    made.push(Buffer.from('value b\n'));
    assert.deepEqual(lines, ['a [redacted] b']);
    assert.deepEqual(made.tail(10, 400), ['a [redacted] b']);
  });

  it('bounds a line that does not end, and shows no part of a secret where it cuts', () => {
    const { made, lines } = ring({ line: 20, secrets: ['canary-value'] });
    for (let i = 0; i < 1000; i += 1)
      made.push(Buffer.from(i === 0 ? `${'x'.repeat(10)} canary-value` : 'y'.repeat(100)));
    made.push(Buffer.from('\nnext\n'));
    assert.deepEqual(lines, ['xxxxxxxxxx [redacted]…', 'next']);
  });

  it('keeps the newest lines within its bound', () => {
    const { made } = ring({ total: 60 });
    for (let i = 0; i < 1000; i += 1) made.push(Buffer.from(`line ${i}\n`));
    const kept = made.tail(100, 400);
    assert.equal(kept.at(-1), 'line 999');
    assert.ok(kept.join('').length <= 60 && kept.length > 3);
  });

  it('reads a bounded amount at a time, by the number of its lines and by their length', () => {
    const { made, lines } = ring({ line: 10_000 });
    const short = Buffer.from('a\n'.repeat(100));
    assert.equal(made.push(short, 10), 20);
    assert.equal(lines.length, 10);
    assert.equal(made.push(short.subarray(20), 100), 180);
    lines.length = 0;
    const long = Buffer.from(`${'eyJ-'.repeat(2_000)}\n`.repeat(8));
    assert.equal(made.push(long, 10), 8_001);
    assert.equal(lines.length, 1);
  });

  it('ends a character that is not whole with its line', () => {
    const { made, lines } = ring();
    made.push(Buffer.concat([Buffer.from('ab'), Buffer.from('ä').subarray(0, 1), Buffer.from('\ncd\n')]));
    assert.deepEqual(lines, ['ab\uFFFD', 'cd']);
  });

  it('gives the last lines, each cut to the asked length', () => {
    const { made } = ring();
    made.push(Buffer.from('first\nsecond is longer\nthird\n'));
    assert.deepEqual(made.tail(2, 8), ['second …', 'third']);
  });
});
