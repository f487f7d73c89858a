import assert from 'node:assert/strict';
import fc from 'fast-check';
import { describe, it } from 'mocha';
import { editorLabels, editorToolName, editorTools } from '../../../src/gateway/editorNames.ts';

const runs = { numRuns: 3_000, seed: 20261130 };
const id = fc.oneof(
  fc.stringMatching(/^[A-Za-z0-9_-]{1,32}$/),
  fc.constantFrom(
    'github',
    'GitHub',
    'GITHUB',
    'chrome-devtools',
    'chrome-devtools-2',
    'chrome_d8ae',
    'Chrome-DevTools',
  ),
);
/** Names that meet when they are cut or made legal, among arbitrary ones. */
const name = fc.oneof(
  fc.string({ unit: 'binary', minLength: 1, maxLength: 256 }),
  fc.constantFrom('a.b', 'a/b', 'a_b', 'a_b_00000000', 'deadbeef', 'constructor', '__proto__', 'ä'),
  fc.tuple(fc.constantFrom('x', 'y'), fc.constantFrom('1', '2')).map(([head, tail]) => head + 'z'.repeat(60) + tail),
);
const toolsOf = (names: readonly string[]): { readonly name: string }[] =>
  [...new Set(names)].map((each) => ({ name: each }));

/** What the editor makes of a label and a tool's name (1.139): its id, which may be there once only. */
function editorId(label: string, tool: string): string {
  const prefix = label.toLowerCase().replace(/[^a-z0-9_.-]+/g, '_');
  return `mcp_${prefix.slice(0, 13)}_${tool}`.replaceAll('.', '_').slice(0, 64);
}

describe('editorLabels', () => {
  it('leaves an id of at most 11 characters as it is, and cuts a longer one with a hash', () => {
    const labels = editorLabels(['github', 'exactly-11c', 'chrome-devtools']);
    assert.deepEqual([...labels.values()].sort(), ['chrome_483a', 'exactly-11c', 'github']);
  });

  it('gives every id a label of its own, of at most 11 characters, also where capitals do not count', () => {
    fc.assert(
      fc.property(fc.array(id, { maxLength: 30 }), (ids) => {
        const labels = editorLabels(ids);
        assert.deepEqual(new Set(labels.keys()), new Set(ids));
        assert.equal(new Set([...labels.values()].map((label) => label.toLowerCase())).size, labels.size);
        for (const label of labels.values()) assert.match(label, /^[A-Za-z0-9_-]{1,11}$/);
      }),
      runs,
    );
  });

  it('does not look at the order of the ids', () => {
    fc.assert(
      fc.property(fc.uniqueArray(id, { maxLength: 12 }), (ids) => {
        assert.deepEqual(editorLabels([...ids].reverse()), editorLabels(ids));
      }),
      runs,
    );
  });

  it('keeps the label of a server when others come', () => {
    const before = editorLabels(['github', 'chrome-devtools']);
    const after = editorLabels(['github', 'chrome-devtools', 'a', 'chrome-devtools-2', 'zed']);
    for (const [server, label] of before) assert.equal(after.get(server), label);
  });

  it('finds labels for ids whose hashes meet in their beginning', () => {
    // Each of the two is what the other one is cut to.
    const [label = ''] = editorLabels(['chrome-devtools']).values();
    const labels = editorLabels(['chrome-devtools', label]);
    assert.equal(labels.get(label), label);
    assert.notEqual(labels.get('chrome-devtools'), label);
    assert.match(labels.get('chrome-devtools') ?? '', /^.{11}$/);
  });
});

describe('editorToolName', () => {
  it('leaves a legal name of at most 46 characters as it is', () => {
    for (const tool of ['read-file', 'Create_Volume2', 'x'.repeat(46)]) assert.equal(editorToolName('s', tool), tool);
  });

  it('makes a hash of server and name the end of every other one', () => {
    for (const tool of ['a.b', 'a/b', 'Create Volume', 'naïve', 'x'.repeat(47), 'a_b_00000000']) {
      assert.match(editorToolName('s', tool), /^[A-Za-z0-9_-]{1,37}_[0-9a-f]{8}$/);
    }
    assert.equal(editorToolName('s', 'x'.repeat(47)).length, 46);
    assert.notEqual(editorToolName('s', 'a.b'), editorToolName('other', 'a.b'));
  });
});

describe('editorTools', () => {
  it('keeps all tools of a server apart for the editor, whatever their names', () => {
    fc.assert(
      fc.property(id, fc.array(name, { maxLength: 30 }), (server, names) => {
        const tools = toolsOf(names);
        const outward = editorTools(server, tools);
        assert.deepEqual(new Set(outward.values()), new Set(tools));
        for (const each of outward.keys()) assert.match(each, /^[A-Za-z0-9_-]{1,46}$/);
        const [label = ''] = editorLabels([server]).values();
        assert.equal(new Set([...outward.keys()].map((each) => editorId(label, each))).size, tools.length);
      }),
      runs,
    );
  });

  it('takes nothing but server and name into a name', () => {
    fc.assert(
      fc.property(id, fc.array(name, { minLength: 1, maxLength: 10 }), (server, names) => {
        const outward = editorTools(server, toolsOf(names));
        for (const [each, tool] of outward) assert.deepEqual([...editorTools(server, [tool]).keys()], [each]);
      }),
      runs,
    );
  });

  it('loses no tool where even the hashes meet', () => {
    // Found by trying: both end in the same eight digits, and begin alike.
    const [one, other] = meeting;
    assert.equal(editorToolName('s', one), editorToolName('s', other));
    const outward = editorTools('s', [{ name: one }, { name: other }, { name: 'plain' }]);
    assert.equal(outward.size, 3);
    for (const each of outward.keys()) assert.match(each, /^[A-Za-z0-9_-]{1,46}$/);
  });
});

const meeting = [`${'x'.repeat(50)}73461`, `${'x'.repeat(50)}113810`] as const;
