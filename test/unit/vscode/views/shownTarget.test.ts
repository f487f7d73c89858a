import assert from 'node:assert/strict';
import { describe, it } from 'mocha';
import { originOf, shownCommand } from '../../../../src/vscode/views/shownTarget.ts';

describe('what is shown unasked of what runs', () => {
  for (const [command, shown] of [
    ['npx -y @scope/server --port 80', 'npx -y @scope/server --port 80'],
    ['run --api-key canary-1 --name me', 'run --api-key [redacted] --name me'],
    ['run --api-key=canary-1 x', 'run --api-key=[redacted] x'],
    ['run --token --verbose x', 'run --token --verbose x'],
    ['run --url https://me:canary-1@host/x?token=canary-2', 'run --url https://[redacted]host/x?token=[redacted]'],
    ['run sk-canary0123456789canary', 'run [redacted]'],
    ['run --secret ${secret:mine}', 'run --secret [redacted]'],
  ] as const) {
    it(`is “${shown}”`, () => {
      const [program = '', ...args] = command.split(' ');
      assert.equal(shownCommand({ command: program, args }), shown);
    });
  }

  it('is the origin of a URL alone, its variables as they are written', () => {
    assert.equal(originOf('https://mcp.example.com:8443/canary/x?key=canary#y'), 'https://mcp.example.com:8443');
    assert.equal(originOf('http://127.0.0.1:${env:PORT}/mcp'), 'http://127.0.0.1:${env:PORT}');
    assert.equal(originOf('${env:URL}'), '?');
  });
});
