import assert from 'node:assert/strict';
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

  it('calls a clause delivered only if a scenario, host, editor or page test cites it', () => {
    const cited = new Set(provingFolders.flatMap((folder) => citationsBelow(root, folder)).map(({ id }) => id));
    const unproven = manifest.filter(({ id, status }) => status === 'delivered' && !cited.has(id));
    assert.deepEqual(
      unproven.map(({ id, text }) => `${id} ${text}`),
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
