import assert from 'node:assert/strict';
import fc from 'fast-check';
import { describe, it } from 'mocha';
import { aggregateNames, type NameStyle, outwardName, type ToolIdentity } from '../../../../src/core/tools/names.ts';

const runs = { numRuns: 10_000, seed: 20261129 };
const longest: Record<NameStyle, number> = { full: 64, short: 46 };
const style = fc.constantFrom<NameStyle>('full', 'short');
const server = fc.stringMatching(/^[A-Za-z0-9_-]{1,32}$/).filter((id) => !id.includes('__'));
/** Names that meet when they are cut, cleaned or read in another way, among arbitrary ones. */
const tool = fc.oneof(
  fc.string({ unit: 'binary', minLength: 1, maxLength: 256 }),
  fc.constantFrom(
    'search',
    '_search',
    '__search',
    'a.b',
    'a/b',
    'a b',
    'a_b',
    'a_b_00000000',
    'deadbeef',
    'x_deadbeef',
  ),
  fc.tuple(fc.constantFrom('x', 'y'), fc.constantFrom('1', '2')).map(([head, tail]) => head + 'z'.repeat(90) + tail),
);
const identity: fc.Arbitrary<ToolIdentity> = fc.record(
  { server: fc.oneof(server, fc.constantFrom('a', 'a_', 'ab')), tool },
  { noNullPrototype: true },
);

describe('outwardName', () => {
  it('joins prefix, server and tool', () => {
    assert.equal(outwardName({ server: 'files', tool: 'read-file' }, 'full'), 'mcp__files__read-file');
    assert.equal(outwardName({ server: 'files', tool: 'read-file' }, 'short'), 'files__read-file');
  });

  it('makes odd names legal, with a hash', () => {
    for (const tool of ['calendar.respondToEvent', 'a/b', 'Create Volume', 'x'.repeat(65), 'naïve']) {
      assert.match(outwardName({ server: 's', tool }, 'full'), /^mcp__s__[A-Za-z0-9_-]*_[0-9a-f]{8}$/);
    }
  });

  it('keeps two long names apart that share head and tail', () => {
    const name = (middle: string): string =>
      outwardName({ server: 's', tool: `${'h'.repeat(60)}${middle}${'t'.repeat(60)}` }, 'full');
    assert.notEqual(name('1'), name('2'));
    assert.equal(name('1').length, 64);
  });

  it('never changes: these names are in other people’s configurations', () => {
    assert.equal(outwardName({ server: 's', tool: 'a/b' }, 'full'), 'mcp__s__a_b_e43ffca1');
    assert.equal(outwardName({ server: 'a_', tool: 'b' }, 'short'), 'a___b_0b9e6aab');
  });

  it('takes no name of a tool for the hashed name of another', () => {
    const hashed = outwardName({ server: 's', tool: 'a/b' }, 'full').slice('mcp__s__'.length);
    assert.notEqual(outwardName({ server: 's', tool: hashed }, 'full'), `mcp__s__${hashed}`);
    assert.match(outwardName({ server: 's', tool: 'deadbeef' }, 'short'), /^s__deadbeef_[0-9a-f]{8}$/);
  });

  it('stays within alphabet and length for any server and tool', () => {
    fc.assert(
      fc.property(identity, style, (of, how) => {
        const name = outwardName(of, how);
        assert.match(name, /^[A-Za-z0-9_-]+$/);
        assert.ok(name.length <= longest[how]);
        assert.ok(how === 'short' || name.startsWith(`mcp__${of.server}__`));
      }),
      runs,
    );
  });

  it('gives different tools different names', () => {
    fc.assert(
      fc.property(identity, identity, style, (one, other, how) => {
        fc.pre(one.server !== other.server || one.tool !== other.tool);
        assert.notEqual(outwardName(one, how), outwardName(other, how));
      }),
      runs,
    );
  });
});

describe('aggregateNames', () => {
  it('makes the same name of two servers callable', () => {
    const names = aggregateNames(
      ['A', 'B'].map((id) => ({ server: id, tool: 'search' })),
      'full',
    );
    assert.deepEqual(names.resolve('mcp__A__search'), { kind: 'tool', tool: { server: 'A', tool: 'search' } });
    assert.deepEqual(names.resolve('mcp__B__search'), { kind: 'tool', tool: { server: 'B', tool: 'search' } });
    assert.equal(names.resolve('search'), undefined);
  });

  it('does not depend on the order of tools', () => {
    fc.assert(
      fc.property(fc.array(identity, { maxLength: 20 }), fc.infiniteStream(fc.nat()), style, (tools, keys, how) => {
        const shuffled = tools
          .map((item) => ({ item, key: keys.next().value as number }))
          .sort((one, other) => one.key - other.key)
          .map(({ item }) => item);
        const [one, other] = [aggregateNames(tools, how), aggregateNames(shuffled, how)];
        assert.deepEqual(new Map([...one.tools].sort()), new Map([...other.tools].sort()));
        assert.equal(one.tools.size, new Set(tools.map(({ server: id, tool: raw }) => JSON.stringify([id, raw]))).size);
      }),
      { ...runs, numRuns: 1_000 },
    );
  });

  it('reports two tools that meet in one name, and lets neither be called', () => {
    // Found by search: the eight hexadecimal digits of these two are the same.
    const [one, other] = collision;
    const names = aggregateNames([one, { server: 's', tool: 'fine' }, other], 'full');
    const name = outwardName(one, 'full');
    assert.deepEqual(names.collisions, [{ name, tools: [one, other] }]);
    assert.deepEqual(names.resolve(name), { kind: 'ambiguous' });
    assert.deepEqual([...names.tools.keys()], ['mcp__s__fine']);
  });

  it('takes the same tool given twice for one', () => {
    const same = { server: 's', tool: 't' };
    assert.equal(aggregateNames([same, { ...same }], 'full').collisions.length, 0);
  });
});

const collision = [
  { server: 's', tool: '......././//..././..///.' },
  { server: 's', tool: '....../....///.//..///./' },
] as const;
