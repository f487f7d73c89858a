import assert from 'node:assert/strict';
import { describe, it } from 'mocha';
import type { PolicyWord } from '../../../../src/contract/serverConfig.ts';
import { decide } from '../../../../src/core/policy/decide.ts';

const words: readonly PolicyWord[] = ['allow', 'ask', 'deny'];
const strictest = (...some: PolicyWord[]): PolicyWord => words[Math.max(...some.map((word) => words.indexOf(word)))]!;

describe('decide', () => {
  it('allows where nobody says anything', () => {
    assert.equal(decide('t', {}), 'allow');
    assert.equal(decide('t', { user: { other: 'deny' }, project: {} }), 'allow');
  });

  it('takes the strictest of editor, user, project and a changed definition, in every combination', () => {
    for (const editor of words) {
      for (const user of words) {
        for (const project of words) {
          for (const definitionChanged of [false, true]) {
            const expected = strictest(editor, user, project, definitionChanged ? 'ask' : 'allow');
            assert.equal(
              decide('t', { editor, user: { t: user }, project: { t: project }, definitionChanged }),
              expected,
            );
          }
        }
      }
    }
  });

  it('takes a rule for the tool before the one for all, within one source', () => {
    assert.equal(decide('read', { user: { '*': 'deny', read: 'allow' } }), 'allow');
    assert.equal(decide('write', { user: { '*': 'deny', read: 'allow' } }), 'deny');
    assert.equal(decide('read', { user: { read: 'deny', '*': 'allow' } }), 'deny');
  });

  it('lets no project loosen what the person says', () => {
    assert.equal(decide('t', { user: { '*': 'deny' }, project: { t: 'allow' } }), 'deny');
  });

  it('finds no rules in a prototype', () => {
    for (const name of ['constructor', '__proto__', 'toString']) assert.equal(decide(name, { user: {} }), 'allow');
    const own = JSON.parse('{"__proto__":"deny"}') as Record<string, PolicyWord>;
    assert.equal(decide('__proto__', { user: own }), 'deny');
  });

  it('takes a word that is none for a denial', () => {
    assert.equal(decide('t', { user: { t: 'Allow' as PolicyWord } }), 'deny');
  });
});
