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
      { label: '$ (flame)[U+202E]evil', value: hostile },
      { label: 'a', value: 'a' },
      { label: '""', value: '' },
    ]);
  });

  it('types a default only where it is what it looks like', () => {
    const initial = (value: string) => inputQuestion('x', { id: 'x', type: 'promptString', default: value }).initial;
    assert.equal(initial('plain $HOME'), 'plain $HOME');
    assert.equal(initial('a\u202Eb'), '');
    assert.equal(initial('a\nb'), '');
  });
});
