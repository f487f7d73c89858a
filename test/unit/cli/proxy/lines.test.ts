import assert from 'node:assert/strict';
import { describe, it } from 'mocha';
import { EventLines } from '../../../../src/cli/proxy/eventLines.ts';
import { Lines } from '../../../../src/cli/proxy/lines.ts';

function cut(chunks: readonly (string | Buffer)[], limit = 100): string[] {
  const said: string[] = [];
  const lines = new Lines({
    limit,
    onLine: (line) => said.push(line.toString()),
    onTooLong: () => said.push('too long'),
  });
  for (const chunk of chunks) lines.push(Buffer.from(chunk));
  lines.end();
  return said;
}

describe('the lines of stdin', () => {
  it('are whole wherever they were cut, characters too, and the last one needs no line end', () => {
    const text = '{"a":"≤😀"}\n{"b":1}\r\n{"c":2}';
    const bytes = Buffer.from(text);
    for (let at = 0; at <= bytes.length; at += 1) {
      assert.deepEqual(cut([bytes.subarray(0, at), bytes.subarray(at)]), ['{"a":"≤😀"}', '{"b":1}\r', '{"c":2}']);
    }
  });

  it('leave out what is blank', () => {
    assert.deepEqual(cut(['\n\r\n \t\n', '1\n\n']), ['1']);
  });

  it('pass over what is too long, whole, and go on behind it', () => {
    assert.deepEqual(cut(['12345', '67', '8\n12\n', '123456789\n1'], 7), ['too long', '12', 'too long', '1']);
    assert.deepEqual(cut(['1234567\n'], 7), ['1234567']);
  });
});

describe('the messages of an event stream', () => {
  it('are the data of its events, wherever it was cut; comments and names are none', () => {
    const bytes = Buffer.from(': \n\nevent: message\ndata: {"a":"ä"}\n\n: \n\nevent: message\ndata: {"b":2}\n\n');
    for (let at = 0; at <= bytes.length; at += 1) {
      const data: string[] = [];
      const events = new EventLines((message) => data.push(message.toString()));
      for (const part of [bytes.subarray(0, at), bytes.subarray(at)]) events.push(part);
      assert.deepEqual(data, ['{"a":"ä"}', '{"b":2}']);
    }
  });
});
