import assert from 'node:assert/strict';
import { describe, it } from 'mocha';
import { findAgain, findSecrets, type FoundSecret } from '../../../../src/core/secrets/findSecrets.ts';

const textOf = (servers: Record<string, object>): string =>
  JSON.stringify({ version: 3, mcpServers: servers }, null, 2);
const inUserFile = (entry: object): readonly FoundSecret[] => findSecrets(textOf({ a: entry }), 'user');
const inProject = (entry: object): readonly FoundSecret[] => findSecrets(textOf({ a: entry }), 'project');
const secretOf = ({ value, secret }: FoundSecret): string => value.slice(secret.start, secret.end);
const found = (all: readonly FoundSecret[]): readonly string[] =>
  all.map((each) => `${each.path.slice(2).join('.')}: ${secretOf(each)}`);
const github = `ghp_${'a1'.repeat(18)}`;
const url = 'https://host.example/mcp';

describe('findAgain', () => {
  it('finds a secret where it was, and none whose value or place to be bound to is another one by now', () => {
    const entry = (value: string, at = url): string => textOf({ a: { url: at, headers: { Authorization: value } } });
    const [earlier] = findSecrets(entry('Bearer abc'), 'project');
    assert.ok(earlier);
    assert.equal(findAgain(`// moved\n${entry('Bearer abc')}`, 'project', earlier)?.value, 'Bearer abc');
    assert.equal(findAgain(entry('Bearer other'), 'project', earlier), undefined);
    assert.equal(findAgain(entry('Bearer abc', 'https://else.example/mcp'), 'project', earlier), undefined);
    assert.equal(findAgain(textOf({}), 'project', earlier), undefined);
  });
});

describe('findSecrets', () => {
  it('finds what a project may not hold, whatever its value, and how it can leave the file', () => {
    for (const value of ['Bearer abc', '', '${env:TOKEN}', 'Bearer ${input:token}']) {
      const [header, ...others] = inProject({ url, headers: { Accept: 'text/plain', Authorization: value } });
      assert.deepEqual([header?.refused, header?.name, header?.remedy], [true, 'Authorization', { kind: 'bind', url }]);
      assert.deepEqual(others, []);
    }
    const [secret] = inProject({ url, oauth: { clientId: 'me', clientSecret: 's3cret' } });
    assert.deepEqual([secret?.refused, secret?.place, secret?.remedy?.kind], [true, 'clientSecret', 'bind']);
  });

  it('has no place to bind to where the URL is not finished or not allowed', () => {
    for (const open of ['https://${env:HOST}/mcp', 'https://host.example/${input:x}', 'http://host.example/', 5]) {
      const [header] = inProject({ url: open, headers: { 'X-Api-Key': 'abcd' } });
      assert.deepEqual([header?.refused, header?.remedy], [true, undefined], String(open));
    }
  });

  it('finds literals that are secret by name or shape in both files, and what part of them it is', () => {
    for (const find of [inUserFile, inProject]) {
      assert.deepEqual(
        found(
          find({
            command: 'x',
            env: { GITHUB_TOKEN: 'plain-words', NOTE: github, HOME: '/home/me', DB: 'postgres://me:pa55w0rd@db/x' },
          }),
        ),
        ['env.GITHUB_TOKEN: plain-words', `env.NOTE: ${github}`, 'env.DB: me:pa55w0rd'],
      );
      assert.deepEqual(
        found(
          find({
            command: 'x',
            args: [
              ...['--api-key', 'abcdef', '--token=ghijkl', '--verbose', github],
              ...['--header', 'Authorization: Bearer mnopqrstu', '--port', '8080'],
            ],
          }),
        ),
        ['args.1: abcdef', 'args.2: ghijkl', `args.4: ${github}`, 'args.6: mnopqrstu'],
      );
      assert.deepEqual(found(find({ url: `${url}?a=b&api_key=abcdef&c=d#e` })), ['url: abcdef']);
    }
    assert.deepEqual(found(inUserFile({ url, headers: { Authorization: 'Bearer abcdef', Accept: 'x/y' } })), [
      'headers.Authorization: abcdef',
    ]);
    // A project's header is bound as a whole.
    assert.deepEqual(found(inProject({ url, headers: { 'X-Trace': `t ${github}` } })), [
      `headers.X-Trace: t ${github}`,
    ]);
  });

  it('leaves references, places, numbers, placeholders and names that only sound like one', () => {
    const env = {
      A_TOKEN: '${env:A_TOKEN}',
      B_TOKEN: '${secret:b}',
      C_KEY: 'Bearer ${input:c}',
      TOKEN_FILE: '/run/secrets/token',
      SSH_KEY: '~/.ssh/id_rsa',
      MAX_TOKENS: '4096',
      TOKENIZERS_PARALLELISM: 'false',
      API_KEY: '<your key>',
      D_KEY: 'YOUR_API_KEY',
      KEYBOARD: 'german',
      AWS_ACCESS_KEY_ID: 'a-name',
      USE_AUTH: 'true',
      SECRET_URL: 'https://vault.example/secrets',
    };
    assert.deepEqual(
      found(inUserFile({ command: 'x', env, args: ['--key', '--token=${env:T}', '--max-tokens', '9'] })),
      [],
    );
  });

  it('judges what holds a variable by shape alone, and never takes the variable with it', () => {
    const env = { A_TOKEN: '${env:A}-suffix', URL: `https://h/?token=\${env:T}&key=${github}` };
    assert.deepEqual(found(inUserFile({ command: 'x', env })), [`env.URL: ${github}`]);
  });

  it('says where each stands in the text, in order, comments and escapes counted', () => {
    const text = `{ // mine
      "mcpServers": { "a": { "url": "${url}", /* "x" */ "headers": { "Cookie": "a\\u0062c" } },
      "b": { "command": "x", "env": { "MY_SECRET": "p\\"q rst" }, }, } }`;
    const all = findSecrets(text, 'project');
    assert.deepEqual(
      all.map(({ server, range }) => [server, text.slice(range.start, range.end)]),
      [
        ['a', '"Cookie": "a\\u0062c"'],
        ['b', '"p\\"q rst"'],
      ],
    );
    assert.deepEqual(all.map(secretOf), ['abc', 'p"q rst']);
  });

  it('finds nothing in a text that is malformed, of another form, or too large, and never more than its bound', () => {
    for (const text of [
      '',
      '{',
      '[]',
      '{"mcpServers": []}',
      '{"mcpServers": {"a": 1, "b": {"env": [], "args": {}}}}',
    ]) {
      assert.deepEqual(findSecrets(text, 'project'), [], text);
    }
    const many = Object.fromEntries(Array.from({ length: 150 }, (_, at) => [`K${at}_TOKEN`, 'plain-words']));
    assert.equal(inUserFile({ command: 'x', env: many }).length, 100);
    assert.deepEqual(findSecrets(`${textOf({ a: { command: 'x', env: many } })}${' '.repeat(5_000_000)}`, 'user'), []);
  });
});
