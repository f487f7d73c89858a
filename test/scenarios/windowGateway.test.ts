import assert from 'node:assert/strict';
import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync } from 'node:fs';
import { mkdir, readdir, readFile, readlink, stat, symlink, unlink, writeFile } from 'node:fs/promises';
import { connect } from 'node:net';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, it } from 'mocha';
import { systemClock } from '../../src/base/clock.ts';
import { deferred } from '../../src/base/deferred.ts';
import { Emitter } from '../../src/base/event.ts';
import type { WindowDescriptor } from '../../src/contract/windowDescriptor.ts';
import { ownIdentity, systemFacts } from '../../src/core/config/processIdentity.ts';
import { createToolCalls } from '../../src/core/tools/createToolCalls.ts';
import { openWindows, windowsFolder, windowSocket, writeWindow } from '../../src/gateway/windowFiles.ts';
import { openWindowGateway, type WindowGateway } from '../../src/vscode/gateway/windowGateway.ts';
import { knownSecrets } from '../../src/vscode/surfaces/knownSecrets.ts';
import { eventually } from '../support/eventually.ts';
import { ask, initialize, type PeerTarget } from '../support/gatewayPeer.ts';
import { type GatewayServer, type GatewayWorld, useGateways } from '../support/gatewayWorld.ts';
import { temporaryFolder } from '../support/temporaryFolder.ts';

describe('the gateway of a window', function () {
  this.timeout(60_000);
  const openServers = useGateways();
  const ends: (() => Promise<unknown>)[] = [];
  let home: string;
  beforeEach(async () => {
    const folder = await temporaryFolder();
    home = folder.path;
    ends.push(() => folder.remove());
  });
  afterEach(async () => {
    for (const end of ends.splice(0).reverse()) await end();
  });

  interface Opened {
    readonly gateway: WindowGateway;
    readonly world: GatewayWorld;
    readonly warnings: string[];
    readonly infos: string[];
    /** What the window is now; `move` changes it. */
    move(change: { folders?: string[]; focused?: boolean }): void;
    search: boolean;
  }

  async function open(servers: Record<string, GatewayServer> = { one: { fixture: 'small-legacy' } }, at = home) {
    const world = await openServers(servers);
    const { manager } = world;
    const clock = systemClock();
    const calls = createToolCalls({ manager, clock });
    const [warnings, infos]: [string[], string[]] = [[], []];
    const state = { folders: [home], focused: true };
    const changed = new Emitter<void>();
    const opened: Opened = {
      world,
      warnings,
      infos,
      search: false,
      move: (change) => {
        Object.assign(state, change);
        changed.fire();
      },
      gateway: await openWindowGateway({
        home: at,
        manager,
        forward: calls.forward,
        clock,
        log: {
          info: (text) => infos.push(text),
          warn: (text) => warnings.push(text),
          error: (text) => warnings.push(text),
        },
        toolSearch: () => opened_.search,
        window: { state: () => state, onDidChange: changed.event },
      }),
    };
    const opened_ = opened;
    ends.push(async () => {
      await opened.gateway.close();
      calls.dispose();
    });
    return opened;
  }

  async function descriptor(at = home): Promise<WindowDescriptor> {
    const [window, ...others] = await openWindows(at);
    assert.deepEqual(others, []);
    return window!;
  }

  it('listens on a socket of the person’s alone as well as on its port, is found by its descriptor, and asks for the token on both [GATE-1a, GATE-1b]', async () => {
    const { gateway, infos } = await open();
    const found = await descriptor();
    assert.deepEqual(infos, [`The gateway listens on ${found.url} and ${found.socket!}`]);
    assert.doesNotMatch(knownSecrets.text(`it is ${found.token}`), new RegExp(found.token));
    assert.equal(found.socket, gateway.address.socket);
    assert.match(found.url, /^http:\/\/127\.0\.0\.1:\d+$/);
    assert.equal((await stat(found.socket!)).mode & 0o777, 0o600);
    assert.equal((await stat(windowsFolder(home))).mode & 0o777, 0o700);
    for (const socket of [undefined, found.socket]) {
      const target: PeerTarget = { url: found.url, socket, token: found.token };
      assert.equal((await ask(target, { path: '/mcp/one' })).status, 200);
      assert.equal((await ask({ ...target, token: 'x' })).status, 401);
      assert.equal((await ask({ ...target, token: undefined })).status, 401);
      assert.equal((await ask(target, { headers: { origin: 'http://evil.example' } })).status, 403);
    }
    // A name of a host means nothing on a socket, and much on a port.
    const headers = { host: 'evil.example' };
    const { url, socket, token } = found;
    assert.equal((await ask({ url, socket, token }, { headers })).status, 200);
    assert.equal((await ask({ url, token }, { headers })).status, 403);
    await gateway.close();
    assert.deepEqual(await readdir(windowsFolder(home)), []);
    await assert.rejects(ask({ url, token }), /ECONNREFUSED/);
  });

  it('takes the place of a socket that a dead process left [GATE-1b]', async () => {
    const path = windowSocket(home, await ownIdentity());
    const dead = await listener(path);
    dead.kill('SIGKILL');
    await once(dead, 'exit');
    assert.ok((await stat(path)).isSocket());
    const { gateway } = await open();
    assert.equal(gateway.address.socket, path);
    assert.equal((await ask(gateway.address)).status, 200);
  });

  it('leaves a socket that another process listens on, and serves on its port alone [GATE-1b]', async () => {
    const path = windowSocket(home, await ownIdentity());
    const other = await listener(path);
    const { gateway } = await open();
    assert.equal(gateway.address.socket, undefined);
    assert.equal((await descriptor()).socket, undefined);
    assert.equal((await ask(gateway.address)).status, 200);
    await gateway.close();
    const connection = connect(path);
    const [said] = (await once(connection, 'data')) as [Buffer];
    assert.equal(said.toString(), 'the other');
    connection.destroy();
    other.kill();
  });

  it('leaves what is no socket, follows no link, and does without where no socket can have the path', async () => {
    const path = windowSocket(home, await ownIdentity());
    await mkdir(windowsFolder(home), { recursive: true });
    await writeFile(path, 'mine');
    const first = await open();
    assert.equal(first.gateway.address.socket, undefined);
    await first.gateway.close();
    assert.equal(await readFile(path, 'utf8'), 'mine');

    const target = join(home, 'target');
    await unlink(path);
    await symlink(target, path);
    const second = await open();
    assert.equal(second.gateway.address.socket, undefined);
    await second.gateway.close();
    assert.deepEqual([existsSync(target), await readlink(path)], [false, target]);

    const far = join(home, 'x'.repeat(100));
    const third = await open(undefined, far);
    assert.equal(third.gateway.address.socket, undefined);
    assert.deepEqual([(await descriptor(far)).socket, third.warnings], [undefined, []]);
    assert.equal((await ask(third.gateway.address)).status, 200);
  });

  it('tells where the window is and when it was in front last, anew at each change, and takes away what a killed one left', async () => {
    const other = spawn(process.execPath, ['-e', 'setInterval(() => {}, 1000)']);
    ends.push(() => Promise.resolve(other.kill('SIGKILL')));
    const own = await ownIdentity();
    const { start } = (await systemFacts.start(other.pid!))!;
    const left = { ...own, pid: other.pid!, start };
    await writeWindow(home, {
      version: 1,
      kind: 'serving',
      process: left,
      url: 'http://127.0.0.1:1',
      token: 't',
      folders: [],
      focusedAt: 1,
    });
    await writeFile(windowSocket(home, left), '');
    const opened = await open();
    const [first] = (await openWindows(home)).filter(({ process: { pid } }) => pid === process.pid);
    assert.equal((await openWindows(home)).length, 2);
    assert.deepEqual(first!.folders, [home]);
    assert.ok(Math.abs(Date.now() - first!.focusedAt) < 60_000);

    other.kill('SIGKILL');
    await once(other, 'exit');
    await descriptor();
    assert.equal(existsSync(windowSocket(home, left)), false);

    const linked = join(home, 'linked');
    await symlink(home, linked);
    opened.move({ focused: false, folders: [linked, join(home, 'gone')] });
    const folders = [home, join(home, 'gone')];
    const second = await eventually(async () => {
      const now = await descriptor();
      return now.folders.length === 2 ? now : undefined;
    });
    assert.deepEqual([second.folders, second.focusedAt], [folders, first!.focusedAt]);
    opened.move({ focused: true });
    await eventually(async () => (await descriptor()).focusedAt > first!.focusedAt);
    const { token } = opened.gateway.address;
    assert.deepEqual([(await descriptor()).token, token.length >= 43], [token, true]);
  });

  it('ends what clients have at a server that is removed, and nothing at the others; it comes back as a new one', async () => {
    const { gateway, world } = await open({ one: { fixture: 'progress' }, two: { fixture: 'small-legacy' } });
    const target = gateway.address;
    const all = world.manager.view().servers.map(({ server }) => server);
    const apply = (ids: readonly string[]): void => {
      const servers = all.filter(({ id }) => ids.includes(id));
      const { file, scope } = all[0]!;
      world.manager.apply({ files: [{ file, scope, exists: true, version: 3, servers, inputs: [] }] });
    };
    const paths = ['/mcp/one', '/mcp/two'] as const;
    const [one, two] = await Promise.all(paths.map((path) => ask(target, { path })));
    const call = ask(target, { path: '/mcp/one', session: one!.session, message: hang });
    const streaming = deferred<undefined>();
    const opened = (): void => streaming.resolve(undefined);
    const stream = ask(target, { path: '/mcp/one', method: 'GET', session: one!.session, onHead: opened });
    await streaming.promise;
    await eventually(() => world.log('one').runs('hang') === 1);
    apply(['two']);
    assert.match((await call).text, /"code":"(connectionClosed|unknownServer)"/);
    for (const session of [one!.session, undefined]) {
      const { status, text } = await ask(target, { path: '/mcp/one', session, message: session ? ping : initialize });
      assert.deepEqual([status, text.includes('There is no server “one”')], [404, true]);
    }
    assert.equal((await ask(target, { path: '/mcp/two', session: two!.session, message: ping })).status, 200);
    apply(['one', 'two']);
    assert.equal((await ask(target, { path: '/mcp/one', session: one!.session, message: ping })).status, 404);
    assert.equal((await ask(target, { path: '/mcp/one' })).status, 200);
    assert.equal((await stream).status, 200);
  });

  it('shows a search in place of all tools to whoever connects while that is set, and leaves the others what they have', async () => {
    const opened = await open();
    const { address } = opened.gateway;
    const tools = async (session: string | undefined): Promise<readonly string[]> => {
      const { text } = await ask(address, { session, message: { jsonrpc: '2.0', id: 2, method: 'tools/list' } });
      const { result } = JSON.parse(text) as { result: { tools: { name: string }[] } };
      return result.tools.map(({ name }) => name);
    };
    const shown = async (session: string | undefined): Promise<readonly string[]> =>
      (await tools(session)).filter((name) => name === 'mcp__one__echo' || name === 'find_tools');
    const before = (await ask(address)).session;
    assert.deepEqual(await shown(before), ['mcp__one__echo']);
    opened.search = true;
    const after = (await ask(address)).session;
    assert.deepEqual(await shown(before), ['mcp__one__echo']);
    assert.deepEqual(await shown(after), ['find_tools']);
  });

  it('answers what is open when it closes, and is gone at once', async () => {
    const { gateway, world } = await open({ one: { fixture: 'progress' } });
    const path = '/mcp/one';
    const { session } = await ask(gateway.address, { path });
    const call = ask(gateway.address, { path, session, message: hang });
    await eventually(() => world.log('one').runs('hang') === 1);
    const begun = performance.now();
    await gateway.close();
    assert.match((await call).text, /"error"/);
    assert.ok(performance.now() - begun < 2_000);
    await eventually(() => world.log('one').events('cancelled').length === 1);
  });

  /** A process that listens on a Unix socket and says so to whoever connects. */
  async function listener(path: string): Promise<ChildProcess> {
    await mkdir(windowsFolder(home), { recursive: true });
    const serve = `require('net').createServer((s) => s.on('error', () => {}).write('the other')).listen(process.argv[1], () => console.log('up'))`;
    const child = spawn(process.execPath, ['-e', serve, path], { stdio: ['ignore', 'pipe', 'inherit'] });
    ends.push(() => Promise.resolve(child.kill('SIGKILL')));
    await once(child.stdout, 'data');
    return child;
  }
});

const hang = { jsonrpc: '2.0', id: 7, method: 'tools/call', params: { name: 'hang', arguments: {} } };
const ping = { jsonrpc: '2.0', id: 8, method: 'ping' };
