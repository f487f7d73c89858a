import assert from 'node:assert/strict';
import { describe, it } from 'mocha';
import { configProblemText, issueText, noiseText, wordsOf } from '../../../../src/cli/output/words.ts';

describe('the words of the command line', () => {
  it('name the file of a refused configuration once, and a remedy that fits the cause', () => {
    const problem = (detail: string) =>
      configProblemText({ file: '/f/mcp.json', code: 'configUnreadable', data: { file: '/f/mcp.json', detail } });
    assert.equal(
      problem('there is no such file'),
      '/f/mcp.json: cannot be read: there is no such file. Check the path.',
    );
    assert.equal(
      problem('it is a folder'),
      '/f/mcp.json: cannot be read: it is a folder. Name a file that can be read.',
    );
  });

  it('point to last lines only where there are some', () => {
    for (const code of ['exitedAtStart', 'processExited'] as const) {
      assert.match(wordsOf({ code, data: {}, stderr: ['boom'] }).remedy, /last lines below/);
      assert.match(wordsOf({ code, data: {} }).remedy, /wrote nothing to stderr/);
    }
  });

  it('send nobody to a log or a refresh that is not there', () => {
    for (const code of ['connectTimeout', 'unknownTool'] as const) {
      assert.doesNotMatch(wordsOf({ code, data: {} }).remedy, /log|[Rr]efresh/);
    }
  });

  it('tell a command that holds its arguments from one that is not installed', () => {
    const remedy = (command: string): string => wordsOf({ code: 'commandNotFound', data: { command } }).remedy;
    for (const command of ['npx -y foo', 'npx -y @scope/x', 'python3 /x/srv.py']) {
      assert.match(remedy(command), /into args/, command);
    }
    assert.match(remedy('npx'), /Install it/);
    assert.match(remedy('/Program Files/server'), /belongs to its path, check that path/);
  });

  it('send nobody to the command of a URL, nor to the arguments of a request that has none', () => {
    const timeout = (data: Record<string, boolean>): string => wordsOf({ code: 'connectTimeout', data }).remedy;
    assert.match(timeout({ remote: true }), /URL/);
    assert.doesNotMatch(timeout({ remote: true }), /terminal/);
    assert.match(timeout({}), /terminal/);
    const refused = (method: string): string => wordsOf({ code: 'protocolError', data: { method } }).remedy;
    assert.doesNotMatch(refused('initialize'), /arguments/);
    assert.match(refused('tools/call'), /arguments/);
  });

  it('say that a repaired item is there', () => {
    assert.equal(issueText({ what: 'repaired', item: 'echo', reason: 'r' }), 'repaired: echo: r');
    assert.equal(issueText({ what: 'badItem', item: 'echo', reason: 'r' }), 'left out: echo: r');
  });

  it('count one line as one', () => {
    assert.match(noiseText(1), /^1 line on stdout was /);
    assert.match(noiseText(2), /^2 lines on stdout were /);
  });
});
