import assert from 'node:assert/strict';
import { describe, it } from 'mocha';
import {
  argumentsLine,
  callerLine,
  callLines,
  callQuestion,
  fitsInTitle,
} from '../../../../src/vscode/approvals/callText.ts';
import { english } from '../../../../src/vscode/translate.ts';
import { callQuestion as call } from '../../../support/callQuestion.ts';

describe('a call in words', () => {
  it('has its arguments in one line where that is short and plain', () => {
    assert.equal(argumentsLine(call(), english), '{"text":"hi"}');
    assert.equal(argumentsLine(call({ args: {} }), english), 'No arguments');
  });

  it('has them on a page where a line would cut them, act on them or hide something', () => {
    const odd = ['x'.repeat(60), 'a  b'.repeat(8), '中文', '$(check)', '\u200b'.repeat(5)];
    for (const text of odd) assert.equal(argumentsLine(call({ args: { text } }), english), undefined, text);
    assert.equal(argumentsLine(call({ args: { text: 'a\nb\u202e' } }), english), '{"text":"a\\nb<U+202E>"}');
  });

  it('shows all of it on the page: caller, change, every argument, hidden characters by number', () => {
    const args = { text: `${'x'.repeat(5_000)}\u202e`, deep: { list: [1, null] } };
    const text = callLines(call({ args, change: 'definition' }), english).join('\n');
    assert.match(
      text,
      /^Asked by an agent that calls itself “an agent”\nIts description or inputs changed since you last reviewed it\.\nArguments:/,
    );
    assert.ok(text.includes(`x<U+202E>`));
    assert.ok(text.includes('x'.repeat(5_000)));
    assert.match(text, /"list": \[\n +1,\n +null\n/);
  });

  it('says of an agent that its name is its own word, which nothing else then looks like', () => {
    const line = (name: string, kind: 'gateway' | 'tree' = 'gateway'): string =>
      callerLine(call({ caller: { kind, name } }), english);
    const ours = 'you, from the MCP view';
    assert.equal(line(ours, 'tree'), `Asked by: ${ours}`);
    assert.equal(line(ours), `Asked by an agent that calls itself “${ours}”`);
    assert.equal(line('a\u202eb'), 'Asked by an agent that calls itself “a<U+202E>b”');
  });

  it('keeps a name of a tool from being taken for something else, and a long one out of a title', () => {
    assert.equal(callQuestion(call({ tool: 'a\u202eb' }), english), 'Call a<U+202E>b on “demo”?');
    assert.equal(callQuestion(call({ change: 'new' }), english), 'Call echo on “demo”? It is new.');
    assert.equal(callQuestion(call({ change: 'annotations' }), english), 'Call echo on “demo”? It changed.');
    assert.equal(fitsInTitle(call(), english), true);
    assert.equal(fitsInTitle(call({ tool: 'x'.repeat(60) }), english), false);
  });
});
