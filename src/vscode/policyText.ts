// What the policy says of a tool, and which rule says it, in words. Pure.
import type { PolicyWord } from '../contract/serverConfig.ts';
import type { DecidedBy, Decision, ToolChange } from '../core/policy/decide.ts';
import type { Translate } from './translate.ts';

/** A whole sentence: the word that holds, then the rule behind it. */
export function policySentence({ word, by }: Decision, t: Translate): string {
  if (by.kind === 'default') return t('{decision}: no rule is set.', { decision: decisionWords(word, t) });
  return t('{decision}: {rule}.', { decision: decisionWords(word, t), rule: ruleWords(by, t) });
}

/** Of all tools of a server that have no rule of their own, after a label. */
export function toolsSentence({ word, by }: Decision, t: Translate): string {
  const decision = toolsWords(word, t);
  return by.kind === 'default' ? decision : t('{decision} ({rule})', { decision, rule: ruleWords(by, t) });
}

function toolsWords(word: PolicyWord, t: Translate): string {
  switch (word) {
    case 'allow':
      return t('run without asking');
    case 'ask':
      return t('ask before each call');
    case 'deny':
      return t('never run');
  }
}

/** The same for a row, where there is something to say: a tool that runs because nobody said anything says nothing. */
export function policyHint({ word, by }: Decision, t: Translate): string | undefined {
  if (by.kind === 'window') return t('allowed for this window');
  switch (word) {
    case 'allow':
      return undefined;
    case 'ask':
      return t('asks · {rule}', { rule: by.kind === 'changed' ? shortChange(by.change, t) : ruleWords(by, t) });
    case 'deny':
      return t('denied · {rule}', { rule: ruleWords(by, t) });
  }
}

export function decisionWords(word: PolicyWord, t: Translate): string {
  switch (word) {
    case 'allow':
      return t('Runs without asking');
    case 'ask':
      return t('Asks before each call');
    case 'deny':
      return t('Never runs');
  }
}

export function ruleWords(by: DecidedBy, t: Translate): string {
  switch (by.kind) {
    case 'default':
      return t('no rule says otherwise');
    case 'window':
      return t('you allowed it for this window');
    case 'unknown':
      return t('your own rules could not be read');
    case 'editor':
      return by.setting;
    case 'changed':
      return changeWords(by.change, t);
    case 'personEntry':
    case 'personFile':
      return by.all ? t('your rule for all tools') : t('your rule');
    case 'project':
      return by.all ? t('the project’s rule for all tools') : t('the project’s rule');
  }
}

function changeWords(change: ToolChange, t: Translate): string {
  switch (change) {
    case 'new':
      return t('it is new since you knew the server');
    case 'definition':
      return t('it changed since you knew it');
    case 'annotations':
      return t('what it says of its effects changed');
  }
}

/** A row is narrow. */
function shortChange(change: ToolChange, t: Translate): string {
  switch (change) {
    case 'new':
      return t('new');
    case 'definition':
      return t('changed');
    case 'annotations':
      return t('effects changed');
  }
}
