// `mcp-roundhouse proxy`, attached to windows that come and go.
import { Client as FirstClient } from '@modelcontextprotocol/sdk/client/index.js';
import { StdioClientTransport as FirstTransport } from '@modelcontextprotocol/sdk/client/stdio.js';
import assert from 'node:assert/strict';
import { setTimeout as pause } from 'node:timers/promises';
import { describe, it } from 'mocha';
import { eventually } from '../support/eventually.ts';
import { patience } from '../support/patience.ts';
import { type Message, useProxies } from '../support/proxyWorld.ts';
import { withDeadline } from '../support/withDeadline.ts';

const small = { one: { fixture: 'basic-legacy' } };
const envelope = {
  'io.modelcontextprotocol/protocolVersion': '2026-07-28',
  'io.modelcontextprotocol/clientCapabilities': {},
};

describe('a proxy that is attached to a window', function () {
  this.timeout(120_000);
  const world = useProxies();

  it('serves a client of the first SDK [GATE-5d]', async () => {
    await world().openWindow(small);
    const client = new FirstClient({ name: 'first', version: '1' });
    await client.connect(new FirstTransport(world().command()));
    try {
      const result = await client.callTool({ name: 'mcp__one__echo', arguments: { text: 'hello' } });
      assert.match(JSON.stringify(result.content), /hello/);
      const { tools } = await client.listTools();
      assert.ok(tools.some(({ name }) => name === 'mcp__one__echo'));
      assert.equal((await client.listPrompts()).prompts.length > 0, true);
    } finally {
      await client.close();
    }
  });

  for (const era of ['legacy', 'modern'] as const) {
    it(`serves a ${era} client of the second SDK, with progress and questions [GATE-5d]`, async () => {
      await world().openWindow({ one: { fixture: 'progress' }, two: { fixture: 'asks' } });
      const client = await world().connect({ era, capabilities: { elicitation: { form: {} } } });
      const progress: number[] = [];
      await client.callTool(
        { name: 'mcp__one__progress', arguments: { every: 20, count: 3 } },
        { onprogress: (told) => progress.push(told.progress) },
      );
      // The SDK may drop the last one, where it comes with the answer in one piece; the raw agents below see all.
      assert.deepEqual(progress.slice(0, 2), [1, 2]);
      client.setRequestHandler('elicitation/create', () => ({ action: 'accept', content: { colour: 'green' } }));
      const asked = await client.callTool({ name: 'mcp__two__ask_form', arguments: {} });
      assert.match(JSON.stringify(asked.content), /green/);
    });

    it(`hands a ${era} client’s cancellation on to the server`, async () => {
      await world().openWindow({ one: { fixture: 'basic-legacy' } });
      const client = await world().connect({ era });
      const gate = world().log('one').gate();
      const cancel = new AbortController();
      const call = client.callTool({ name: 'mcp__one__slow', arguments: gate.args }, { signal: cancel.signal });
      await eventually(() => world().log('one').runs('slow') === 1, patience);
      cancel.abort();
      await assert.rejects(call);
      await eventually(() => world().log('one').asked('notifications/cancelled') === 1, 5_000);
    });
  }

  it('passes by the nearest folder, then by the window that was in front last [GATE-5d]', async () => {
    const { folder } = world();
    await world().openWindow({ near: { fixture: 'small-legacy' } }, { folders: [folder], focusedAt: 1 });
    await world().openWindow({ far: { fixture: 'small-legacy' } }, { folders: ['/'], focusedAt: 2 });
    const names = async (args: readonly string[]): Promise<string> => {
      const proxy = world().start(args);
      const hello = await proxy.initialize();
      proxy.child.stdin.end();
      await proxy.ended;
      return JSON.stringify(hello.result);
    };
    assert.match(await names([]), /- near/);
    assert.match(await names(['--workspace', '/']), /- far/);
  });

  it('keeps answers of two agents with equal ids apart', async () => {
    await world().openWindow(small);
    const agents = [world().start(), world().start()];
    await Promise.all(agents.map((agent) => agent.initialize()));
    for (let round = 0; round < 20; round += 1) {
      const texts = await Promise.all(
        agents.map(async (agent, which) => {
          const args = { name: 'mcp__one__echo', arguments: { text: `round ${round} of ${which}` } };
          return JSON.stringify((await agent.request(round, 'tools/call', args)).result);
        }),
      );
      texts.forEach((text, which) => assert.ok(text.includes(`round ${round} of ${which}`), text));
    }
  });

  it('carries frames of five megabytes, both ways', async () => {
    await world().openWindow({ one: { fixture: 'huge-results' } });
    const proxy = world().start();
    await proxy.initialize();
    const text = 'ä'.repeat(2_500_000);
    const echo = await proxy.request(1, 'tools/call', { name: 'mcp__one__echo', arguments: { text } });
    // Texts are cut towards a model, which says how much there was; an image is whole.
    assert.match(JSON.stringify(echo.result), /ääää.* of 2500000 characters/);
    const image = { name: 'mcp__one__big', arguments: { bytes: 5_000_000, kind: 'image' } };
    const { result } = await proxy.request(2, 'tools/call', image);
    const [content] = result!['content'] as readonly { data: string }[];
    assert.equal(content!.data.length, 5_000_000);
  });

  it('answers noise with -32700 and loses nothing around it', async () => {
    await world().openWindow(small);
    const proxy = world().start();
    await proxy.initialize();
    proxy.write('what is this?\r');
    proxy.write('');
    proxy.write('{"jsonrpc":"2.0","id":7,"method":42}');
    proxy.write('[{"jsonrpc":"2.0","id":8,"method":"ping"},{"jsonrpc":"2.0","id":9,"method":"ping"}]');
    for (const id of [8, 9]) assert.deepEqual((await proxy.answer(id)).result, {});
    assert.equal((await proxy.answer(7)).error?.code, -32600);
    const faults = proxy.messages.filter(({ id }) => id === null).map(({ error }) => error?.code);
    assert.deepEqual([faults, proxy.noise], [[-32700], []]);
  });

  for (const era of ['legacy', 'modern'] as const) {
    it(`ends every call of a ${era} agent at the window’s death, before there is another one, repeats none, and goes on with the next window [GATE-5e]`, async () => {
      const first = await world().openWindow(small);
      const proxy = world().start();
      const _meta = era === 'modern' ? { _meta: envelope } : {};
      if (era === 'legacy') await proxy.initialize();
      else
        proxy.send({
          id: 'l',
          method: 'subscriptions/listen',
          params: { notifications: { toolsListChanged: true }, ..._meta },
        });
      await proxy.request('list', 'tools/list', _meta);
      const gate = world().log('one').gate();
      const slow = { name: 'mcp__one__slow', arguments: gate.args, ..._meta };
      for (const id of [1, 2, 3]) proxy.send({ id, method: 'tools/call', params: slow });
      await eventually(() => world().log('one').runs('slow') === 3, patience);
      await first.kill();
      for (const id of [1, 2, 3]) {
        const { error } = await proxy.answer(id);
        assert.deepEqual(error?.data, { code: 'windowClosed', outcome: 'unknown' });
      }
      const changed = (): Message[] =>
        proxy.messages.filter(({ method }) => method === 'notifications/tools/list_changed');
      const before = changed().length;
      const waiting = proxy.request(4, 'tools/call', {
        name: 'mcp__one__echo',
        arguments: { text: 'again' },
        ..._meta,
      });
      await world().openWindow(small);
      assert.match(JSON.stringify((await waiting).result), /again/);
      await eventually(() => changed().length > before, patience);
      assert.equal(world().log('one').runs('slow'), 3);
      assert.equal(world().log('one').runs('echo'), 1);
    });
  }

  it('makes do without a window, says so, and serves once one opens', async () => {
    const proxy = world().start();
    const hello = await proxy.initialize();
    assert.match(JSON.stringify(hello.result), /No VS Code window/);
    assert.deepEqual((await proxy.request(1, 'tools/list')).result, { tools: [] });
    const { error } = await proxy.request(2, 'tools/call', { name: 'mcp__one__echo', arguments: { text: 'x' } });
    assert.deepEqual(error?.data, { code: 'windowClosed', outcome: 'notSent' });
    assert.match(proxy.err(), /no VS Code window/);
    await world().openWindow(small);
    await eventually(
      () => proxy.messages.some(({ method }) => method === 'notifications/tools/list_changed'),
      patience,
    );
    const { result } = await proxy.request(3, 'tools/call', { name: 'mcp__one__echo', arguments: { text: 'here' } });
    assert.match(JSON.stringify(result), /here/);
  });

  it('goes to a nearer window once one opens, and ends its session at the other', async () => {
    const { folder } = world();
    await world().openWindow({ far: { fixture: 'small-legacy' } }, { folders: [] });
    const proxy = world().start();
    await proxy.initialize();
    assert.match(JSON.stringify((await proxy.request(1, 'tools/list')).result), /mcp__far__/);
    await world().openWindow({ near: { fixture: 'small-legacy' } }, { folders: [folder], focusedAt: 0 });
    await eventually(() => /of .*work\./.exec(proxy.err()) !== null, patience);
    assert.match(JSON.stringify((await proxy.request(2, 'tools/list')).result), /mcp__near__/);
    assert.equal(world().log('far').asked('tools/call'), 0);
  });

  for (const [how, end] of [
    ['its stdin ends', (child: { stdin: { end(): void } }) => child.stdin.end()],
    ['it is killed', (child: { kill(signal: 'SIGKILL'): void }) => child.kill('SIGKILL')],
    ['it is told to end', (child: { kill(signal: 'SIGTERM'): void }) => child.kill('SIGTERM')],
  ] as const) {
    for (const era of ['legacy', 'modern'] as const) {
      it(`has a ${era} agent’s calls cancelled at the server where ${how} [GATE-1f]`, async () => {
        await world().openWindow(small);
        const proxy = world().start();
        const _meta = era === 'modern' ? { _meta: envelope } : {};
        if (era === 'legacy') await proxy.initialize();
        const gate = world().log('one').gate();
        proxy.send({ id: 1, method: 'tools/call', params: { name: 'mcp__one__slow', arguments: gate.args, ..._meta } });
        await eventually(() => world().log('one').runs('slow') === 1, patience);
        const begun = Date.now();
        end(proxy.child);
        await withDeadline(proxy.ended, 3_000, 'the end');
        await eventually(() => world().log('one').asked('notifications/cancelled') === 1, 5_000);
        assert.ok(Date.now() - begun < 3_000, `${Date.now() - begun} ms`);
      });
    }
  }

  for (const era of ['legacy', 'modern'] as const) {
    it(`reads no faster than its ${era} agent does, and loses nothing of what waits`, async () => {
      await world().openWindow({ one: { fixture: 'progress' } });
      const proxy = world().start();
      if (era === 'legacy') await proxy.initialize();
      proxy.child.stdout.pause();
      const _meta = { progressToken: 'p', ...(era === 'modern' && envelope) };
      proxy.send({
        id: 1,
        method: 'tools/call',
        params: { name: 'mcp__one__progress', arguments: { every: 0, count: 2_000 }, _meta },
      });
      await eventually(() => world().log('one').runs('progress') === 1, patience);
      await pause(300); // The time for which nobody reads is what this is about.
      proxy.child.stdout.resume();
      assert.ok((await proxy.answer(1)).result !== undefined);
      const told = proxy.messages.filter(({ method }) => method === 'notifications/progress');
      assert.deepEqual(
        told.map(({ params }) => params?.['progress']),
        Array.from({ length: 2_000 }, (_, index) => index + 1),
      );
    });
  }

  it('repeats in headers the arguments that a tool wants there, for agents that have none', async () => {
    await world().openWindow({ one: { fixture: 'http-mirrored', protocol: '2026-07-28' } });
    const proxy = world().start();
    const args = { region: 'Zürich', count: 3 };
    for (const id of [1, 2]) {
      const params = { name: 'mcp__one__mirrored', arguments: args, _meta: envelope };
      const { result, error } = await proxy.request(id, 'tools/call', params);
      assert.equal(error, undefined);
      assert.ok(result !== undefined);
    }
    assert.equal(world().log('one').runs('mirrored'), 2);
    // Told once, it knows: the gateway refused the first call, unseen, and the lists were read for it.
    const list = await proxy.request('l', 'tools/list', { _meta: envelope });
    assert.match(JSON.stringify(list.result), /x-mcp-header/);
  });
});
