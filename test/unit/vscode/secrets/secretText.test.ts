import assert from 'node:assert/strict';
import { describe, it } from 'mocha';
import { findSecrets } from '../../../../src/core/secrets/findSecrets.ts';
import { movedText, secretText } from '../../../../src/vscode/secrets/secretText.ts';
import { english } from '../../../../src/vscode/translate.ts';

const canary = 'c4nary-Wert-0815';
const url = 'https://host.example/mcp';
const all = (scope: 'user' | 'project') =>
  findSecrets(
    JSON.stringify({
      mcpServers: {
        a: { url, headers: { Authorization: `Bearer ${canary}` }, oauth: { clientSecret: canary } },
        b: { command: 'x', args: ['--token', canary, `sk-${canary}-0815`], env: { API_KEY: canary } },
        c: { url: 'https://${env:H}/', headers: { Cookie: canary } },
      },
    }),
    scope,
  );

describe('the words about a secret in a file', () => {
  it('say what is wrong and name the way out, which a URL with variables does not have', () => {
    const fixes = all('project').map((found) => [found.path.slice(1).join('.'), secretText(found, english).fix]);
    assert.deepEqual(fixes, [
      ['a.headers.Authorization', 'Move the header Authorization to your own storage'],
      ['a.oauth.clientSecret', 'Move the client secret to your own storage'],
      ['b.args.1', 'Move the value of token to the editor’s secret storage'],
      ['b.args.2', 'Move this value to the editor’s secret storage'],
      ['b.env.API_KEY', 'Move the value of API_KEY to the editor’s secret storage'],
      ['c.headers.Cookie', undefined],
    ]);
    const [header] = all('project');
    assert.match(
      secretText(header!, english).message,
      /may not hold the header Authorization.*does not run.*quick fix/,
    );
    assert.match(secretText(all('project').at(-1)!, english).message, /write the URL without variables/);
    assert.match(secretText(all('user')[0]!, english).message, /looks like a secret/);
  });

  it('hold no value', () => {
    for (const found of [...all('project'), ...all('user')]) {
      const words = [secretText(found, english), movedText(found, '${secret:x}', english)];
      assert.doesNotMatch(JSON.stringify(words), /c4nary/);
    }
  });

  it('show what is hidden in a name, and make no link of it', () => {
    const [found] = findSecrets(
      JSON.stringify({ mcpServers: { a: { command: 'x', env: { 'A_TOKEN\u202e[x](command:y)_KEY': 'abcdef' } } } }),
      'user',
    );
    const { fix } = secretText(found!, english);
    assert.match(fix ?? '', /A_TOKEN\[U\+202E\]\[x\] \(command:y\)_KEY/);
  });
});
