import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { describe, it } from 'mocha';
import { usedStrings } from '../support/usedStrings.ts';

const read = (path: string): Record<string, string> =>
  JSON.parse(readFileSync(new URL(`../../${path}`, import.meta.url), 'utf8')) as Record<string, string>;

function places(text: string): readonly string[] {
  return [...text.matchAll(/\{(\w+)\}/g)].map((match) => match[1]!).sort();
}

describe('the words that people read', () => {
  const used = usedStrings();

  it('are literals or come from the tables of sentences and checks [UI-5b]', () => {
    const allowed = [/ (?:template|remedy)$/, /(checkNames|skipReasons)\[[\w.]+\]$/];
    const odd = used.computed.filter((place) => !allowed.some((pattern) => pattern.test(place)));
    assert.deepEqual(odd, []);
  });

  for (const bundle of ['l10n/bundle.l10n.json', 'l10n/bundle.l10n.zh-cn.json']) {
    it(`are all in ${bundle}, and nothing else is [UI-5b]`, () => {
      assert.deepEqual(Object.keys(read(bundle)).sort(), used.texts);
    });
  }

  it('keep their places in Chinese', () => {
    for (const [english, chinese] of Object.entries(read('l10n/bundle.l10n.zh-cn.json'))) {
      assert.notEqual(chinese.trim(), '', english);
      assert.deepEqual(places(chinese), places(english), english);
    }
  });

  it('are the same in the English bundle as in the code', () => {
    for (const [key, text] of Object.entries(read('l10n/bundle.l10n.json'))) assert.equal(text, key);
  });

  it('exist in Chinese for all that package.json names [UI-5b]', () => {
    const manifest = readFileSync(new URL('../../package.json', import.meta.url), 'utf8');
    const named = [...manifest.matchAll(/"%([\w.]+)%"/g)].map((match) => match[1]!);
    for (const file of ['package.nls.json', 'package.nls.zh-cn.json']) {
      assert.deepEqual(Object.keys(read(file)).sort(), [...new Set(named)].sort(), file);
    }
  });
});
