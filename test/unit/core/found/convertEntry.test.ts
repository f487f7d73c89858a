// Entries as the documentation of each client shows them, and what they come to here.
import assert from 'node:assert/strict';
import { describe, it } from 'mocha';
import type { JsonObject, JsonValue } from '../../../../src/contract/json.ts';
import type { EntryShape } from '../../../../src/core/agents/clients.ts';
import { convertEntry } from '../../../../src/core/found/convertEntry.ts';
import type { FoundNote } from '../../../../src/core/found/foundEntry.ts';

interface Sample {
  readonly shape: EntryShape;
  readonly what: string;
  readonly raw: JsonValue;
  readonly entry: JsonObject;
  readonly notes?: readonly FoundNote[];
  readonly off?: true;
}

const leftBehind = (...keys: readonly string[]): readonly FoundNote[] =>
  keys.map((key) => ({ kind: 'leftBehind', key }));

const samples: readonly Sample[] = [
  {
    shape: 'claude',
    what: 'a command with variables and a default',
    raw: {
      type: 'stdio',
      command: 'npx',
      args: ['-y', '@scope/server', '${ROOT:-/tmp}'],
      env: { TOKEN: '${API_TOKEN}', PLAIN: '$HOME' },
    },
    entry: {
      command: 'npx',
      args: ['-y', '@scope/server', '${env:ROOT:-/tmp}'],
      env: { TOKEN: '${env:API_TOKEN}', PLAIN: '$HOME' },
      protocol: 'legacy',
    },
  },
  {
    shape: 'claude',
    what: 'an address without a type, which Claude Code takes for a command and skips',
    raw: { url: 'https://mcp.example.com/mcp' },
    entry: { url: 'https://mcp.example.com/mcp', protocol: 'auto' },
    notes: [{ kind: 'skippedThere' }],
  },
  {
    shape: 'claude',
    what: 'the older transport',
    raw: { type: 'sse', url: 'https://mcp.example.com/sse', headers: { 'X-Team': '${TEAM}' } },
    entry: {
      url: 'https://mcp.example.com/sse',
      transport: 'sse',
      headers: { 'X-Team': '${env:TEAM}' },
      protocol: 'legacy',
    },
  },
  {
    shape: 'desktop',
    what: 'text that only looks like a variable, which Claude Desktop replaces by nothing',
    raw: { command: 'uvx', args: ['server', '${HOME}/notes'] },
    entry: { command: 'uvx', args: ['server', '$${HOME}/notes'], protocol: 'legacy' },
  },
  {
    shape: 'vscode',
    what: 'an input, an envFile and the folder',
    raw: {
      type: 'stdio',
      command: '${workspaceFolder}/run.sh',
      env: { KEY: '${input:api-key}', HOME: '${userHome}' },
      envFile: '${workspaceFolder}/.env',
      dev: { watch: 'src/**' },
    },
    entry: {
      command: '${workspaceFolder}/run.sh',
      env: { KEY: '${input:api-key}', HOME: '${userHome}' },
      envFile: '${workspaceFolder}/.env',
      protocol: 'legacy',
    },
    notes: leftBehind('dev'),
  },
  {
    shape: 'vscode',
    what: 'http, which falls back to the older transport there',
    raw: { type: 'http', url: 'https://api.example.com/mcp' },
    entry: { url: 'https://api.example.com/mcp', protocol: 'auto' },
  },
  {
    shape: 'copilot',
    what: 'a choice of tools',
    raw: { type: 'local', command: 'npx', args: ['server'], env: { KEY: '${MY_KEY}' }, tools: ['search', 'read'] },
    entry: {
      command: 'npx',
      args: ['server'],
      env: { KEY: '${env:MY_KEY}' },
      protocol: 'legacy',
      toolPolicies: { '*': 'deny', search: 'allow', read: 'allow' },
    },
  },
  {
    shape: 'copilot',
    what: 'all tools',
    raw: { type: 'http', url: 'https://x.example/mcp', headers: {}, tools: ['*'] },
    entry: { url: 'https://x.example/mcp', transport: 'streamable-http', protocol: 'auto' },
  },
  {
    shape: 'cursor',
    what: 'variables of the editor and the separator',
    raw: {
      command: '${workspaceFolder}${/}bin${pathSeparator}server',
      env: { KEY: '${env:MY_KEY}' },
      envFile: '.env',
    },
    entry: {
      command: '${workspaceFolder}/bin/server',
      env: { KEY: '${env:MY_KEY}' },
      envFile: '.env',
      protocol: 'legacy',
    },
  },
  {
    shape: 'windsurf',
    what: 'serverUrl, with some tools hidden',
    raw: {
      serverUrl: 'https://mcp.example.com/mcp',
      headers: { 'X-Key': '${env:KEY}' },
      disabledTools: ['drop'],
      disabled: true,
    },
    entry: {
      url: 'https://mcp.example.com/mcp',
      headers: { 'X-Key': '${env:KEY}' },
      protocol: 'auto',
      toolPolicies: { drop: 'deny' },
    },
    off: true,
  },
  {
    shape: 'codex',
    what: 'a command with inherited variables, times and tools',
    raw: {
      command: 'docs-server',
      args: ['--port', 4000],
      env: { A: '${B}' },
      env_vars: ['LOCAL_TOKEN'],
      cwd: '/srv',
      startup_timeout_sec: 20.5,
      tool_timeout_sec: 45,
      enabled: false,
      enabled_tools: ['open', 'screenshot'],
      disabled_tools: ['screenshot'],
      default_tools_approval_mode: 'prompt',
    },
    entry: {
      command: 'docs-server',
      args: ['--port', '4000'],
      env: { LOCAL_TOKEN: '${env:LOCAL_TOKEN}', A: '$${B}' },
      cwd: '/srv',
      protocol: 'legacy',
      toolPolicies: { '*': 'deny', open: 'allow', screenshot: 'deny' },
      timeouts: { connect: 20_500, call: 45_000 },
    },
    notes: leftBehind('default_tools_approval_mode'),
    off: true,
  },
  {
    shape: 'codex',
    what: 'an address with headers out of the environment',
    raw: {
      url: 'https://mcp.figma.example/mcp',
      bearer_token_env_var: 'FIGMA_TOKEN',
      http_headers: { 'X-Region': 'eu' },
      env_http_headers: { 'X-Org': 'ORG' },
    },
    entry: {
      url: 'https://mcp.figma.example/mcp',
      transport: 'streamable-http',
      headers: { Authorization: 'Bearer ${env:FIGMA_TOKEN}', 'X-Org': '${env:ORG}', 'X-Region': 'eu' },
      protocol: 'auto',
    },
  },
  {
    shape: 'gemini',
    what: 'url, which is the older transport there',
    raw: { url: 'https://x.example/sse', timeout: 5_000, trust: true },
    entry: { url: 'https://x.example/sse', transport: 'sse', protocol: 'legacy', timeouts: { call: 5_000 } },
    notes: leftBehind('trust'),
  },
  {
    shape: 'gemini',
    what: 'httpUrl, and variables of both spellings',
    raw: {
      httpUrl: 'https://x.example/mcp',
      headers: { A: '$ONE', B: '${TWO}', C: '${THREE:-x}' },
      excludeTools: ['drop'],
      description: 'Mine',
    },
    entry: {
      url: 'https://x.example/mcp',
      transport: 'streamable-http',
      headers: { A: '${env:ONE}', B: '${env:TWO}', C: '${env:THREE:-x}' },
      protocol: 'auto',
      toolPolicies: { drop: 'deny' },
      description: 'Mine',
    },
  },
  {
    shape: 'zed',
    what: 'its present form',
    raw: { source: 'custom', command: 'server', args: ['a'], env: {}, enabled: false },
    entry: { command: 'server', args: ['a'], protocol: 'legacy' },
    off: true,
  },
  {
    shape: 'zed',
    what: 'its earlier form',
    raw: { command: { path: 'server', args: ['a'], env: { X: '1' } } },
    entry: { command: 'server', args: ['a'], env: { X: '1' }, protocol: 'legacy' },
  },
  {
    shape: 'cline',
    what: 'what may be called unasked, which each agent keeps to itself',
    raw: { command: 'node', args: ['x.js'], disabled: false, autoApprove: ['read'], timeout: 60 },
    entry: { command: 'node', args: ['x.js'], protocol: 'legacy', timeouts: { call: 60_000 } },
    notes: leftBehind('autoApprove'),
  },
  {
    shape: 'cline',
    what: 'an address without a type',
    raw: { url: 'https://x.example/sse' },
    entry: { url: 'https://x.example/sse', transport: 'sse', protocol: 'legacy' },
  },
  {
    shape: 'roo',
    what: 'its spelling of the transport',
    raw: {
      type: 'streamable-http',
      url: 'https://x.example/mcp',
      headers: { K: '${env:K}' },
      alwaysAllow: [],
      watchPaths: ['a'],
    },
    entry: {
      url: 'https://x.example/mcp',
      transport: 'streamable-http',
      headers: { K: '${env:K}' },
      protocol: 'auto',
    },
    notes: leftBehind('alwaysAllow', 'watchPaths'),
  },
  {
    shape: 'continue',
    what: 'a secret of its own, which is asked for here',
    raw: {
      name: 'Records',
      type: 'streamable-http',
      url: 'https://x.example/mcp',
      requestOptions: { headers: { 'X-Key': '${{ secrets.RECORDS_KEY }}' } },
      connectionTimeout: 9_000,
    },
    entry: {
      url: 'https://x.example/mcp',
      transport: 'streamable-http',
      headers: { 'X-Key': '${secret:RECORDS_KEY}' },
      protocol: 'auto',
      timeouts: { connect: 9_000 },
    },
    notes: [{ kind: 'askedFor', name: 'RECORDS_KEY' }],
  },
  {
    shape: 'opencode',
    what: 'a command in one list',
    raw: {
      type: 'local',
      command: ['bun', 'x', 'server'],
      environment: { KEY: '{env:MY_KEY}' },
      enabled: true,
      timeout: 5_000,
    },
    entry: {
      command: 'bun',
      args: ['x', 'server'],
      env: { KEY: '${env:MY_KEY}' },
      protocol: 'legacy',
      timeouts: { list: 5_000 },
    },
  },
  {
    shape: 'opencode',
    what: 'an address',
    raw: { type: 'remote', url: 'https://x.example/mcp', headers: { A: 'Bearer {env:T}' }, oauth: false },
    entry: { url: 'https://x.example/mcp', headers: { A: 'Bearer ${env:T}' }, protocol: 'auto' },
    notes: leftBehind('oauth'),
  },
];

const unusable: readonly (readonly [EntryShape, string, JsonValue, string, string])[] = [
  [
    'claude',
    'a command that makes headers',
    { type: 'http', url: 'https://x.example', headersHelper: 'sh' },
    'client',
    'headersHelper',
  ],
  ['claude', 'a web socket', { type: 'ws', url: 'wss://x.example' }, 'transport', 'ws'],
  ['claude', 'nothing to run', { type: 'stdio' }, 'nothing', ''],
  ['claude', 'text', 'npx server', 'shape', ''],
  ['vscode', 'a variable of the editor', { command: '${config:x.path}' }, 'variable', '${config:x.path}'],
  ['vscode', 'a command to substitute', { command: 'a', env: { X: '${command:x}' } }, 'variable', '${command:x}'],
  ['vscode', 'an unclosed variable', { command: 'a', args: ['${env:X'] }, 'variable', '${env:X'],
  ['windsurf', 'a file as a value', { command: 'a', env: { X: '${file:/k}' } }, 'variable', '${file:/k}'],
  ['opencode', 'a file as a value', { type: 'local', command: ['a', '{file:~/k}'] }, 'variable', '{file:~/k}'],
  ['continue', 'an input of its hub', { command: 'a', args: ['${{ inputs.X }}'] }, 'variable', '${{ inputs.X }}'],
  ['claude', 'a dollar before a variable', { command: 'a', args: ['$${X}'] }, 'variable', '${X}'],
  ['zed', 'a server of an extension', { source: 'extension', settings: {} }, 'client', 'settings'],
  [
    'gemini',
    'an address in clear text',
    { httpUrl: 'http://x.example/mcp' },
    'refused',
    'url: http is allowed on this machine only; use https',
  ],
  ['cursor', 'arguments that are none', { command: 'a', args: 'b' }, 'refused', 'args'],
  ['cursor', 'a value that is none', { command: 'a', env: { B: {} } }, 'refused', 'env.B'],
  ['codex', 'a name that is none', { command: 'a', env_vars: ['A B'] }, 'refused', 'env_vars'],
];

describe('an entry of another client', () => {
  for (const { shape, what, raw, entry, notes = [], off = false } of samples) {
    it(`of ${shape} comes to the same here: ${what}`, () => {
      const converted = convertEntry(shape, raw, { separator: '/' });
      assert.ok(converted.kind === 'entry', JSON.stringify(converted));
      assert.deepEqual(JSON.parse(JSON.stringify(converted.entry)), entry);
      assert.deepEqual(converted.notes, notes);
      assert.equal(converted.off, off);
    });
  }

  for (const [shape, what, raw, reason, detail] of unusable) {
    it(`of ${shape} is not usable, and says why: ${what}`, () => {
      assert.deepEqual(convertEntry(shape, raw), { kind: 'unusable', reason, detail, off: false });
    });
  }

  it('names no value in what it says about a fault', () => {
    const secret = 'sk-0815-very-secret\n';
    const raw = { url: 'https://x.example', headers: { Authorization: `Bearer ${secret}` } };
    const converted = convertEntry('cursor', raw);
    assert.equal(converted.kind, 'unusable');
    assert.ok(!JSON.stringify(converted).includes('0815'));
  });

  it('keeps keys that would reach a prototype as names', () => {
    const raw = JSON.parse('{"command": "a", "env": {"__proto__": "x"}}') as JsonValue;
    assert.equal(convertEntry('cursor', raw).kind, 'unusable');
    assert.equal(Object.hasOwn(Object.prototype, 'x'), false);
  });
});
