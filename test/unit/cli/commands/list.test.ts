import assert from 'node:assert/strict';
import { setImmediate } from 'node:timers/promises';
import { describe, it } from 'mocha';
import { deferred } from '../../../../src/base/deferred.ts';
import { runList } from '../../../../src/cli/commands/list.ts';
import type { OpenServers } from '../../../../src/cli/servers.ts';
import type { JsonValue } from '../../../../src/contract/json.ts';
import { ManagerError } from '../../../../src/core/errors.ts';
import { fakeHost } from '../../../support/fakeHost.ts';
import { configProblem, type FakeServer, fakeServers } from '../../../support/fakeServers.ts';

const file = ['--config-file', '/f/mcp.json'];

describe('list', () => {
  it('prints one JSON object with every server in the order of the file, items as they were sent', async () => {
    const tool = { name: 'echo', inputSchema: { type: 'object' }, 'x-unknown': [1, null] };
    const { host, code } = await list(
      [
        { id: 'b', tools: [tool] },
        { id: 'a', enabled: false },
      ],
      ['--json'],
    );
    assert.equal(code, 0);
    const empty = { resources: [], resourceTemplates: [], prompts: [] };
    assert.deepEqual(JSON.parse(host.written.out), {
      servers: [
        { id: 'b', state: 'ready', era: 'legacy', revision: '2025-11-25', tools: [tool], ...empty },
        { id: 'a', state: 'disabled', era: null, revision: null, tools: [], ...empty },
      ],
    });
  });

  it('loses no other server for one whose items cannot be written', async () => {
    let deep: JsonValue = 1;
    for (let depth = 0; depth < 50_000; depth += 1) deep = [deep];
    const { host, code } = await list(
      [
        { id: 'deep', tools: [{ name: 'x', deep }] },
        { id: 'good', tools: [{ name: 'y' }] },
      ],
      ['--json'],
    );
    assert.equal(code, 0);
    const { servers } = JSON.parse(host.written.out) as { servers: Record<string, unknown>[] };
    assert.deepEqual(
      servers.map(({ id }) => id),
      ['deep', 'good'],
    );
    assert.equal((servers[0]?.['error'] as { code: string }).code, 'internal');
    assert.deepEqual(servers[1]?.['tools'], [{ name: 'y' }]);
  });

  it('exits with 0 although a server failed, and says why and what to do', async () => {
    const failure = new ManagerError('exitedAtStart', { server: 'bad', exit: 'code 1' }, { stderr: ['boom'] });
    const json = await list([{ id: 'bad', failure }, { id: 'good' }], ['--json']);
    assert.equal(json.code, 0);
    const [bad, good] = (JSON.parse(json.host.written.out) as { servers: Record<string, unknown>[] }).servers;
    assert.equal(bad?.['state'], 'failed');
    assert.equal((bad['error'] as { code: string }).code, 'exitedAtStart');
    assert.equal(good?.['state'], 'ready');
    const text = await list([{ id: 'bad', failure }], []);
    assert.match(text.host.written.out, /bad: failed\n.*ended before it was ready \(code 1\)\.\n.*\n {2}\| boom\n/);
  });

  it('tells the failure of a server that is connected but could not be listed', async () => {
    const failure = new ManagerError('requestTimeout', { server: 's', method: 'tools/list', seconds: 15 });
    const { host } = await list([{ id: 's', failure, state: readyState }], ['--json']);
    const [server] = (JSON.parse(host.written.out) as { servers: { state: string; error?: { code: string } }[] })
      .servers;
    assert.equal(server?.state, 'ready');
    assert.equal(server.error?.code, 'requestTimeout');
  });

  it('counts what a server offers in plain words', async () => {
    const { host } = await list([{ id: 's', tools: [{ name: 'only' }] }], []);
    assert.equal(
      host.written.out.split('\n')[0],
      's: ready, legacy 2025-11-25, 1 tool, 0 resources, 0 resource templates, 0 prompts',
    );
  });

  it('names the server where a failure only knows the request', async () => {
    const failure = new ManagerError('invalidResponse', { method: 'tools/list', detail: 'no list' });
    const { host } = await list([{ id: 'odd', failure, state: readyState }], []);
    assert.match(host.written.out, /Server "odd" answered tools\/list/);
  });

  it('prints text in the order of the file, and waits for no server that comes later', async () => {
    const slow = deferred<undefined>();
    const host = fakeHost();
    const servers = fakeServers([{ id: 'first' }, { id: 'slow', until: slow.promise }, { id: 'fast' }]);
    const running = runList(file, host, opening(servers));
    await setImmediate();
    assert.match(host.written.out, /^first: ready/);
    assert.doesNotMatch(host.written.out, /slow|fast/);
    slow.resolve(undefined);
    assert.equal(await running, 0);
    assert.deepEqual(
      [...host.written.out.matchAll(/^\w+/gm)].map(([id]) => id),
      ['first', 'slow', 'fast'],
    );
  });

  it('says in words in text, and as a name in JSON, what blocks a server', async () => {
    const fakes = [{ id: 'far', state: { kind: 'blocked', by: 'remoteOff', problem: remoteOff } }] as const;
    const text = (await list(fakes, [])).host.written.out;
    assert.match(text, /^far: blocked, as remote servers are off\n/);
    assert.doesNotMatch(text, /remoteOff/);
    assert.match((await list(fakes, ['--json'])).host.written.out, /"state":"blocked\(remoteOff\)"/);
  });

  it('says which lists are not whole, and what was left out', async () => {
    const { host } = await list(
      [
        {
          id: 's',
          snapshot: {
            incomplete: [{ kind: 'tools', reason: 'repeatedCursor', detail: 'cursor "a" came twice' }],
            issues: [{ kind: 'tools', what: 'badItem', item: 'x\u001B[31my', reason: 'name is empty' }],
            issueCount: 3,
          },
          view: { noiseCount: 2 },
        },
      ],
      [],
    );
    assert.match(host.written.out, /tools: not complete \(its pages repeat\)/);
    assert.match(host.written.out, /tools: left out: xy: name is empty/);
    assert.match(host.written.out, /and 2 more/);
    assert.match(host.written.out, /2 lines on stdout/);
  });

  it('gives one number of odd lines where the reason has counted them', async () => {
    const data = { server: 's', seconds: 60, noiseLines: 812_345, noiseSample: 'y' };
    const failure = new ManagerError('connectTimeout', data);
    const { host } = await list([{ id: 's', failure, view: { noiseCount: 524_288 } }], []);
    assert.match(host.written.out, /ignored: 812345/);
    assert.doesNotMatch(host.written.out, /524288/);
  });

  it('lets no escape sequence or hidden character of a server through to a terminal', async () => {
    const hostile = { name: 'evil\u001B]8;;http://x\u0007\u202Etool', description: 'a\u009B2Jb\u200Bc' };
    for (const form of [[], ['--json']]) {
      const { host } = await list([{ id: 's', tools: [hostile] }], form);

      assert.doesNotMatch(host.written.out, /[\u0000-\u0009\u000B-\u001F\u007F-\u009F\u200B\u202E]/);
    }
  });

  it('keeps the exact value of what it escapes in JSON', async () => {
    const hostile = { name: 'evil\u009B\u202E\u200B\u{E0041}tool' };
    const { host } = await list([{ id: 's', tools: [hostile] }], ['--json']);
    const [server] = (JSON.parse(host.written.out) as { servers: { tools: unknown[] }[] }).servers;
    assert.deepEqual(server?.tools, [hostile]);
  });

  it('refuses a bad configuration with 2, naming file, line, column, server and field, and prints no list but the reason', async () => {
    const host = fakeHost();
    const problems = [configProblem(), configProblem({ position: { line: 9, column: 1 } })];
    const code = await runList([...file, '--json'], host, () => Promise.resolve({ kind: 'refused', problems }));
    assert.equal(code, 2);
    const { error, ...others } = JSON.parse(host.written.out) as { error: Record<string, string> };
    assert.deepEqual([others, Object.keys(error), error['code']], [{}, ['code', 'message', 'remedy'], 'configInvalid']);
    const [first, second] = host.written.err.split('\n');
    assert.match(first ?? '', /^\/f\/mcp\.json:3:7: .*url.*"one".*it is not a URL/);
    assert.match(second ?? '', /^\/f\/mcp\.json:9:1: /);
  });

  it('ends its servers when it is interrupted, and shows nothing more', async () => {
    const never = deferred<undefined>();
    const host = fakeHost();
    const servers = fakeServers([{ id: 's', until: never.promise, failure: new ManagerError('cancelled') }]);
    const running = runList(file, host, opening(servers));
    await setImmediate();
    host.interrupt(130);
    never.resolve(undefined);
    assert.equal(await running, 130);
    assert.equal(servers.disposed, 1);
    assert.equal(host.written.out, '');
  });

  it('ends its servers in every case', async () => {
    const { servers } = await list([{ id: 's' }], []);
    assert.equal(servers.disposed, 1);
  });
});

const remoteOff = { code: 'blockedRemoteOff', data: { server: 'far', url: 'https://far.example/mcp' } } as const;

const readyState = {
  kind: 'ready',
  since: 0,
  generation: 1 as never,
  negotiated: { era: 'modern', revision: '2026-07-28', transport: 'stdio' },
} as const;

async function list(fakes: readonly FakeServer[], argv: readonly string[]) {
  const host = fakeHost();
  const servers = fakeServers(fakes);
  return { host, servers, code: await runList([...file, ...argv], host, opening(servers)) };
}

function opening(servers: ReturnType<typeof fakeServers>): OpenServers {
  return () => Promise.resolve({ kind: 'opened', servers });
}
