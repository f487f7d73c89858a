import assert from 'node:assert/strict';
import { describe, it } from 'mocha';
import { extractSecrets } from '../../../../src/core/found/extractSecrets.ts';
import { findSecrets } from '../../../../src/core/secrets/findSecrets.ts';

const tokens = (count: number, length = 12): Record<string, string> =>
  Object.fromEntries(
    Array.from({ length: count }, (_, index) => [`A${index}_TOKEN`, `q8Wv${index}`.padEnd(length, 'k')]),
  );

function numbered(): (found: unknown, value: string) => string {
  let number = 0;
  return () => `\${secret:s${(number += 1)}}`;
}

describe('extractSecrets', () => {
  it('takes out every secret, however many there are', () => {
    const { entry, secrets } = extractSecrets({ command: 'x', env: tokens(250) }, numbered());
    assert.deepEqual(
      secrets.map(({ value }) => value),
      Object.values(tokens(250)),
    );
    const env = Object.keys(tokens(250)).map((name, index) => [name, `\${secret:s${index + 1}}`]);
    assert.deepEqual(entry, { command: 'x', env: Object.fromEntries(env) as object });
  });

  it('takes every part of one value by itself, and leaves what stands between them', () => {
    const [one, two] = [`ghp_${'a1'.repeat(18)}`, `glpat-${'b2'.repeat(12)}`];
    const { entry, secrets } = extractSecrets(
      {
        url: `https://host.example/mcp?token=${one}&page=2&apikey=k9-geheim-0815`,
        headers: { 'X-Both': `${one}, \${env:MORE}, ${two}!` },
      },
      numbered(),
    );
    assert.deepEqual(entry, {
      url: 'https://host.example/mcp?token=${secret:s1}&page=2&apikey=${secret:s2}',
      headers: { 'X-Both': '${secret:s3}, ${env:MORE}, ${secret:s4}!' },
    });
    assert.deepEqual(
      secrets.map(({ value }) => value),
      [one, 'k9-geheim-0815', one, two],
    );
  });

  it('leaves the entry that it was given, references to other values, and names that could reach a prototype', () => {
    const env = JSON.parse('{ "__proto__": "plain", "A_TOKEN": "${env:MINE}", "B_TOKEN": "k9-geheim-0815" }') as Record<
      string,
      string
    >;
    const given = { command: 'x', env };
    const { entry } = extractSecrets(given, () => '***');
    assert.equal(JSON.stringify(given.env), JSON.stringify(env));
    assert.deepEqual(Object.entries(entry['env'] as object), [
      ['__proto__', 'plain'],
      ['A_TOKEN', '${env:MINE}'],
      ['B_TOKEN', '***'],
    ]);
  });

  it('looks an entry through once, and not once for each secret', () => {
    const entry = { command: 'x', env: tokens(200, 400) };
    const text = JSON.stringify({ mcpServers: { server: entry } });
    const quickest = (work: () => void): number =>
      Math.min(
        ...Array.from({ length: 5 }, () => {
          const start = performance.now();
          work();
          return performance.now() - start;
        }),
      );
    const once = quickest(() => findSecrets(text, 'user'));
    const all = quickest(() => extractSecrets(entry, () => '***'));
    // One look is the half of it and more; a look for each secret would be two hundred.
    assert.ok(all < 20 * once, `${all} ms, where one look takes ${once} ms`);
  });
});
