import assert from 'node:assert/strict';
import { describe, it } from 'mocha';
import { limits } from '../../../../src/core/limits.ts';
import { EventMeter } from '../../../../src/core/transport/eventMeter.ts';

function faultIn(text: string, size = text.length): string | undefined {
  const meter = new EventMeter();
  const bytes = Buffer.from(text);
  for (let at = 0; at < bytes.length; at += size) meter.push(bytes.subarray(at, at + size));
  return meter.fault;
}

const deep = '['.repeat(limits.json.depth + 1);
const almost = '['.repeat(limits.json.depth);

describe('the meter of an event stream', () => {
  for (const [what, text] of [
    ['in one line', `event: message\ndata: ${deep}\n\n`],
    ['without a blank', `data:${deep}\n\n`],
    ['behind a byte order mark', `\uFEFFdata: ${deep}\n\n`],
    ['over two lines', `data: ${almost}\ndata: [\n\n`],
    ['behind a quote that a line ends', `data: "\ndata: ${deep}\n\n`],
    ['with other lines between', `data: ${almost}\r: "\rid: "]]\rdata: [\r\r`],
    ['behind a quote in an event before', `data: "\r\n\r\ndata: ${deep}\r\n\r\n`],
  ] as const) {
    for (const size of [1, 3, 100_000]) {
      it(`finds data that is nested too deep ${what}, read by ${size} bytes`, () => {
        assert.match(faultIn(text, size) ?? '', /nested deeper/);
      });
    }
  }

  for (const [what, text] of [
    ['each at the limit', `data: ${almost}\n\ndata: ${almost}\n\n`],
    ['with brackets in a string', `data: {"a":"${deep}"}\n\n`],
    ['with brackets in other lines', `: ${deep}\nid: ${deep}\ndatum: ${deep}\n data: ${deep}\ndata: {}\n\n`],
  ] as const) {
    for (const size of [1, 3, 100_000]) {
      it(`lets events pass ${what}, read by ${size} bytes`, () => assert.equal(faultIn(text, size), undefined));
    }
  }
});
