import assert from 'node:assert/strict';
import { describe, it } from 'mocha';
import { inputQuestion } from '../../../../src/vscode/input/inputQuestion.ts';

const hostile = '$(flame)\u202Eevil';

describe('the question about an input of a file', () => {
  it('shows options without icons and hidden characters, and answers them as the file says', () => {
    const { options } = inputQuestion('x', {
      id: 'x',
      type: 'pickString',
      options: ['a', hostile, ''],
      default: hostile,
    });
    assert.deepEqual(options, [
      { label: '$ (flame)<U+202E>evil', value: hostile },
      { label: 'a', value: 'a' },
      { label: '""', value: '' },
    ]);
  });

  it('shows the whole of an option, padding made visible', () => {
    const evil = `production${' '.repeat(200)}; touch x`;
    const long = 'x'.repeat(500);
    const { options } = inputQuestion('x', { id: 'x', type: 'pickString', options: [evil, long] });
    assert.deepEqual(
      options?.map(({ label }) => label),
      ['production<U+0020 × 200>; touch x', long],
    );
  });

  it('types a default only where it is what it looks like', () => {
    const initial = (value: string) => inputQuestion('x', { id: 'x', type: 'promptString', default: value }).initial;
    assert.equal(initial('plain $HOME'), 'plain $HOME');
    assert.equal(initial('a\u202Eb'), '');
    assert.equal(initial('a\nb'), '');
    assert.equal(initial(`main${' '.repeat(300)}; touch x`), '');
  });
});
