import assert from 'node:assert/strict';
import { describe, it } from 'mocha';
import type { BoundName, BoundTarget, BoundValues } from '../../../../src/core/ports.ts';
import type { RemoteLaunch } from '../../../../src/core/transport/launch.ts';
import { describeLaunch } from '../../../../src/core/trust/describeLaunch.ts';
import { launchFingerprint } from '../../../../src/core/trust/launchFingerprint.ts';
import { resolveLaunch } from '../../../../src/core/trust/resolveLaunch.ts';
import { folder, serverOf, user } from '../config/snapshots.ts';
import { contextOf, type FakePlace } from './launchFixture.ts';

const project = folder('one');
const token: BoundName = { kind: 'header', name: 'Authorization' };
const clientSecret: BoundName = { kind: 'clientSecret', name: 'oauth.clientSecret' };
const place: BoundTarget = {
  folder: '/work/one',
  server: 'a' as BoundTarget['server'],
  url: 'https://host.example/mcp?x=1',
};

/** Keeps values for one target; notes which were opened. */
function keeper(kept: readonly (readonly [BoundName, string | undefined])[], target = place) {
  const opened: string[] = [];
  const isTarget = (asked: BoundTarget): boolean => JSON.stringify(asked) === JSON.stringify(target);
  const boundValues: BoundValues = {
    names: (asked) => (isTarget(asked) ? kept.map(([name]) => name) : []),
    value: (asked, wanted) => {
      opened.push(wanted.name);
      return Promise.resolve(isTarget(asked) ? kept.find(([name]) => name === wanted)?.[1] : undefined);
    },
  };
  return { opened, contextWith: (more: FakePlace = {}) => ({ ...contextOf(more), boundValues }) };
}

const entry = { url: 'https://host.example/mcp?x=1', headers: { Accept: 'text/plain' } };

describe('what a person keeps for the remote server of a project', () => {
  it('goes into its launch, and is named, by reference only, where the launch is approved', async () => {
    const { opened, contextWith } = keeper([
      [token, 'Bearer kept-words'],
      [clientSecret, 'kept-client-secret'],
    ]);
    const context = contextWith();
    const request = await describeLaunch(serverOf(project, entry), context);
    assert.ok(request.what.kind === 'remote');
    assert.deepEqual(request.what.headers, { Accept: 'text/plain', Authorization: '${stored:Authorization}' });
    assert.deepEqual(request.references, ['${stored:Authorization}', '${stored:oauth.clientSecret}']);
    assert.deepEqual(opened, []);

    const launch = (await resolveLaunch(serverOf(project, entry), context)) as RemoteLaunch;
    assert.deepEqual({ ...launch.headers }, { Accept: 'text/plain', Authorization: 'Bearer kept-words' });
    assert.equal(launch.clientSecret, 'kept-client-secret');
    for (const value of ['Bearer kept-words', 'kept-client-secret']) assert.ok(launch.secrets?.includes(value));
  });

  it('is a part of the fingerprint by its name, so what is kept or forgotten asks again, and what is replaced does not', async () => {
    const printed = async (kept: Parameters<typeof keeper>[0]): Promise<string> =>
      launchFingerprint(serverOf(project, entry), keeper(kept).contextWith());
    const [none, one, replaced, both, other] = await Promise.all([
      printed([]),
      printed([[token, 'one']]),
      printed([[token, 'two']]),
      printed([
        [token, 'one'],
        [clientSecret, 'two'],
      ]),
      printed([[{ kind: 'header', name: 'X-Token' }, 'one']]),
    ]);
    assert.equal(one, replaced);
    assert.equal(new Set([none, one, both, other]).size, 4);
  });

  it('goes to exactly the URL, the server and the folder that it is kept for', async () => {
    const { contextWith, opened } = keeper([[token, 'Bearer kept-words']]);
    const context = contextWith({ env: { HOST: 'host.example' } });
    const headersOf = async (...[scope, what, id]: Parameters<typeof serverOf>): Promise<readonly string[]> =>
      Object.keys(((await resolveLaunch(serverOf(scope, what, id), context)) as RemoteLaunch).headers);
    const { url } = entry;
    for (const same of ['HTTPS://HOST.example:443/mcp?x=1', `${url}#part`, 'https://${env:HOST}/mcp?x=1']) {
      assert.deepEqual(await headersOf(project, { url: same }), ['Authorization'], same);
    }
    opened.length = 0;
    for (const other of [
      'https://host.example/mcp?x=2',
      'https://host.example/mcp',
      'https://host.example/mcp/?x=1',
      'https://host.example:444/mcp?x=1',
      'https://evil.example/mcp?x=1',
      'http://127.0.0.1/mcp?x=1',
    ]) {
      assert.deepEqual(await headersOf(project, { url: other }), [], other);
    }
    assert.deepEqual(await headersOf(project, { url }, 'b'), []);
    assert.deepEqual(await headersOf(folder('two'), { url }), []);
    assert.deepEqual(await headersOf(user, { url }), []);
    assert.deepEqual(opened, []);
  });

  it('has no target where a value of the person decides the URL', async () => {
    const { contextWith } = keeper([[token, 'Bearer kept-words']]);
    const context = contextWith({ inputs: { host: 'host.example' } });
    const launch = await resolveLaunch(serverOf(project, { url: 'https://${input:host}/mcp?x=1' }), context);
    assert.deepEqual(Object.keys((launch as RemoteLaunch).headers), []);
  });

  it('stands in the place of a header of the same name in the file', async () => {
    const { contextWith } = keeper([[{ kind: 'header', name: 'X-Trace' }, 'kept']]);
    const server = serverOf(project, { ...entry, headers: { 'x-trace': 'of the file' } });
    const launch = (await resolveLaunch(server, contextWith())) as RemoteLaunch;
    assert.deepEqual({ ...launch.headers }, { 'X-Trace': 'kept' });
  });

  it('bars its server, by name, where the editor lost it, and where it is no legal header', async () => {
    const lost = keeper([[token, undefined]]).contextWith();
    await assert.rejects(resolveLaunch(serverOf(project, entry), lost), {
      code: 'blockedInput',
      data: {
        server: 'a',
        file: '/work/one/.roundhouse/mcp.json',
        field: 'headers.Authorization',
        variable: '${stored:Authorization}',
      },
    });
    const broken = keeper([[token, 'a\r\nHost: evil']]).contextWith();
    await assert.rejects(resolveLaunch(serverOf(project, entry), broken), (error: Error & { code?: string }) => {
      assert.equal(error.code, 'configInvalid');
      assert.doesNotMatch(JSON.stringify(error), /evil/);
      return true;
    });
  });
});
