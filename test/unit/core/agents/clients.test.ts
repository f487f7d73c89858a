import assert from 'node:assert/strict';
import { describe, it } from 'mocha';
import { clientOf, clients, type ClientId, type ClientSurroundings } from '../../../../src/core/agents/clients.ts';
import { launchOf, writeEntry } from '../../../../src/core/agents/entryShapes.ts';

const linux: ClientSurroundings = { platform: 'linux', userHome: '/home/ada', env: {}, editorUserFolder: '/ed/User' };
const mac: ClientSurroundings = { platform: 'darwin', userHome: '/Users/ada', env: {} };
const windows: ClientSurroundings = {
  platform: 'win32',
  userHome: 'C:\\Users\\ada',
  env: { APPDATA: 'C:\\Users\\ada\\AppData\\Roaming' },
  editorUserFolder: 'C:\\ed\\User',
};

function paths(id: ClientId, surroundings: ClientSurroundings): readonly string[] {
  return clientOf(id)
    .userFiles(surroundings)
    .map(({ path }) => path);
}

describe('the table of clients', () => {
  it('knows where each agent keeps its file on each platform', () => {
    const places: Readonly<Record<string, readonly [string, string, string]>> = {
      claudeCode: ['/home/ada/.claude.json', '/Users/ada/.claude.json', 'C:\\Users\\ada\\.claude.json'],
      claudeDesktop: [
        '/home/ada/.config/Claude/claude_desktop_config.json',
        '/Users/ada/Library/Application Support/Claude/claude_desktop_config.json',
        'C:\\Users\\ada\\AppData\\Roaming\\Claude\\claude_desktop_config.json',
      ],
      cursor: ['/home/ada/.cursor/mcp.json', '/Users/ada/.cursor/mcp.json', 'C:\\Users\\ada\\.cursor\\mcp.json'],
      windsurf: [
        '/home/ada/.codeium/windsurf/mcp_config.json',
        '/Users/ada/.codeium/windsurf/mcp_config.json',
        'C:\\Users\\ada\\.codeium\\windsurf\\mcp_config.json',
      ],
      codex: ['/home/ada/.codex/config.toml', '/Users/ada/.codex/config.toml', 'C:\\Users\\ada\\.codex\\config.toml'],
      gemini: [
        '/home/ada/.gemini/settings.json',
        '/Users/ada/.gemini/settings.json',
        'C:\\Users\\ada\\.gemini\\settings.json',
      ],
      zed: [
        '/home/ada/.config/zed/settings.json',
        '/Users/ada/.config/zed/settings.json',
        'C:\\Users\\ada\\AppData\\Roaming\\Zed\\settings.json',
      ],
      opencode: [
        '/home/ada/.config/opencode/opencode.json',
        '/Users/ada/.config/opencode/opencode.json',
        'C:\\Users\\ada\\.config\\opencode\\opencode.json',
      ],
    };
    for (const [id, expected] of Object.entries(places)) {
      const found = [linux, mac, windows].map((surroundings) => paths(id as ClientId, surroundings)[0]);
      assert.deepEqual(found, expected, id);
    }
    assert.deepEqual(paths('cline', linux), [
      '/ed/User/globalStorage/saoudrizwan.claude-dev/settings/cline_mcp_settings.json',
      '/home/ada/.cline/data/settings/cline_mcp_settings.json',
    ]);
  });

  it('follows the variables by which agents move their folders', () => {
    const env = { CLAUDE_CONFIG_DIR: '/c', CODEX_HOME: '/x', XDG_CONFIG_HOME: '/g' };
    const moved = { ...linux, env };
    assert.deepEqual(paths('claudeCode', moved), ['/c/.claude.json']);
    assert.deepEqual(paths('codex', moved), ['/x/config.toml']);
    assert.deepEqual(paths('zed', moved), ['/g/zed/settings.json']);
    assert.deepEqual(paths('opencode', moved), ['/g/opencode/opencode.json', '/g/opencode/opencode.jsonc']);
  });

  it('calls a file of a project one, and Claude Code’s own entries for a folder the person’s', () => {
    const folder = { path: '/w/shop', name: 'shop' };
    const [shared, own] = clientOf('claudeCode').projectFiles(folder, linux);
    assert.deepEqual(shared!.scope, { kind: 'project', folder: '/w/shop', name: 'shop' });
    assert.equal(shared!.path, '/w/shop/.mcp.json');
    assert.deepEqual(own!.scope, { kind: 'user' });
    assert.deepEqual(
      [own!.path, own!.keyPath, own!.onlyIn],
      ['/home/ada/.claude.json', ['projects', '/w/shop', 'mcpServers'], '/w/shop'],
    );
    for (const { projectFiles } of clients) {
      for (const file of projectFiles(folder, linux)) {
        assert.equal(file.path.startsWith('/w/shop/'), file.scope.kind === 'project', file.path);
      }
    }
  });

  it('connects the nine agents, by files of the person’s own alone', () => {
    const connecting = clients.filter(({ connects }) => connects);
    assert.deepEqual(
      connecting.map(({ name }) => name),
      ['Claude Code', 'Claude Desktop', 'Cursor', 'Windsurf', 'Codex', 'Gemini CLI', 'Zed', 'Cline', 'OpenCode'],
    );
    for (const { userFiles } of connecting) {
      for (const { scope } of userFiles(linux)) assert.deepEqual(scope, { kind: 'user' });
    }
  });
});

const entry = { command: '/home/ada/.mcp-roundhouse/bin/mcp-roundhouse', args: ['proxy'] };

describe('the entry of each client', () => {
  it('starts our proxy, in the client’s own shape, and holds no secret', () => {
    assert.deepEqual(writeEntry('claude', entry), { type: 'stdio', ...entry });
    for (const shape of ['desktop', 'cursor', 'windsurf', 'codex', 'gemini', 'cline'] as const) {
      assert.deepEqual(writeEntry(shape, entry), entry);
    }
    assert.deepEqual(writeEntry('zed', entry), { source: 'custom', ...entry });
    assert.deepEqual(writeEntry('opencode', entry), { type: 'local', command: [entry.command, 'proxy'] });
    for (const { userFiles } of clients) {
      for (const { shape } of userFiles(linux)) assert.deepEqual(launchOf(shape, writeEntry(shape, entry)), entry);
    }
  });

  it('starts nothing that could be ours where it names no program, whatever else it holds', () => {
    for (const shape of ['claude', 'opencode', 'zed'] as const) {
      for (const raw of [
        {},
        { url: 'https://mcp.example/' },
        { command: 1 },
        { command: [] },
        { command: [1] },
        { command: { path: 'x' } },
      ])
        assert.equal(launchOf(shape, raw), undefined, `${shape} ${JSON.stringify(raw)}`);
    }
    assert.deepEqual(launchOf('claude', { command: 'x', args: 'proxy' }), { command: 'x', args: [] });
    assert.deepEqual(launchOf('claude', { command: 'x', args: ['proxy', {}] }), { command: 'x', args: [] });
  });
});
