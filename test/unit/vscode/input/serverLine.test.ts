import assert from 'node:assert/strict';
import { describe, it } from 'mocha';
import { idFault, serverLine, suggestedId } from '../../../../src/vscode/input/serverLine.ts';

const none = new Set<string>();

describe('what is typed to add a server', () => {
  it('is a command with arguments, quotes kept together and nothing expanded', () => {
    assert.deepEqual(serverLine(`npx -y "@scope/my server" 'a "b"' $HOME; rm`), {
      kind: 'stdio',
      command: 'npx',
      args: ['-y', '@scope/my server', 'a "b"', '$HOME;', 'rm'],
    });
    assert.deepEqual(serverLine(`run ""`), { kind: 'stdio', command: 'run', args: [''] });
  });

  it('is a URL when it looks like one: https, or http on this machine', () => {
    assert.deepEqual(serverLine(' https://mcp.example.com/x '), { kind: 'remote', url: 'https://mcp.example.com/x' });
    assert.equal(serverLine('http://127.0.0.1:3000/mcp').kind, 'remote');
    assert.equal(serverLine('http://[::1]/mcp').kind, 'remote');
  });

  it('is refused when it is empty, has an open quote, or a URL that is not allowed', () => {
    assert.deepEqual(serverLine('  '), { kind: 'wrong', why: 'empty' });
    assert.deepEqual(serverLine('"" x'), { kind: 'wrong', why: 'empty' });
    assert.deepEqual(serverLine('npx "x'), { kind: 'wrong', why: 'quote' });
    assert.deepEqual(serverLine('"  " x'), { kind: 'wrong', why: 'empty' });
    for (const url of [
      ...['http://example.com', 'ftp://a', 'https://me:pw@example.com', 'file:///etc/passwd'],
      ...['https://h/mcp --header X', 'https://@h/', 'https://h\\x', 'http://127.0.0.999/'],
    ]) {
      assert.deepEqual(serverLine(url), { kind: 'wrong', why: 'url' }, url);
    }
  });
});

describe('the name that is suggested', () => {
  for (const [line, id] of [
    ['npx -y @modelcontextprotocol/server-memory', 'memory'],
    ['npx -y @modelcontextprotocol/server-filesystem@2026.8.31 /tmp', 'filesystem'],
    ['npx chrome-devtools-mcp@latest --headless', 'chrome-devtools'],
    ['node ./build/weather.js', 'weather'],
    ['node /home/me/weather-mcp/dist/index.js', 'weather'],
    ['node index.js', 'index'],
    ['uvx mcp-server-git', 'git'],
    ['C:\\tools\\my.server.exe', 'my-server'],
    ['https://mcp.example.com/v1', 'example'],
    ['http://localhost:3000/mcp', 'localhost'],
    ['npx "----"', 'npx'],
    ['npx constructor', 'server'],
  ] as const) {
    it(`is ${id} for ${line}`, () => {
      const suggested = suggestedId(serverLine(line), none);
      assert.equal(idFault(suggested, none), undefined);
      assert.equal(suggested, id);
    });
  }

  it('is free', () => {
    const line = serverLine('npx @x/server-memory');
    assert.equal(suggestedId(line, new Set(['memory', 'memory-2'])), 'memory-3');
  });

  it('has a legal form or says what is wrong', () => {
    assert.equal(idFault('', none), 'form');
    assert.equal(idFault('a b', none), 'form');
    assert.equal(idFault('x'.repeat(33), none), 'form');
    for (const id of ['a__b', '__proto__', 'constructor']) assert.equal(idFault(id, none), 'form', id);
    assert.equal(idFault('a', new Set(['a'])), 'taken');
    assert.equal(idFault('A-b_9', none), undefined);
  });
});
