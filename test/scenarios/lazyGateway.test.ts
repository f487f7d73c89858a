import assert from 'node:assert/strict';
import { realpath } from 'node:fs/promises';
import { afterEach, beforeEach, describe, it } from 'mocha';
import { deferred } from '../../src/base/deferred.ts';
import { Emitter } from '../../src/base/event.ts';
import { announcedWindows, openWindows } from '../../src/gateway/windowFiles.ts';
import type { GatewayAddress } from '../../src/vscode/gateway/gatewayAccess.ts';
import { anything, indifferentEditor, stubEditor } from '../support/editorStub.ts';
import { eventually } from '../support/eventually.ts';
import { patience } from '../support/patience.ts';
import { ask } from '../support/gatewayPeer.ts';
import { useGateways } from '../support/gatewayWorld.ts';
import { temporaryFolder } from '../support/temporaryFolder.ts';

const { LazyGateway } = await import('../../src/vscode/gateway/lazyGateway.ts');

interface Start {
  readonly trusted?: boolean;
  readonly enabled?: boolean;
  readonly workspaceValue?: boolean;
}

describe('when a window serves agents', function () {
  this.timeout(60_000);
  const openServers = useGateways();
  let folder: Awaited<ReturnType<typeof temporaryFolder>>;
  let gateway: InstanceType<typeof LazyGateway> | undefined;
  beforeEach(async () => (folder = await temporaryFolder()));
  afterEach(async () => {
    await gateway?.end();
    await folder.remove();
  });

  async function start({ trusted = true, enabled = true, workspaceValue }: Start = {}) {
    const { manager } = await openServers({ one: { fixture: 'small-legacy' } });
    const granted = new Emitter<void>();
    const configured = new Emitter<{ affectsConfiguration: () => boolean }>();
    const person = { enabled, trusted };
    stubEditor({
      ...indifferentEditor(),
      Disposable: { from: () => ({ dispose: () => undefined }) },
      window: anything({ state: { focused: true } }),
      workspace: anything({
        get isTrusted() {
          return person.trusted;
        },
        workspaceFolders: [{ uri: { scheme: 'file', fsPath: folder.path } }],
        onDidGrantWorkspaceTrust: granted.event,
        onDidChangeConfiguration: configured.event,
        getConfiguration: () => ({ inspect: () => ({ globalValue: person.enabled, workspaceValue }) }),
      }),
    });
    const loaded = deferred<undefined>();
    const forward = () => Promise.resolve(() => Promise.reject(new Error('no call')));
    const log = { info: () => undefined, warn: () => undefined, error: (text: string) => assert.fail(text) };
    const opened = new LazyGateway({ home: folder.path, manager, forward, log, loaded: loaded.promise });
    gateway = opened;
    return {
      opened,
      loaded: () => loaded.resolve(undefined),
      trust: () => {
        person.trusted = true;
        granted.fire();
      },
      set: (value: boolean) => {
        person.enabled = value;
        configured.fire({ affectsConfiguration: () => true });
      },
    };
  }

  const found = async (): Promise<number> => (await openWindows(folder.path)).length;

  it('is once the configuration was read, and ends with the window', async () => {
    const { opened, loaded } = await start();
    const ready = opened.ready();
    assert.deepEqual([opened.address, await found()], [undefined, 0]);
    loaded();
    const address = await ready;
    assert.deepEqual([(await ask(address!)).status, opened.address, await found()], [200, address, 1]);
    await opened.end();
    assert.deepEqual([opened.address, await found()], [undefined, 0]);
    await assertGone(address!);
    assert.equal(await opened.ready(), undefined);
  });

  it('is not before the workspace is trusted, and at once when it is [TRUST-1c, TRUST-1d]', async () => {
    const { opened, loaded, trust } = await start({ trusted: false });
    loaded();
    assert.deepEqual([await opened.ready(), await found()], [undefined, 0]);
    // No other window serves who works in its folder, so they have to know.
    const announced = (await announcedWindows(folder.path)).map(({ kind, folders }) => ({ kind, folders }));
    assert.deepEqual(announced, [{ kind: 'restricted', folders: [await realpath(folder.path)] }]);
    const changed = new Promise<void>((resolve) => opened.onDidChange(resolve));
    trust();
    await changed;
    assert.equal((await ask(opened.address!)).status, 200);
    assert.equal(await found(), 1);
  });

  it('is announced as restricted before anything is read, whatever the person set, until it ends [TRUST-1c]', async () => {
    const { opened } = await start({ trusted: false, enabled: false });
    const kinds = async () => (await announcedWindows(folder.path)).map(({ kind }) => kind);
    await eventually(async () => (await kinds()).length === 1, patience / 2).catch(() => undefined);
    assert.deepEqual(await kinds(), ['restricted']);
    await opened.end();
    assert.deepEqual(await announcedWindows(folder.path), []);
  });

  it('is as the person set it, whatever a workspace says, with a new token each time [TRUST-8a]', async () => {
    const { opened, loaded, set } = await start({ enabled: false, workspaceValue: true });
    loaded();
    assert.deepEqual([await opened.ready(), await found()], [undefined, 0]);
    set(true);
    const first = await opened.ready();
    assert.equal((await ask(first!)).status, 200);
    set(false);
    assert.deepEqual([await opened.ready(), await found()], [undefined, 0]);
    await assertGone(first!);
    set(true);
    const second = await opened.ready();
    assert.notEqual(second!.token, first!.token);
    assert.equal((await ask({ ...second!, token: first!.token })).status, 401);
  });
});

/** Nobody listens there, neither on the port nor on the socket. */
async function assertGone({ url, socket, token }: GatewayAddress): Promise<void> {
  await assert.rejects(ask({ url, token }), /ECONNREFUSED/);
  await assert.rejects(ask({ url, socket, token }), /ENOENT/);
}
