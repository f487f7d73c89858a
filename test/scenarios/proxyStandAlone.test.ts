// `mcp-roundhouse proxy` with a configuration of its own: its servers are its children.
import { Client as FirstClient } from '@modelcontextprotocol/sdk/client/index.js';
import { StdioClientTransport as FirstTransport } from '@modelcontextprotocol/sdk/client/stdio.js';
import assert from 'node:assert/strict';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, it } from 'mocha';
import { eventually } from '../support/eventually.ts';
import { startHttpFixture } from '../support/fixtureServer.ts';
import { patience } from '../support/patience.ts';
import { useProxies } from '../support/proxyWorld.ts';
import { withDeadline } from '../support/withDeadline.ts';

const envelope = {
  'io.modelcontextprotocol/protocolVersion': '2026-07-28',
  'io.modelcontextprotocol/clientCapabilities': {},
};

describe('a proxy that stands alone', function () {
  this.timeout(120_000);
  const world = useProxies();
  const alone = (servers: Parameters<ReturnType<typeof world>['configuration']>[0]): string[] => [
    '--config',
    world().configuration(servers),
  ];

  it('serves a client of the first SDK from a file, and leaves nothing [GATE-5g]', async () => {
    const file = join(world().folder, 'servers.json');
    writeFileSync(file, world().configuration({ one: { fixture: 'basic-legacy' } }));
    const client = new FirstClient({ name: 'first', version: '1' });
    await client.connect(new FirstTransport(world().command(['--config-file', file])));
    const result = await client.callTool({ name: 'mcp__one__echo', arguments: { text: 'hello' } });
    assert.match(JSON.stringify(result.content), /hello/);
    const { tools } = await client.listTools();
    assert.ok(tools.some(({ name }) => name === 'mcp__one__echo'));
    await client.close();
    assert.deepEqual(await world().leftovers(), []);
  });

  for (const era of ['legacy', 'modern'] as const) {
    for (const protocol of ['legacy', '2026-07-28']) {
      it(`serves a ${era} client with a server of ${protocol}: calls, progress, questions, cancellation, changes [GATE-5g]`, async () => {
        const [progress, asks, changes] =
          protocol === 'legacy'
            ? ['progress', 'asks', 'changes']
            : ['progress-modern', 'asks-modern', 'changes-modern'];
        const args = alone({
          one: { fixture: progress, protocol },
          two: { fixture: asks, protocol },
          three: { fixture: changes, protocol },
        });
        const client = await world().connect({ args, era, capabilities: { elicitation: { form: {} } } });
        const changed: string[] = [];
        if (era === 'legacy') {
          client.setNotificationHandler('notifications/tools/list_changed', () => void changed.push('tools'));
        } else {
          client.setNotificationHandler('notifications/tools/list_changed', () => void changed.push('tools'));
          await client.listen({ toolsListChanged: true });
        }
        const told: number[] = [];
        await client.callTool(
          { name: 'mcp__one__progress', arguments: { every: 20, count: 3 } },
          { onprogress: ({ progress: step }) => told.push(step) },
        );
        // The SDK may drop the last one, where it comes with the answer in one piece.
        assert.deepEqual(told.slice(0, 2), [1, 2]);
        client.setRequestHandler('elicitation/create', () => ({ action: 'accept', content: { colour: 'green' } }));
        const asked = await client.callTool({ name: 'mcp__two__ask_form', arguments: {} });
        assert.match(JSON.stringify(asked.content), /green/);
        await eventually(() => changed.length > 0, patience);
      });
    }
  }

  it('answers the handshake before any server is up, lists what is up, and announces the rest', async () => {
    const proxy = world().start(
      alone({
        quick: { fixture: 'small-legacy' },
        slow: { fixture: 'slow-answers', overrides: { rules: [{ on: '*', delay: 8_000 }] } },
      }),
    );
    const hello = await proxy.initialize();
    assert.match(JSON.stringify(hello.result), /- quick.*- slow/);
    assert.equal(world().log('quick').asked('initialize') + world().log('slow').asked('tools/list'), 0);
    const { result } = await proxy.request(1, 'tools/list');
    assert.doesNotMatch(JSON.stringify(result), /mcp__slow__/);
    await eventually(
      () => proxy.messages.some(({ method }) => method === 'notifications/tools/list_changed'),
      patience,
    );
  });

  it('bridges an entry with a URL on this machine, and another one only where that is allowed [GATE-5g]', async () => {
    const fixture = await startHttpFixture('small-modern');
    try {
      const config = JSON.stringify({
        version: 3,
        mcpServers: {
          near: { url: fixture.url, protocol: 'auto' },
          far: { url: 'https://mcp.example.com/mcp', protocol: 'auto' },
        },
      });
      const proxy = world().start(['--config', config]);
      await proxy.initialize();
      const { result } = await proxy.request(1, 'tools/call', {
        name: 'mcp__near__echo',
        arguments: { text: 'bridged' },
      });
      assert.match(JSON.stringify(result), /bridged/);
      const { error } = await proxy.request(2, 'tools/call', { name: 'mcp__far__echo', arguments: { text: 'x' } });
      assert.equal(error?.data?.['code'], 'blockedRemoteOff');
    } finally {
      await fixture.stop();
    }
  });

  it('takes "ask" for a no', async () => {
    const proxy = world().start(alone({ one: { fixture: 'small-legacy', toolPolicies: { '*': 'ask' } } }));
    await proxy.initialize();
    const { error } = await proxy.request(1, 'tools/call', { name: 'mcp__one__echo', arguments: { text: 'x' } });
    assert.deepEqual([error?.data?.['code'], error?.data?.['outcome']], ['toolNotConfirmed', 'notSent']);
    assert.match(error?.message ?? '', /nobody can be asked here\. Tell the person: /);
    assert.equal(world().log('one').runs('echo'), 0);
  });

  it('says what is wrong with a configuration, on stderr alone, and ends with 2', async () => {
    const proxy = world().start(['--config', '{"mcpServers":{"one":{"command":""}}}']);
    assert.equal(await withDeadline(proxy.ended, patience, 'the end'), 2);
    assert.match(proxy.err(), /command/);
    assert.deepEqual([proxy.messages, proxy.noise], [[], []]);
  });

  for (const [how, end] of [
    ['its stdin ends', 'stdin'],
    ['it is told to end', 'SIGTERM'],
    ['it is interrupted', 'SIGINT'],
    ['it is killed', 'SIGKILL'],
  ] as const) {
    it(`leaves no process where ${how} in the middle of a call [GATE-5g]`, async () => {
      // What ends a server that does not end with its stdin is one of the keeper's tasks.
      const one = end === 'SIGKILL' ? {} : { one: { fixture: 'grandchild' } };
      const proxy = world().start(alone({ ...one, two: { fixture: 'basic-legacy' } }));
      await proxy.initialize();
      const gate = world().log('two').gate();
      await proxy.request(1, 'tools/list');
      proxy.send({ id: 2, method: 'tools/call', params: { name: 'mcp__two__slow', arguments: gate.args } });
      await eventually(() => world().log('two').runs('slow') === 1, patience);
      if (end === 'stdin') proxy.child.stdin.end();
      else proxy.child.kill(end);
      const code = await withDeadline(proxy.ended, 6_000, 'the end');
      assert.equal(code, { stdin: 0, SIGTERM: 143, SIGINT: 130, SIGKILL: null }[end]);
      assert.equal(proxy.err().includes('stdin ended before every request was answered'), end === 'stdin');
      assert.deepEqual(await world().leftovers(), []);
    });
  }

  it('answers noise with -32700 and loses nothing around it', async () => {
    const proxy = world().start(alone({ one: { fixture: 'small-legacy' } }));
    await proxy.initialize();
    proxy.write('what is this?');
    proxy.write('');
    proxy.write('{"jsonrpc":"2.0","id":7,"method":42}');
    assert.deepEqual((await proxy.request(8, 'ping')).result, {});
    assert.equal((await proxy.answer(7)).error?.code, -32600);
    const faults = proxy.messages.filter(({ id }) => id === null).map(({ error }) => error?.code);
    assert.deepEqual([faults, proxy.noise], [[-32700], []]);
  });

  it('answers a request that is nested too deeply to be read under its own id', async () => {
    const proxy = world().start(alone({ one: { fixture: 'small-legacy' } }));
    await proxy.initialize();
    const deep = `${'['.repeat(100_000)}${']'.repeat(100_000)}`;
    proxy.write(`{"jsonrpc":"2.0","method":"tools/call","params":{"name":"a","arguments":{"a":${deep}}},"id":"deep"}`);
    assert.match((await proxy.answer('deep')).error?.message ?? '', /nested/);
  });

  it('says on stderr why a server is not served, once', async () => {
    const servers = { one: { command: 'no-such-program' }, two: { command: process.execPath, args: ['--version'] } };
    const proxy = world().start(['--config', JSON.stringify({ mcpServers: servers })]);
    await proxy.initialize();
    await proxy.request(1, 'tools/list');
    for (const id of [2, 3]) await proxy.request(id, 'tools/call', { name: 'mcp__one__echo', arguments: {} });
    await eventually(() => /^mcp-roundhouse: two: /m.test(proxy.err()), patience);
    assert.equal(proxy.err().match(/^mcp-roundhouse: one: .*no-such-program/gm)?.length, 1, proxy.err());
  });

  it('takes frames of five megabytes and answers no cancelled request', async () => {
    const proxy = world().start(alone({ one: { fixture: 'huge-results' }, two: { fixture: 'basic-legacy' } }));
    await proxy.initialize();
    const text = 'ä'.repeat(2_500_000);
    const echo = await proxy.request(1, 'tools/call', { name: 'mcp__one__echo', arguments: { text } });
    assert.match(JSON.stringify(echo.result), /ääää.* of 2500000 characters/);
    const gate = world().log('two').gate();
    for (const [id, _meta] of [
      [2, undefined],
      [3, envelope],
    ] as const) {
      const params = { name: 'mcp__two__slow', arguments: gate.args, ...(_meta && { _meta }) };
      proxy.send({ id, method: 'tools/call', params });
      await eventually(() => world().log('two').runs('slow') === id - 1, patience);
      proxy.send({ method: 'notifications/cancelled', params: { requestId: id } });
      await eventually(() => world().log('two').asked('notifications/cancelled') === id - 1, patience);
    }
    await proxy.request(4, 'ping');
    assert.deepEqual(
      proxy.messages.filter(({ id }) => id === 2 || id === 3),
      [],
    );
  });
});
