import assert from 'node:assert/strict';
import { afterEach, beforeEach, describe, it } from 'mocha';
import { Emitter } from '../../../../src/base/event.ts';
import type { ManagerChange, ServerView } from '../../../../src/core/manager/view.ts';
import { EditorActivity } from '../../../../src/gateway/editorActivity.ts';
import type { GatewayAddress } from '../../../../src/vscode/gateway/gatewayAccess.ts';
import { anything, stubEditor } from '../../../support/editorStub.ts';
import { managerView, offeredTool, serverView } from '../../../support/managerView.ts';
import { ManualClock } from '../../../support/manualClock.ts';
import { MementoMap } from '../../../support/mementoMap.ts';
import { settled } from '../../../support/settled.ts';
import { snapshotOf } from '../../../support/snapshotOf.ts';

const { publishToEditor } = await import('../../../../src/vscode/provider/editorProvider.ts');

class Definition {
  readonly label: string;
  readonly uri: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly version: string;

  constructor(label: string, uri: string, headers: Readonly<Record<string, string>>, version: string) {
    this.label = label;
    this.uri = uri;
    this.headers = headers;
    this.version = version;
  }
}

interface Provider {
  provideMcpServerDefinitions(): Promise<Definition[]>;
  resolveMcpServerDefinition(definition: Definition): Promise<Definition>;
}

const token = 'the-secret-of-this-window';
const address: GatewayAddress = { url: 'http://127.0.0.1:4711', socket: undefined, token };

describe('the publication to the editor', () => {
  let provider: Provider;
  let asked: number;
  let servers: ServerView[];
  let where: GatewayAddress | undefined;
  let values: Record<string, unknown>;
  let warnings: string[];
  let files: Record<string, string>;
  let said: string[];
  let end: () => void;
  let clock: ManualClock;
  let activity: EditorActivity;
  const changed = new Emitter<ManagerChange>();
  const moved = new Emitter<void>();

  beforeEach(async () => {
    [asked, servers, where, warnings, files, said] = [0, [serverView('demo')], address, [], {}, []];
    values = { 'roundhouse.gateway.publishToEditor': true };
    clock = new ManualClock(1_000);
    activity = new EditorActivity();
    stubEditor({
      McpHttpServerDefinition: Definition,
      EventEmitter: class {
        readonly event = undefined;
        fire(): void {
          asked += 1;
        }
        dispose(): void {
          asked = Number.NaN;
        }
      },
      RelativePattern: anything(),
      Disposable: { from: () => ({ dispose: () => undefined }) },
      Uri: { parse: (uri: string) => uri, from: ({ path }: { path: string }) => path, joinPath: join },
      l10n: { t: filled },
      lm: {
        registerMcpServerDefinitionProvider: (id: string, given: Provider) => {
          assert.equal(id, 'roundhouse');
          provider = given;
          return { dispose: () => undefined };
        },
      },
      window: { showWarningMessage: (text: string) => Promise.resolve(void said.push(text)) },
      workspace: anything({
        workspaceFolders: [{ uri: '/project' }],
        asRelativePath: (file: string) => file.replace('/project/', ''),
        fs: {
          readFile: (file: string) =>
            files[file] === undefined ? Promise.reject(new Error()) : Promise.resolve(Buffer.from(files[file])),
        },
        getConfiguration: () => ({ inspect: (id: string) => ({ globalValue: values[id] }), get: () => undefined }),
      }),
    });
    const own = publishToEditor({
      manager: { view: () => managerView(servers), onDidChange: changed.event },
      gateway: {
        get address() {
          return where;
        },
        onDidChange: moved.event,
        ready: () => Promise.resolve(where),
      },
      activity,
      memory: new MementoMap(),
      storage: '/storage' as never,
      clock,
      log: { info: () => undefined, warn: (line) => void warnings.push(line), error: () => undefined },
    });
    end = () => own.dispose();
    await provider.provideMcpServerDefinitions();
  });
  afterEach(() => end());

  const provided = (): Promise<Definition[]> => provider.provideMcpServerDefinitions();
  const change = async (): Promise<void> => {
    await settled();
    changed.fire({ kind: 'all' });
    clock.advance(1_000);
  };

  it('gives a definition for each server, over the gateway and without the token', async () => {
    servers = [serverView('demo'), serverView('chrome-devtools'), serverView('off', { state: { kind: 'disabled' } })];
    const definitions = await provided();
    assert.deepEqual(
      definitions.map(({ label, uri }) => [label, uri]),
      [
        ['demo', 'http://127.0.0.1:4711/vscode/demo'],
        ['chrome_483a', 'http://127.0.0.1:4711/vscode/chrome-devtools'],
      ],
    );
    assert.equal(JSON.stringify(definitions).includes(token), false);
    for (const { headers, version } of definitions) assert.deepEqual([headers, version], [{}, '1000']);
  });

  it('adds the token where one is resolved, to another object than the one that was provided', async () => {
    const [definition] = await provided();
    const resolved = await provider.resolveMcpServerDefinition(definition!);
    assert.deepEqual(resolved.headers, { Authorization: `Bearer ${token}` });
    assert.deepEqual([resolved.label, resolved.uri, resolved.version], [definition!.label, definition!.uri, '1000']);
    assert.deepEqual(definition!.headers, {});
  });

  it('resolves to where the gateway is now, and to nothing that may not run any more', async () => {
    const [definition] = await provided();
    where = { ...address, url: 'http://127.0.0.1:4712' };
    const resolved = await provider.resolveMcpServerDefinition(definition!);
    assert.equal(resolved.uri, 'http://127.0.0.1:4712/vscode/demo');
    servers = [serverView('demo', { state: { kind: 'disabled' } })];
    await assert.rejects(provider.resolveMcpServerDefinition(definition!), /does not offer the server “demo” now/);
    servers = [serverView('demo')];
    where = undefined;
    await assert.rejects(provider.resolveMcpServerDefinition(definition!), /does not offer/);
  });

  it('gives nothing where there is no gateway, as in a window that is not trusted, and where the person turned it off', async () => {
    where = undefined;
    assert.deepEqual(await provided(), []);
    where = address;
    values = { 'roundhouse.gateway.publishToEditor': false };
    assert.deepEqual(await provided(), []);
  });

  it('has the editor ask again after a change of what is published, and after no other one', async () => {
    await change();
    assert.equal(asked, 0);
    servers = [serverView('demo', { state: { kind: 'failed', problem: { code: 'internal', data: {} } } })];
    await change();
    assert.equal(asked, 0);
    servers = [serverView('demo'), serverView('two')];
    await change();
    assert.equal(asked, 1);
    await provided();
    where = undefined;
    moved.fire();
    clock.advance(1_000);
    assert.equal(asked, 2);
  });

  it('has the editor ask again with a new version after the tools changed, once it is not connected [GATE-7d]', async () => {
    servers = [serverView('demo', { snapshot: snapshotOf({ tools: [offeredTool('one')] }) })];
    const [first] = await provided();
    const connection = activity.open('demo');
    servers = [serverView('demo', { snapshot: snapshotOf({ tools: [offeredTool('two')] }) })];
    await change();
    assert.deepEqual([asked, (await provided())[0]?.version], [0, first?.version]);
    connection.dispose();
    clock.advance(1_000);
    assert.equal(asked, 1);
    assert.ok(Number((await provided())[0]?.version) > Number(first?.version));
  });

  it('says once where the editor has a server of the same label in a file of its own', async () => {
    servers = [serverView('demo'), serverView('other')];
    files = { '/project/.vscode/mcp.json': '{ "servers": { "Demo": {}, /* a comment */ "third": {}, } }' };
    await provided();
    await settled();
    await provided();
    await settled();
    assert.equal(said.length, 1);
    assert.match(said[0]!, /“demo” of its own, in \.vscode\/mcp\.json/);
    files = { '/project/.mcp.json': '{ "mcpServers": { "other": {} } }', '/User/mcp.json': 'no JSON' };
    await provided();
    await settled();
    assert.match(said[1]!, /“other” of its own, in \.mcp\.json/);
    assert.equal(warnings.length, 2);
  });
});

function filled(text: string, data: Readonly<Record<string, string>>): string {
  return text.replace(/\{(\w+)\}/g, (_, name: string) => data[name] ?? '');
}

function join(folder: string, name: string): string {
  return `${folder}/${name}`;
}
