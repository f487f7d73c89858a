import assert from 'node:assert/strict';
import { describe, it } from 'mocha';
import { mock } from 'node:test';
import fc from 'fast-check';
import { FrameReader } from '../../../../src/core/transport/frameReader.ts';
import { transportErrorCode } from '../../../../src/core/transport/transportError.ts';

interface Message {
  readonly id?: unknown;
  readonly method?: unknown;
  readonly result?: Record<string, unknown>;
  readonly error?: { readonly code: number; readonly message: string; readonly data?: unknown };
}

function reading(limit = 1000, edge = 100) {
  const messages: Message[] = [];
  const noise: string[] = [];
  let lost = 0;
  const reader = new FrameReader({
    limit,
    edge,
    onMessage: (message) => messages.push(message),
    onNoise: (line) => noise.push(line),
    onLost: () => (lost += 1),
  });
  return { reader, messages, noise, lost: () => lost };
}

const result = (id: unknown, value: Record<string, unknown> = {}): string =>
  JSON.stringify({ jsonrpc: '2.0', id, result: value });

function pushIn(reader: FrameReader, bytes: Buffer, size: number): void {
  for (let at = 0; at < bytes.length; at += size) reader.push(bytes.subarray(at, at + size));
}

describe('FrameReader', () => {
  it('delivers messages in order however the bytes are cut, characters whole', () => {
    const texts = ['≤', '😀', 'plain', '\u2028'];
    const bytes = Buffer.from(
      texts.map((text, id) => `${result(id, { text })}${id % 2 === 0 ? '\n' : '\r\n'}`).join(''),
    );
    fc.assert(
      fc.property(fc.array(fc.integer({ min: 0, max: bytes.length }), { maxLength: 12 }), (cuts) => {
        const { reader, messages, noise } = reading();
        const borders = [0, ...[...cuts].sort((a, b) => a - b), bytes.length];
        for (let i = 1; i < borders.length; i += 1) reader.push(bytes.subarray(borders[i - 1], borders[i]));
        assert.deepEqual(
          messages.map((message) => message.result?.['text']),
          texts,
        );
        assert.deepEqual(noise, []);
      }),
      { seed: 3, numRuns: 100 },
    );
  });

  it('takes a message behind blanks that came before it', () => {
    const { reader, messages } = reading();
    reader.push(Buffer.from(' \t'));
    reader.push(Buffer.from(`${result(1, { text: 'x'.repeat(300) })}\n`));
    assert.equal(messages.length, 1);
  });

  it('takes a byte order mark before the first message', () => {
    const { reader, messages } = reading();
    reader.push(Buffer.from(`\uFEFF${result(1)}\n`));
    assert.equal(messages.length, 1);
  });

  it('counts as noise whatever is no message, and goes on', () => {
    const { reader, messages, noise } = reading();
    const lines = [
      'hello',
      '',
      '  ',
      '[1,2]',
      '[]',
      '"x"',
      '{"a":1}',
      '{"jsonrpc":"2.0","id":{},"result":{}}',
      '{broken',
    ];
    reader.push(Buffer.from([result(1), ...lines, result(2), ''].join('\n')));
    assert.deepEqual(
      messages.map((message) => message.id),
      [1, 2],
    );
    assert.deepEqual(noise, ['hello', '', '', ...lines.slice(3)]);
  });

  it('takes requests, notifications and the messages of a batch', () => {
    const { reader, messages } = reading();
    const request = '{"jsonrpc":"2.0","id":"a","method":"ping"}';
    const notification = '{"jsonrpc":"2.0","method":"notifications/x"}';
    reader.push(Buffer.from(`${request}\n[${notification},${result(5)}]\n`));
    assert.deepEqual(
      messages.map((message) => message.method ?? message.id),
      ['ping', 'notifications/x', 5],
    );
  });

  for (const [answer, fault] of [
    ['"result":"text"', 'its result is not an object but "text"'],
    ['"result":null', 'its result is not an object but null'],
    ['"result":[1]', 'its result is not an object but [1]'],
    ['"error":"boom"', 'its error is not an error object but "boom"'],
    ['"error":{"message":"boom"}', 'its error is not an error object but {"message":"boom"}'],
    ['"a":1', 'it has neither a result nor an error'],
  ] as const) {
    it(`fails the call whose answer has neither a result nor an error, and keeps what it says: ${answer}`, () => {
      const { reader, messages } = reading();
      reader.push(Buffer.from(`{"jsonrpc":"2.0","id":4,${answer}}\n`));
      assert.equal(messages[0]?.id, 4);
      assert.equal(transportErrorCode(messages[0].error!), 'invalidResponse');
      assert.equal(messages[0].error!.message, fault);
    });
  }

  it('delivers a last message that has no line end, once the stream has ended', () => {
    const { reader, messages } = reading();
    reader.push(Buffer.from(result(1)));
    assert.equal(messages.length, 0);
    reader.end();
    assert.equal(messages.length, 1);
    reader.end();
    assert.equal(messages.length, 1);
  });

  it('takes a frame of exactly the limit', () => {
    const frame = result(1, { text: 'x'.repeat(500) });
    const { reader, messages } = reading(frame.length);
    pushIn(reader, Buffer.from(`${frame}\n`), 64);
    assert.equal(messages.length, 1);
  });

  for (const [where, frame] of [
    ['before the result', `{"jsonrpc":"2.0","id":"ä7","result":{"text":"${'x'.repeat(2000)}"}}`],
    ['behind the result', `{"result":{"text":"${'x'.repeat(2000)}"},"jsonrpc":"2.0","id":"ä7"}`],
  ] as const) {
    for (const size of [1, 64, 5000]) {
      it(`fails the call of a frame above the limit with its id ${where}, read by ${size} bytes`, () => {
        const { reader, messages, noise, lost } = reading();
        pushIn(reader, Buffer.from(`${frame}\n${result(2)}\n`), size);
        assert.equal(messages.length, 2);
        assert.equal(messages[0]?.id, 'ä7');
        assert.equal(transportErrorCode(messages[0].error!), 'frameTooLarge');
        assert.equal(messages[1]?.id, 2);
        assert.deepEqual([noise, lost()], [[], 0]);
      });
    }
  }

  it('reports a frame above the limit that answers no call, and goes on', () => {
    const { reader, messages, lost } = reading();
    const request = `{"jsonrpc":"2.0","id":2,"method":"x","params":{"text":"${'x'.repeat(2000)}"}}`;
    reader.push(Buffer.from(`${request}\n${result(1)}\n`));
    assert.deepEqual([messages.map((message) => message.id), lost()], [[1], 1]);
  });

  for (const [what, value] of [
    ['nested without end', '['.repeat(100_000) + ']'.repeat(100_000)],
    ['of more values than can be parsed at once', `[${'{},'.repeat(4_000_000)}0]`],
  ] as const) {
    for (const size of [64 * 1024, Number.POSITIVE_INFINITY]) {
      it(`fails the call whose answer is ${what} without parsing it, read by ${size} bytes, and goes on`, () => {
        const { reader, messages, noise, lost } = reading(64 * 2 ** 20);
        const bytes = Buffer.from(`{"jsonrpc":"2.0","id":7,"result":{"a":${value}}}\n${result(8)}\n`);
        pushIn(reader, bytes, Math.min(size, bytes.length));
        assert.deepEqual([messages.map(({ id }) => id), noise, lost()], [[7, 8], [], 0]);
        assert.equal(transportErrorCode(messages[0]!.error!), 'invalidResponse');
      });
    }
  }

  it('reports a notification that is nested too deep, and goes on', () => {
    const { reader, messages, noise, lost } = reading(2 ** 20);
    const deep = `{"jsonrpc":"2.0","method":"x","params":{"a":${'['.repeat(5_000)}${']'.repeat(5_000)}}}`;
    reader.push(Buffer.from(`${deep}\n${result(1)}\n`));
    assert.deepEqual([messages.map(({ id }) => id), noise, lost()], [[1], [], 1]);
  });

  it('takes many brackets in a line that cannot be a message for what they are', () => {
    for (const size of [7, 5_000]) {
      const { reader, messages, noise, lost } = reading(2 ** 20, 10_000);
      pushIn(reader, Buffer.from(`see ${'['.repeat(5_000)}\n${result(1)}\n`), size);
      assert.deepEqual([messages.length, noise.length, lost()], [1, 1, 0]);
    }
  });

  it('keeps no more than a sample of a line of noise without end', () => {
    const { reader, noise, lost } = reading(1_000_000, 100);
    const line = Buffer.alloc(1024 * 1024, 'x');
    const copied = countCopies(() => {
      for (let i = 0; i < 64; i += 1) reader.push(line);
    });
    assert.ok(copied <= 200, `${copied} bytes`);
    reader.push(Buffer.from('\n'));
    assert.deepEqual([noise.map((line) => line.length), lost()], [[100], 0]);
  });

  it('copies each byte a bounded number of times, whatever the size of frame and chunks', () => {
    const copies = (mebibytes: number, chunk: number): number => {
      const { reader, messages } = reading(64 * 1024 * 1024, 16 * 1024);
      const bytes = Buffer.from(`${result(1, { text: 'x'.repeat(mebibytes * 1024 * 1024) })}\n`);
      const counted = countCopies(() => pushIn(reader, bytes, chunk));
      assert.equal(messages.length, 1);
      return counted / bytes.length;
    };
    for (const [size, chunk] of [
      [1, 128],
      [2, 4096],
      [6, 65_536],
    ] as const) {
      assert.ok(copies(size, chunk) < 3.1, `${size} MiB in chunks of ${chunk}`);
    }
  });

  it('never throws and never loses a good message among arbitrary lines', () => {
    const line = fc.oneof(
      fc.string().map((text) => text.replaceAll('\n', ' ')),
      fc.json().map((text) => text.replaceAll('\n', ' ')),
      fc
        .uint8Array({ maxLength: 300 })
        .map((bytes) => Buffer.from(bytes.filter((byte) => byte !== 10)).toString('latin1')),
    );
    fc.assert(
      fc.property(fc.array(line, { maxLength: 8 }), fc.integer({ min: 1, max: 200 }), (lines, size) => {
        const { reader, messages } = reading(150, 20);
        const all = lines.flatMap((text, id) => [text, result(`good-${id}`)]);
        pushIn(reader, Buffer.from(`${all.join('\n')}\n`, 'latin1'), size);
        const good = messages.filter((message) => String(message.id).startsWith('good-'));
        assert.equal(good.length, lines.length);
      }),
      { seed: 11, numRuns: 100 },
    );
  });
});

/** Bytes copied by `copy` of buffers and by `Buffer.concat` while `work` runs. */
function countCopies(work: () => void): number {
  const copy = mock.method(Buffer.prototype as Buffer, 'copy');
  const concat = mock.method(Buffer, 'concat');
  try {
    work();
    const copied = copy.mock.calls.map(({ result }) => Number(result));
    const joined = concat.mock.calls.map(({ result }) => Buffer.byteLength(result ?? ''));
    return [...copied, ...joined].reduce((sum, bytes) => sum + bytes, 0);
  } finally {
    mock.restoreAll();
  }
}
