import assert from 'node:assert/strict';
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, it } from 'mocha';
import type { ConfigScope } from '../../../../src/contract/serverConfig.ts';
import { readConfigText } from '../../../../src/core/config/readConfigText.ts';

const user: ConfigScope = { kind: 'user' };
const configs = join(import.meta.dirname, '../../../../fixtures/configs');

function read(text: string, scope = user) {
  return readConfigText(text, { file: '/f/mcp.json', scope });
}

function good(text: string) {
  const reading = read(text);
  assert.ok(reading.kind === 'config', JSON.stringify(reading));
  return reading;
}

function goodFile(name: string) {
  return good(readFileSync(join(configs, 'good', name), 'utf8'));
}

interface Expected {
  readonly code: string;
  readonly line: number;
  readonly column: number;
  readonly server?: string;
  readonly field?: string;
  /** The fault is in the bytes; the disk reader finds it. */
  readonly onDisk?: boolean;
}

describe('readConfigText', () => {
  it('tells which keys of an entry nothing acts on, and refuses nothing for them', () => {
    const outOfPlace = (entry: string): readonly string[] | undefined =>
      good(`{ "version": 3, "mcpServers": { "s": ${entry} } }`).servers[0]?.outOfPlace;
    assert.deepEqual(outOfPlace('{ "command": "x", "transport": "sse", "headers": { "A": "b" } }'), [
      'transport',
      'headers',
    ]);
    assert.deepEqual(outOfPlace('{ "url": "https://x.example/", "roots": false }'), ['roots']);
    assert.deepEqual(outOfPlace('{ "url": "https://x.example/", "args": ["a"], "env": {}, "cwd": "/x" }'), [
      'args',
      'env',
      'cwd',
    ]);
    assert.deepEqual(outOfPlace('{ "command": "x", "timeouts": { "connnect": 1, "call": 2, "__proto__": 3 } }'), [
      'timeouts.connnect',
      'timeouts.__proto__',
    ]);
    // What somebody believes to hold a server or a tool back, and does not.
    for (const key of ['disabled', 'toolPolicy', 'toolpolicies', 'Enabled', 'tool_policies', 'disabledTools'])
      assert.deepEqual(outOfPlace(`{ "command": "x", "${key}": true }`), [key]);
    assert.equal(outOfPlace('{ "command": "x", "args": [], "timeouts": { "call": 2 }, "x-mine": 1 }'), undefined);
  });

  it('reads the rules of the person for servers of all places, and acts on none at the top of a project’s file', () => {
    const { toolPolicies = {} } = goodFile('person-policies.json');
    assert.deepEqual(Object.keys(toolPolicies), ['theirs', 'elsewhere']);
    const theirs = toolPolicies['theirs'] ?? {};
    assert.deepEqual({ ...theirs }, { '*': 'ask', constructor: 'deny', 'no such tool': 'allow' });
    for (const rules of [theirs, toolPolicies]) assert.equal(Object.getPrototypeOf(rules), null);
    const project: ConfigScope = { kind: 'project', folder: '/f', name: 'f' };
    for (const rules of ['{ "a": { "*": "allow" } }', '{ "a b": 1 }', '[]']) {
      const reading = read(`{ "version": 3, "mcpServers": {}, "toolPolicies": ${rules} }`, project);
      assert.ok(reading.kind === 'config');
      assert.equal(reading.toolPolicies, undefined);
    }
  });

  for (const name of readdirSync(join(configs, 'broken')).filter((file) => file.endsWith('.problem.json'))) {
    const expected = JSON.parse(readFileSync(join(configs, 'broken', name), 'utf8')) as Expected;
    if (expected.onDisk === true) continue;
    const fixture = name.replace('.problem', '');
    it(`refuses ${fixture} where the fault is`, () => {
      const reading = read(readFileSync(join(configs, 'broken', fixture), 'utf8'));
      assert.ok(reading.kind === 'refused', 'the file was accepted');
      const { code, data, position, file } = reading.problems[0];
      assert.deepEqual(
        { code, ...position, server: data['server'], field: data['field'] },
        { server: undefined, field: undefined, ...expected },
      );
      assert.equal(file, '/f/mcp.json');
      assert.equal(data['file'], '/f/mcp.json');
      assert.equal(data['line'], expected.line);
    });
  }

  it('reads versions none, 1 and 2 like version 3', () => {
    const versions = ['version-none.json', 'version-1.json', 'version-2.json', 'version-3.json'].map(goodFile);
    assert.deepEqual(
      versions.map((reading) => reading.version),
      [undefined, 1, 2, 3],
    );
    for (const reading of versions) {
      assert.deepEqual(
        reading.servers.map((server) => [server.key, server.fingerprint]),
        versions[3]!.servers.map((server) => [server.key, server.fingerprint]),
      );
      assert.deepEqual(
        reading.servers.map((server) => server.definition.protocol),
        ['legacy', 'legacy'],
      );
    }
  });

  it('reads every field, comments and trailing commas included', () => {
    const reading = goodFile('everything.json');
    assert.deepEqual(
      reading.servers.map((server) => server.id),
      ['browser', 'files', 'web', 'local'],
    );
    const [browser, files, web, local] = reading.servers.map((server) => server.definition);
    assert.ok(
      browser?.kind === 'stdio' && files?.kind === 'stdio' && web?.kind === 'remote' && local?.kind === 'remote',
    );
    assert.deepEqual(
      [browser.persistent, browser.isolation, browser.enabled, browser.protocol],
      [true, 'shared', true, 'auto'],
    );
    assert.deepEqual(files.args, ['--root', '${workspaceFolder}', '--price', '$${literal}', '$5']);
    assert.deepEqual([files.enabled, files.autostart, files.cwd], [false, true, 'sub']);
    assert.deepEqual({ ...files.toolPolicies }, { '*': 'ask', constructor: 'deny', read: 'allow' });
    assert.deepEqual(files.timeouts, { connect: 1000, list: 2000, call: 3000, request: 4000, stop: 5000 });
    assert.deepEqual([web.transport, web.protocol, web.oauth?.scopes], ['streamable-http', '2026-07-28', ['read']]);
    assert.deepEqual([local.transport, local.protocol, local.autostart], ['sse', 'legacy', false]);
    assert.deepEqual(
      reading.inputs.map((input) => [input.id, input.type, input.password, input.options]),
      [
        ['token', 'promptString', true, undefined],
        ['region', 'pickString', undefined, ['eu', 'us']],
      ],
    );
  });

  it('counts places the same with a byte order mark and Windows line ends', () => {
    const plain = goodFile('everything.json').servers.map((server) => server.position);
    const windows = goodFile('everything-bom-crlf.json').servers.map((server) => server.position);
    assert.deepEqual(windows, plain);
    assert.deepEqual(plain[0], { line: 11, column: 9 });
  });

  it('gives maps without inherited properties', () => {
    const [server] = good('{"version":3,"mcpServers":{"a":{"command":"x","toolPolicies":{"b":"deny"}}}}').servers;
    for (const inherited of ['constructor', 'toString', 'hasOwnProperty']) {
      assert.equal(server!.definition.toolPolicies[inherited], undefined);
    }
  });

  it('names all faults of a file in the order of their places', () => {
    const reading = read('{"version":3,"mcpServers":{"a":{"command":""},"b":{"url":"x"},"c__d":{"command":"x"}}}');
    assert.ok(reading.kind === 'refused');
    assert.deepEqual(
      reading.problems.map((problem) => [problem.data['server'], problem.data['field']]),
      [
        ['a', 'command'],
        ['b', 'url'],
        ['c__d', 'the entry'],
      ],
    );
  });

  it('refuses more servers than the limit', () => {
    const entries = Array.from({ length: 501 }, (_, index) => [`s${index}`, { command: 'x' }] as const);
    const reading = read(JSON.stringify({ version: 3, mcpServers: Object.fromEntries(entries) }));
    assert.ok(reading.kind === 'refused');
    assert.equal(reading.problems[0].data['field'], 'mcpServers');
  });

  it('refuses more bad values than anybody counts, at their place, and looks at a bounded number of them', () => {
    const wide = Object.fromEntries(Array.from({ length: 20_000 }, (_, index) => [`k${index}`, 1]));
    const texts = {
      '"mcpServers"': { mcpServers: wide },
      '"args"': { mcpServers: { a: { command: 'x', args: new Array(150_000).fill(1) } } },
      '"env"': { mcpServers: { a: { command: 'x', env: wide } } },
      '"inputs"': { mcpServers: {}, inputs: new Array(20_000).fill(1) },
    };
    for (const [key, value] of Object.entries(texts)) {
      const text = JSON.stringify(value);
      const reading = read(text);
      assert.ok(reading.kind === 'refused', key);
      assert.equal(reading.problems[0].position?.column, text.indexOf(key) + 1, key);
    }
    const many = Object.fromEntries(Array.from({ length: 400 }, (_, index) => [`s${index}`, { args: 1, cwd: 2 }]));
    const reading = read(JSON.stringify({ mcpServers: many }));
    assert.ok(reading.kind === 'refused' && reading.problems.length === 100);
  });

  it('survives nesting that would exhaust the stack', () => {
    const reading = read('['.repeat(1_000_000));
    assert.ok(reading.kind === 'refused');
    assert.equal(reading.problems[0].code, 'configSyntax');
  });

  it('keys servers by scope, so that one id in two places is two definitions', () => {
    const text = '{"mcpServers":{"a":{"command":"x"}}}';
    const project = read(text, { kind: 'project', folder: '/w/one', name: 'one' });
    assert.ok(project.kind === 'config');
    assert.deepEqual([good(text).servers[0]!.key, project.servers[0]!.key], ['user:a', 'project:/w/one:a']);
  });
});
