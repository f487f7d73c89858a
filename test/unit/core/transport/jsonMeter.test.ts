import assert from 'node:assert/strict';
import { describe, it } from 'mocha';
import fc from 'fast-check';
import { limits } from '../../../../src/core/limits.ts';
import { JsonMeter } from '../../../../src/core/transport/jsonMeter.ts';
import { processorTime } from '../../../support/processorTime.ts';

/** What a text costs, told by the parser: its levels, and its opening brackets, commas and colons. */
function costOf(value: unknown): { depth: number; marks: number } {
  if (typeof value !== 'object' || value === null) return { depth: 0, marks: 0 };
  const children = Object.values(value).map(costOf);
  const colons = Array.isArray(value) ? 0 : children.length;
  return {
    depth: 1 + Math.max(0, ...children.map(({ depth }) => depth)),
    marks: 1 + colons + Math.max(0, children.length - 1) + children.reduce((sum, { marks }) => sum + marks, 0),
  };
}

/** Strings full of what has a meaning outside of them. */
const awkward = fc.string({ unit: fc.constantFrom('"', '\\', '[', '{', ']', ',', ':', 'ä', 'x'), maxLength: 150 });
const anyJson = fc.letrec<{ value: unknown }>((tie) => ({
  value: fc.oneof(
    { maxDepth: 5 },
    fc.oneof(awkward, fc.integer(), fc.constant(null)),
    fc.array(tie('value'), { maxLength: 5 }),
    fc.dictionary(awkward, tie('value'), { maxKeys: 4 }),
  ),
})).value;

describe('JsonMeter', () => {
  it('finds levels and marks exactly, whatever stands in strings and wherever the bytes are cut', () => {
    fc.assert(
      fc.property(anyJson, fc.array(fc.nat(), { maxLength: 8 }), fc.boolean(), (value, cuts, spaced) => {
        const bytes = Buffer.from(JSON.stringify(value, undefined, spaced ? 1 : 0));
        const borders = [0, ...cuts.map((cut) => cut % (bytes.length + 1)).sort((a, b) => a - b), bytes.length];
        const faultWith = (bounds: { depth: number; marks: number }): string | undefined => {
          const meter = new JsonMeter(bounds);
          for (let i = 1; i < borders.length; i += 1) {
            const fault = meter.push(bytes.subarray(borders[i - 1], borders[i]));
            if (fault !== undefined) return fault;
          }
          return undefined;
        };
        const { depth, marks } = costOf(value);
        assert.equal(faultWith({ depth, marks }), undefined);
        if (depth === 0) return;
        assert.match(faultWith({ depth: depth - 1, marks }) ?? '', /nested deeper/);
        assert.match(faultWith({ depth, marks: marks - 1 }) ?? '', /holds more/);
      }),
      { seed: 11, numRuns: 1_000 },
    );
  });

  it('refuses what takes many seconds to parse, and takes what a large list of tools is made of', () => {
    const tool = { name: 'tool', inputSchema: { type: 'object', properties: {} as Record<string, unknown> } };
    for (let count = 0; count < 40; count += 1) {
      tool.inputSchema.properties[`property${count}`] = {
        type: 'string',
        description: 'What it means, in some words.',
      };
    }
    const list = Buffer.from(JSON.stringify({ tools: Array.from({ length: 10_000 }, () => tool) }));
    assert.ok(list.length > 25 * 2 ** 20);
    assert.equal(new JsonMeter().push(list), undefined);
    for (const unit of ['{},', '[],', '1,', '"":[],']) {
      assert.match(new JsonMeter().push(Buffer.from(`[${unit.repeat(20 * 2 ** 20)}0]`)) ?? '', /holds more/);
    }
    assert.match(new JsonMeter().push(Buffer.from('['.repeat(limits.json.depth + 1))) ?? '', /nested deeper/);
  });

  it('costs a fraction of the parsing of a long text', () => {
    for (const text of ['x'.repeat(40 * 2 ** 20), '\\n'.repeat(10 * 2 ** 20)]) {
      const bytes = Buffer.from(JSON.stringify({ text }));
      const best = (work: () => unknown): number => Math.min(...Array.from({ length: 5 }, () => processorTime(work)));
      const metered = best(() => new JsonMeter().push(bytes));
      const parsed = best(() => JSON.parse(bytes.toString('utf8')) as unknown);
      assert.ok(metered < parsed / 2, `${metered} ms against ${parsed} ms`);
    }
  });

  it('begins anew where it is told that the next text begins', () => {
    const meter = new JsonMeter({ depth: 1, marks: 2 });
    for (let count = 0; count < 5; count += 1) {
      assert.equal(meter.push(Buffer.from('[1,"')), undefined);
      meter.reset();
    }
  });
});
