import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { describe, it } from 'mocha';
import { citationsBelow, citationsIn, provingFolders } from '../requirements/citations.ts';
import { manifest } from '../requirements/manifest.ts';

const root = path.resolve(path.dirname(fileURLToPath(import.meta.url)), '../..');

describe('the requirements manifest', () => {
  it('has well-formed ids, each once, lettered without gaps', () => {
    const seen = new Set<string>();
    let previous = { paragraph: '', letter: '' };
    for (const { id } of manifest) {
      const match = /^([A-Z]+-\d+)([a-z]?)$/.exec(id);
      assert.ok(match, `${id} is not a clause id`);
      const [, paragraph = '', letter = ''] = match;
      assert.equal(letter === '', paragraph.startsWith('QUAL-'), `${id}: letters are for behaviours, not for rows`);
      assert.ok(!seen.has(id), `${id} stands twice`);
      seen.add(id);
      if (letter !== '') {
        const expected = paragraph === previous.paragraph ? next(previous.letter) : 'a';
        assert.equal(letter, expected, `${id} should have letter ${expected}`);
      }
      previous = { paragraph, letter };
    }
  });

  it('knows every id that a test title cites', () => {
    const known = new Set(manifest.map(({ id }) => id));
    const unknown = citationsBelow(root, 'test').filter(({ id }) => !known.has(id));
    assert.deepEqual(
      unknown.map(({ id, file, title }) => `${id} in ${file}: ${title}`),
      [],
    );
  });

  it('calls a clause delivered only if a scenario, host, editor or page test cites it or other evidence is named', () => {
    const cited = new Set(provingFolders.flatMap((folder) => citationsBelow(root, folder)).map(({ id }) => id));
    const unproven = manifest.filter(
      ({ id, status, evidence }) => status === 'delivered' && !cited.has(id) && evidence === undefined,
    );
    assert.deepEqual(
      unproven.map(({ id, text }) => `${id} ${text}`),
      [],
    );
  });

  it('names as evidence only measures that the bench runs and that tell of the row', () => {
    const run = readFileSync(path.join(root, 'scripts/bench/run.ts'), 'utf8');
    const lists = [...run.matchAll(/^const (?:measures|ofBridges)\b[^=]*= \{([^}]*)\}/gm)];
    const targets = lists.flatMap(([, names = '']) => names.split(',')).map((name) => name.trim());
    const wrong = manifest.flatMap(({ id, evidence }) => {
      if (evidence?.kind !== 'bench') return [];
      const { target } = evidence;
      if (!targets.includes(target)) return [`${id}: the bench has no ${target}`];
      const source = readFileSync(path.join(root, `scripts/bench/${target}.ts`), 'utf8');
      return source.includes(`'${id}'`) ? [] : [`${id}: ${target} measures something else`];
    });
    assert.deepEqual(wrong, []);
  });

  it('names as evidence only unit tests that cite the clause, with the reason why there is no other test', () => {
    const cited = citationsBelow(root, 'test/unit');
    const proven = new Set(provingFolders.flatMap((folder) => citationsBelow(root, folder)).map(({ id }) => id));
    const wrong = manifest.flatMap(({ id, evidence }) => {
      if (evidence?.kind !== 'unit') return [];
      if (proven.has(id)) return [`${id}: a test of the real thing cites it`];
      const found = cited.some((citation) => citation.id === id && citation.file === evidence.file);
      return found && evidence.why.length > 20 ? [] : [`${id}: ${evidence.file} does not cite it`];
    });
    assert.deepEqual(wrong, []);
  });

  it('leaves no row of measurements without its measure, or the test that counts, once it is delivered', () => {
    const rows = manifest.filter(({ id, status }) => id.startsWith('QUAL-') && status === 'delivered');
    const counted = new Set(provingFolders.flatMap((folder) => citationsBelow(root, folder)).map(({ id }) => id));
    assert.deepEqual(
      rows.filter(({ id, evidence }) => evidence?.kind !== 'bench' && !counted.has(id)).map(({ id }) => id),
      [],
    );
  });
});

describe('citations in test titles', () => {
  it('are the ids in brackets at the end of a title', () => {
    const source = `
      it('starts once [CONN-4a, CONN-2a]', () => {});
      it("keeps the user's file [CFG-4d]", async () => {});
      it(
        \`lists \${name} [DISC-1a]\`, () => {});
      describe('all of it [QUAL-9]', () => {});`;
    assert.deepEqual(
      citationsIn(source).map(({ id }) => id),
      ['CONN-4a', 'CONN-2a', 'CFG-4d', 'DISC-1a', 'QUAL-9'],
    );
  });

  it('are neither brackets elsewhere in a title nor in other code', () => {
    assert.deepEqual(citationsIn(`it('takes [CFG-1a] and goes on', f); log('see [CFG-1b]'); split('[CFG-1c]');`), []);
  });
});

function next(letter: string): string {
  return String.fromCharCode(letter.charCodeAt(0) + 1);
}
