import assert from 'node:assert/strict';
import { describe, it } from 'mocha';
import type { PolicyWord } from '../../../../src/contract/serverConfig.ts';
import {
  decide,
  explain,
  explainAll,
  isLiftable,
  type PolicyRules,
  strictestOf,
} from '../../../../src/core/policy/decide.ts';

const words: readonly PolicyWord[] = ['allow', 'ask', 'deny'];
const strictest = (...some: PolicyWord[]): PolicyWord => words[Math.max(...some.map((word) => words.indexOf(word)))]!;

describe('decide', () => {
  it('allows where nobody says anything', () => {
    assert.equal(decide('t', {}), 'allow');
    assert.equal(decide('t', { personEntry: { other: 'deny' }, project: {} }), 'allow');
  });

  it('takes the strictest of editor, user, project and a changed definition, in every combination', () => {
    for (const editor of words) {
      for (const user of words) {
        for (const project of words) {
          for (const definitionChanged of [false, true]) {
            const expected = strictest(editor, user, project, definitionChanged ? 'ask' : 'allow');
            const source = { setting: 'x', wordOf: () => editor };
            const changed = new Map(definitionChanged ? [['t', 'new'] as const] : []);
            assert.equal(
              decide('t', { editor: source, personEntry: { t: user }, project: { t: project }, changed }),
              expected,
            );
          }
        }
      }
    }
  });

  it('takes a rule for the tool before the one for all, within one source', () => {
    assert.equal(decide('read', { personEntry: { '*': 'deny', read: 'allow' } }), 'allow');
    assert.equal(decide('write', { personEntry: { '*': 'deny', read: 'allow' } }), 'deny');
    assert.equal(decide('read', { personEntry: { read: 'deny', '*': 'allow' } }), 'deny');
  });

  it('lets no project loosen what the person says', () => {
    assert.equal(decide('t', { personEntry: { '*': 'deny' }, project: { t: 'allow' } }), 'deny');
  });

  it('finds no rules in a prototype', () => {
    for (const name of ['constructor', '__proto__', 'toString'])
      assert.equal(decide(name, { personEntry: {} }), 'allow');
    const own = JSON.parse('{"__proto__":"deny"}') as Record<string, PolicyWord>;
    assert.equal(decide('__proto__', { personEntry: own }), 'deny');
  });

  it('takes a word that is none for a denial', () => {
    assert.equal(decide('t', { personEntry: { t: 'Allow' as PolicyWord } }), 'deny');
  });

  it('takes both places where the person’s rules stand, and the stricter of the two', () => {
    assert.equal(decide('t', { personEntry: { t: 'allow' }, personFile: { '*': 'deny' } }), 'deny');
    assert.equal(decide('t', { personEntry: { t: 'ask' }, personFile: { t: 'allow' } }), 'ask');
  });

  it('lifts an ask for the window, never a denial', () => {
    const granted = new Set(['t']);
    assert.deepEqual(explain('t', { personEntry: { t: 'ask' }, granted }), { word: 'allow', by: { kind: 'window' } });
    assert.deepEqual(explain('t', { changed: new Map([['t', 'definition']]), granted }).by, { kind: 'window' });
    assert.equal(decide('t', { personEntry: { t: 'deny' }, granted }), 'deny');
    assert.equal(decide('other', { personEntry: { '*': 'ask' }, granted }), 'ask');
  });

  it('asks each time where the editor asks, whatever is allowed for the window', () => {
    const editor = { setting: 'chat.x', wordOf: () => 'ask' as const };
    for (const rules of [{}, { personEntry: { t: 'ask' as const } }, { changed: new Map([['t', 'new' as const]]) }]) {
      const decision = explain('t', { ...rules, editor, granted: new Set(['t']) });
      assert.deepEqual(decision, { word: 'ask', by: { kind: 'editor', setting: 'chat.x' } });
      assert.equal(isLiftable(decision), false);
    }
    assert.equal(isLiftable(explain('t', { personEntry: { t: 'ask' } })), true);
  });

  it('asks about every tool while the rules of the person are not known', () => {
    assert.deepEqual(explain('t', { unknown: true }), { word: 'ask', by: { kind: 'unknown' } });
    assert.equal(decide('t', { unknown: true, project: { t: 'allow' }, personFile: { t: 'allow' } }), 'ask');
    assert.equal(decide('t', { unknown: true, project: { t: 'deny' } }), 'deny');
    assert.equal(decide('t', { unknown: true, granted: new Set(['t']) }), 'allow');
  });

  it('takes the key "*" for all tools only: a tool of that name has no rule of its own', () => {
    const all = { personEntry: { '*': 'ask', t: 'deny' } } as const;
    assert.deepEqual(explain('*', all), { word: 'ask', by: { kind: 'personEntry', all: true } });
    // What is known of the tool says nothing of all tools.
    const named = { ...all, changed: new Map([['*', 'new' as const]]), granted: new Set(['*']) };
    assert.deepEqual(explainAll(named), { word: 'ask', by: { kind: 'personEntry', all: true } });
    const editor = { setting: 'chat.x', wordOf: () => 'ask' as const };
    assert.deepEqual(explainAll({ editor }).by, { kind: 'default' });
    assert.deepEqual(explainAll({ unknown: true }).by, { kind: 'unknown' });
  });
});

describe('explain', () => {
  const by = (rules: PolicyRules, tool = 't'): unknown => explain(tool, rules).by;
  const editor = { setting: 'chat.x', wordOf: (tool: string) => (tool === 't' ? ('ask' as const) : undefined) };

  it('names the rule that decided', () => {
    assert.deepEqual(by({}), { kind: 'default' });
    assert.deepEqual(by({ personEntry: { t: 'ask' } }), { kind: 'personEntry', all: false });
    assert.deepEqual(by({ personEntry: { '*': 'ask' } }), { kind: 'personEntry', all: true });
    assert.deepEqual(by({ personEntry: { '*': 'ask' } }, '*'), { kind: 'personEntry', all: true });
    assert.deepEqual(by({ personFile: { t: 'allow' } }), { kind: 'personFile', all: false });
    assert.deepEqual(by({ project: { '*': 'deny' }, personEntry: { t: 'ask' } }), { kind: 'project', all: true });
    assert.deepEqual(by({ editor }), { kind: 'editor', setting: 'chat.x' });
    assert.deepEqual(by({ editor }, 'other'), { kind: 'default' });
    assert.deepEqual(by({ changed: new Map([['t', 'annotations']]) }), { kind: 'changed', change: 'annotations' });
  });

  it('names a rule that allows before the absence of one, and of equally strict ones the first', () => {
    assert.deepEqual(by({ personEntry: { t: 'allow' } }), { kind: 'personEntry', all: false });
    assert.deepEqual(by({ personEntry: { t: 'ask' }, project: { t: 'ask' } }), { kind: 'personEntry', all: false });
    assert.deepEqual(by({ personEntry: { t: 'ask' }, changed: new Map([['t', 'new']]) }), {
      kind: 'changed',
      change: 'new',
    });
    assert.deepEqual(by({ personEntry: { t: 'ask' }, editor }), { kind: 'editor', setting: 'chat.x' });
  });
});

describe('strictestOf', () => {
  it('says of each tool what the strictest of its sources says of it, also by their rules for all tools', () => {
    const merged = strictestOf([
      { '*': 'ask', read: 'allow' },
      { write: 'deny', read: 'allow' },
      { read: 'allow', drop: 'allow' },
    ])!;
    const words = ['read', 'write', 'drop', 'other'].map((tool) => decide(tool, { project: merged }));
    assert.deepEqual(words, ['allow', 'deny', 'ask', 'ask']);
    assert.equal(strictestOf([]), undefined);
  });
});
