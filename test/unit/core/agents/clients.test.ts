import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { describe, it } from 'mocha';
import { parseText, valueAt } from '../../../../src/core/agents/clientText.ts';
import { clientOf, clients, type ClientId, type ClientSurroundings } from '../../../../src/core/agents/clients.ts';
import { type NeutralEntry, readEntry, writeEntry } from '../../../../src/core/agents/entryShapes.ts';

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

const fixtures = new URL('../../../../fixtures/agents/', import.meta.url);

/** The entries of a sample file, read as their client does. */
function entriesOf(id: ClientId, file: string): Readonly<Record<string, NeutralEntry>> {
  const [{ format, keyPath, shape } = { format: 'json', keyPath: [], shape: 'claude' } as const] =
    clientOf(id).userFiles(linux);
  const parsed = parseText(format, readFileSync(new URL(file, fixtures), 'utf8'));
  assert.equal(parsed.kind, 'parsed');
  const servers = valueAt(parsed.value, keyPath) as Readonly<Record<string, never>>;
  const entries = Object.entries(servers).map(([name, raw]) => [name, readEntry(shape, raw)] as const);
  return Object.fromEntries(entries);
}

/** With ordinary prototypes. */
function definitionOf(entry: NeutralEntry | undefined): unknown {
  return JSON.parse(JSON.stringify(entry?.definition));
}

describe('the entries of each client', () => {
  const stdio = (command: string, args: readonly string[] = [], env = {}): object => ({
    kind: 'stdio',
    command,
    args,
    env,
  });
  const remote = (url: string, transport: string, headers = {}): object => ({
    kind: 'remote',
    url,
    transport,
    headers,
  });

  it('are read as Claude Code reads them: a URL without a type is skipped', () => {
    const { files, tracker, untyped } = entriesOf('claudeCode', 'claude.json');
    assert.deepEqual(
      definitionOf(files),
      stdio('npx', ['-y', '@modelcontextprotocol/server-filesystem', '/home/ada/src']),
    );
    const headers = { Authorization: 'Bearer ${TRACKER_TOKEN}' };
    assert.deepEqual(definitionOf(tracker), remote('https://tracker.example/mcp', 'streamable-http', headers));
    assert.deepEqual(definitionOf(untyped), { kind: 'unusable', reason: 'skipped', field: 'type' });
  });

  it('are read as Cursor, Windsurf, Gemini, Cline and OpenCode read them', () => {
    const cursor = entriesOf('cursor', 'cursor_mcp.json');
    assert.deepEqual(definitionOf(cursor['remote']), remote('https://mcp.example/mcp', 'auto', { 'X-Team': 'blue' }));
    const windsurf = entriesOf('windsurf', 'windsurf_mcp_config.json');
    assert.deepEqual(definitionOf(windsurf['maps']), remote('https://maps.example/sse', 'auto'));
    assert.equal(windsurf['off']?.enabled, false);
    const gemini = entriesOf('gemini', 'gemini_settings.json');
    assert.deepEqual(definitionOf(gemini['old']), remote('https://old.example/sse', 'sse'));
    assert.deepEqual(definitionOf(gemini['new']), remote('https://new.example/mcp', 'streamable-http'));
    assert.deepEqual(gemini['new']?.leftOut, ['timeout']);
    const cline = entriesOf('cline', 'cline_mcp_settings.json');
    assert.deepEqual(definitionOf(cline['events']), remote('https://events.example/mcp', 'streamable-http'));
    assert.deepEqual(cline['weather']?.leftOut, ['autoApprove', 'timeout']);
    const opencode = entriesOf('opencode', 'opencode.jsonc');
    assert.deepEqual(definitionOf(opencode['local']), stdio('bun', ['x', 'local-mcp'], { MODE: 'fast' }));
    assert.deepEqual(definitionOf(opencode['far']), remote('https://far.example/mcp', 'auto'));
    assert.equal(opencode['far']?.enabled, false);
  });

  it('are read as Codex, Zed and Continue read them', () => {
    const codex = entriesOf('codex', 'codex_config.toml');
    assert.deepEqual(definitionOf(codex['docs']), stdio('npx', ['-y', 'docs-mcp'], { DOCS_ROOT: '/srv/docs' }));
    assert.deepEqual(definitionOf(codex['issues']), {
      ...remote('https://issues.example/mcp', 'streamable-http'),
      headersFromEnv: { Authorization: 'ISSUES_TOKEN' },
    });
    assert.equal(codex['issues']?.enabled, false);
    const zed = entriesOf('zed', 'zed_settings.json');
    assert.deepEqual(definitionOf(zed['postgres']), stdio('postgres-mcp', ['--read-only']));
    assert.deepEqual(definitionOf(zed['older']), stdio('older-mcp', ['run'], { LEVEL: '2' }));
    const continued = entriesOf('continue', 'continue_config.yaml');
    assert.deepEqual(
      definitionOf(continued['notes']),
      stdio('npx', ['-y', 'notes-mcp'], { NOTES: '${{ secrets.NOTES }}' }),
    );
    assert.deepEqual(definitionOf(continued['search']), remote('https://search.example/mcp', 'streamable-http'));
  });

  it('are unusable, with the field that is wrong, where they are hostile', () => {
    for (const { userFiles } of clients) {
      for (const { shape } of userFiles(linux)) {
        for (const raw of [null, 1, 'x', [], {}, { command: '' }, { command: 7 }, { url: ['x'] }, { command: {} }]) {
          const { definition } = readEntry(shape, raw);
          assert.equal(definition.kind, 'unusable', `${shape} ${JSON.stringify(raw)}`);
        }
        const wrong = readEntry(shape, {
          command: shape === 'opencode' ? ['a'] : 'a',
          env: { A: {} },
          environment: [],
        });
        assert.equal(wrong.definition.kind, 'unusable');
      }
    }
  });

  it('start our proxy, each in its client’s own shape, and hold no secret', () => {
    const entry = { command: '/home/ada/.mcp-roundhouse/bin/mcp-roundhouse', args: ['proxy'] };
    const plain = { command: entry.command, args: ['proxy'] };
    assert.deepEqual(writeEntry('claude', entry), { type: 'stdio', ...plain });
    for (const shape of ['desktop', 'cursor', 'windsurf', 'codex', 'gemini', 'cline'] as const) {
      assert.deepEqual(writeEntry(shape, entry), plain);
    }
    assert.deepEqual(writeEntry('zed', entry), { source: 'custom', ...plain });
    assert.deepEqual(writeEntry('opencode', entry), { type: 'local', command: [entry.command, 'proxy'] });
    for (const { userFiles } of clients) {
      for (const { shape } of userFiles(linux)) {
        assert.deepEqual(definitionOf(readEntry(shape, writeEntry(shape, entry))), stdio(entry.command, entry.args));
      }
    }
  });
});
