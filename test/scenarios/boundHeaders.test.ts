// A credential that a person keeps for one remote server of a project: where it goes, and where it does not.
import assert from 'node:assert/strict';
import { afterEach, beforeEach, describe, it } from 'mocha';
import type { ApprovalRequest, BoundTarget } from '../../src/core/ports.ts';
import { fixtureCommand, type HttpFixture, startHttpFixture } from '../support/fixtureServer.ts';
import {
  openServerWindow,
  projectFileIn,
  type ServerWindow,
  userFileIn,
  writeServers,
} from '../support/serverWindow.ts';
import { temporaryFolder } from '../support/temporaryFolder.ts';

const token = { kind: 'header', name: 'X-Api-Key' } as const;

describe('what a person keeps for a remote server of a project', () => {
  let folder: Awaited<ReturnType<typeof temporaryFolder>>;
  let window: ServerWindow | undefined;
  const fixtures: HttpFixture[] = [];
  const requests: ApprovalRequest[] = [];
  /** Opened values, and for what. */
  let opened: BoundTarget[] = [];
  /** The one URL that something is kept for. */
  let kept = '';

  beforeEach(async () => {
    folder = await temporaryFolder();
    [opened, kept] = [[], ''];
    requests.length = 0;
  });
  afterEach(async () => {
    await window?.dispose();
    window = undefined;
    await Promise.all(fixtures.splice(0).map((fixture) => fixture.stop()));
    await folder.remove();
  });

  const start = async (name: string): Promise<HttpFixture> => {
    const fixture = await startHttpFixture(name);
    fixtures.push(fixture);
    return fixture;
  };
  const open = async (servers: object): Promise<ServerWindow> => {
    await writeServers(projectFileIn(folder.path), servers);
    window = await openServerWindow(folder.path, {
      prompt: {
        ask: (asked) => {
          requests.push(...asked);
          return Promise.resolve(new Map(asked.map(({ fingerprint }) => [fingerprint, 'once' as const])));
        },
      },
      boundValues: {
        names: ({ url }) => (url === kept ? [token] : []),
        value: (target) => {
          opened.push(target);
          return Promise.resolve('kept-value-0815');
        },
      },
    });
    return window;
  };
  const keysSentTo = ({ log }: HttpFixture, listener?: string): unknown[] =>
    log
      .events('http')
      .filter((event) => listener === undefined || event['listener'] === listener)
      .map(({ headers }) => (headers as Record<string, string>)['x-api-key']);

  it('is opened and sent once the server is approved, with its name in the question [TRUST-6c, TRUST-6d]', async () => {
    const hub = await start('small-both');
    kept = hub.url;
    const own = await open({ hub: { url: hub.url } });
    await assert.rejects(own.manager.use(own.key('hub')), { code: 'blockedApproval' });
    assert.deepEqual([opened, hub.log.events('http')], [[], []]);
    await own.manager.review();
    await own.manager.use(own.key('hub'));
    const [request] = requests;
    assert.ok(request?.what.kind === 'remote');
    assert.deepEqual(request.what.headers, { 'X-Api-Key': '${stored:X-Api-Key}' });
    assert.deepEqual(request.references, ['${stored:X-Api-Key}']);
    const sent = keysSentTo(hub);
    assert.ok(sent.length > 0 && sent.every((value) => value === 'kept-value-0815'));
    assert.ok(opened.every(({ server, url }) => server === 'hub' && url === hub.url));
  });

  it('reaches no other origin that its server redirects to [TRUST-6c, CONN-12f]', async () => {
    const hub = await start('http-redirect-other-origin');
    kept = hub.url;
    const own = await open({ hub: { url: hub.url } });
    await own.manager.review();
    await own.manager.use(own.key('hub')).catch(() => undefined);
    assert.ok(keysSentTo(hub, 'main').includes('kept-value-0815'));
    const elsewhere = keysSentTo(hub, 'other');
    assert.ok(elsewhere.length > 0 && elsewhere.every((value) => value === undefined), JSON.stringify(elsewhere));
  });

  it('goes to no other server, path or query, and to no server of the person [TRUST-6c]', async () => {
    const hub = await start('small-both');
    kept = hub.url;
    await writeServers(userFileIn(folder.path), { mine: { url: hub.url } });
    const own = await open({ query: { url: `${hub.url}?a=b` }, slash: { url: `${hub.url}#fragment` } });
    await own.manager.review([own.key('query')]);
    await own.manager.use(own.key('query')).catch(() => undefined);
    await own.manager.use(own.key('mine'));
    assert.deepEqual(opened, []);
    assert.ok(keysSentTo(hub).length > 0 && keysSentTo(hub).every((value) => value === undefined));
    // A fragment is never sent: it makes no other place.
    await own.manager.review();
    await own.manager.use(own.key('slash')).catch(() => undefined);
    assert.ok(keysSentTo(hub).includes('kept-value-0815'));
  });

  it('asks again when it is kept or forgotten meanwhile, and a start without it fails closed [TRUST-6c]', async () => {
    const hub = await start('small-both');
    const own = await open({ hub: { url: hub.url } });
    await own.manager.review();
    await own.manager.use(own.key('hub'));
    await own.manager.stop(own.key('hub'));
    kept = hub.url;
    await assert.rejects(own.manager.use(own.key('hub')), { code: 'blockedApproval' });
    assert.deepEqual(opened, []);
    await own.manager.review();
    await own.manager.use(own.key('hub'));
    assert.ok(keysSentTo(hub).includes('kept-value-0815'));
    assert.equal(requests.length, 2);
  });

  it('leaves every other secret to be named, and to be approved for that server and what it runs [TRUST-6d]', async () => {
    const server = (more: readonly string[] = []) => {
      const { command, args } = fixtureCommand('small-legacy');
      return { command, args: [...args, ...more], env: { TOKEN: '${secret:k}' } };
    };
    const own = await open({ one: server(), two: server() });
    const askedFor = (): number => own.read.filter((name) => name === 'k').length;
    const barred = { code: 'blockedApproval' };
    await assert.rejects(own.manager.use(own.key('one')), barred);
    assert.equal(askedFor(), 0);
    await own.manager.review([own.key('one')]);
    assert.deepEqual(requests[0]?.references, ['${secret:k}']);
    await assert.rejects(own.manager.use(own.key('one')), { code: 'blockedInput' });
    const once = askedFor();
    assert.ok(once > 0);
    // Neither another server that names it nor the same one with another target gets it.
    await assert.rejects(own.manager.use(own.key('two')), barred);
    await writeServers(projectFileIn(folder.path), { one: server(['--more']), two: server() });
    await own.reload();
    await assert.rejects(own.manager.use(own.key('one')), barred);
    assert.equal(askedFor(), once);
  });
});
