import assert from 'node:assert/strict';
import { describe, it } from 'mocha';
import { findSecrets } from '../../../../src/core/secrets/findSecrets.ts';
import { keptValueOf, secretNameFor, withoutSecret } from '../../../../src/core/secrets/withoutSecret.ts';

const text = `{
  // of the team
  "mcpServers": {
    "hub": {
      "url": "https://host.example/mcp?tenant=1&api_key=query-key", // the one of today
      "headers": {
        "Accept": "text/plain",
        /* do not share */
        "Authorization": "Bearer k$\${x}",
        "Cookie": "a=\${env:B}"
      },
    },
    "tool": { "command": "x", "args": ["--token=abc def", "y"], "env": { "MY_KEY": "k\\u00e4se" } }
  }
}
`;

const at = (path: string, scope: 'user' | 'project' = 'project') => {
  const found = findSecrets(text, scope).find((each) => each.path.join('.') === `mcpServers.${path}`);
  assert.ok(found, path);
  return found;
};

describe('moving a secret out of a configuration file', () => {
  it('takes a header that is bound out of a project, and nothing else', () => {
    const found = at('hub.headers.Authorization');
    assert.equal(keptValueOf(found), 'Bearer k${x}');
    assert.equal(
      withoutSecret(text, found, 'unused'),
      text.replace(`        "Authorization": "Bearer k$\${x}",\n`, ''),
    );
  });

  it('puts a reference in the place of everything else, around what is no secret', () => {
    for (const [path, kept, old, replaced] of [
      ['tool.args.0', 'abc def', '"--token=abc def"', '"--token=${secret:n}"'],
      ['tool.env.MY_KEY', 'käse', '"k\\u00e4se"', '"${secret:n}"'],
      ['hub.url', 'query-key', 'api_key=query-key', 'api_key=${secret:n}'],
    ] as const) {
      const found = at(path);
      assert.equal(keptValueOf(found), kept);
      assert.equal(
        withoutSecret(text, found, '${secret:n}'),
        text.replace(old, () => replaced),
      );
    }
    // `$${` stands for `${` in a file; what is kept is not searched for variables.
    const found = at('hub.headers.Authorization', 'user');
    assert.equal(keptValueOf(found), 'k${x}');
    assert.match(withoutSecret(text, found, '${secret:n}'), /"Authorization": "Bearer \$\{secret:n\}"/);
  });

  it('has nothing to keep where the file only names another place', () => {
    const found = at('hub.headers.Cookie');
    assert.equal(keptValueOf(found), undefined);
    assert.equal(keptValueOf({ ...found, value: '  ', secret: { start: 0, end: 2 } }), undefined);
  });

  it('names the secret after server and field, in what a reference may hold, and after no other', () => {
    assert.equal(secretNameFor(at('tool.env.MY_KEY'), new Set()), 'tool.MY_KEY');
    assert.equal(secretNameFor(at('tool.env.MY_KEY'), new Set(['tool.MY_KEY', 'tool.MY_KEY-2'])), 'tool.MY_KEY-3');
    const odd = { ...at('tool.env.MY_KEY'), name: `${'K'.repeat(70)} ü` };
    assert.match(secretNameFor(odd, new Set()), /^[A-Za-z0-9_.-]{1,64}$/);
    assert.equal(secretNameFor({ ...odd, name: '' }, new Set()), 'tool.token');
  });
});
