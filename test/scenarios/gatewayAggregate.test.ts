import assert from 'node:assert/strict';
import type { Client } from '@modelcontextprotocol/client';
import { Client as FirstClient } from '@modelcontextprotocol/sdk/client/index.js';
import { StreamableHTTPClientTransport as FirstTransport } from '@modelcontextprotocol/sdk/client/streamableHttp.js';
import { describe, it } from 'mocha';
import type { ServerKey } from '../../src/core/config/model.ts';
import { eventually } from '../support/eventually.ts';
import { fixtureLog } from '../support/fixtureServer.ts';
import { type GatewayServer, useGateways } from '../support/gatewayWorld.ts';

const eras = ['legacy', 'modern'] as const;
const both: Readonly<Record<string, GatewayServer>> = {
  old: { fixture: 'basic-legacy' },
  new: { fixture: 'basic-modern', protocol: '2026-07-28' },
};
const own = ['list_resources', 'read_resource', 'list_prompts', 'get_prompt'];
const key = (id: string): ServerKey => `user:${id}` as ServerKey;

async function toolNames(client: Client): Promise<string[]> {
  return (await client.listTools()).tools.map(({ name }) => name);
}

/** When the lists of all these servers are known. */
async function allKnown(client: Client, ...ids: string[]): Promise<string[]> {
  return eventually(async () => {
    const names = await toolNames(client);
    return ids.every((id) => names.some((name) => name.startsWith(`mcp__${id}__`))) ? names : undefined;
  }, 20_000);
}

describe('all servers as one: the lists', function () {
  this.timeout(60_000);
  const openGateway = useGateways();

  for (const era of eras) {
    it(`offers a ${era} client what servers of both eras offer, each thing at its own server [GATE-4a, TOOL-1a]`, async () => {
      const gateway = await openGateway(both);
      const client = await gateway.connectAll({ era });
      const names = await allKnown(client, 'old', 'new');
      assert.deepEqual(names.slice(0, own.length), own);
      const [{ resources }, { resourceTemplates }, { prompts }] = await Promise.all([
        client.listResources(),
        client.listResourceTemplates(),
        client.listPrompts(),
      ]);
      for (const id of ['old', 'new']) {
        const result = await client.callTool({ name: `mcp__${id}__echo`, arguments: { text: `to ${id}` } });
        assert.deepEqual(result.content, [{ type: 'text', text: `to ${id}` }]);
        assert.equal(gateway.log(id).runs('echo'), 1);
        const uri = `roundhouse://server.${id}/fixture://text`;
        assert.ok(resources.some((resource) => resource.uri === uri));
        const [content] = (await client.readResource({ uri })).contents;
        assert.deepEqual({ ...content }, { uri, mimeType: 'text/plain', text: 'text of the resource' });
        const template = `roundhouse://server.${id}/fixture://city/{name}`;
        assert.ok(resourceTemplates.some(({ uriTemplate }) => uriTemplate === template));
        const city = await client.readResource({ uri: template.replace('{name}', 'S%C3%A3o%2FPaulo') });
        assert.match(JSON.stringify(city.contents), /São\/Paulo/);
        const prompt = `mcp__${id}__review`;
        assert.ok(prompts.some(({ name }) => name === prompt));
        const { messages } = await client.getPrompt({ name: prompt, arguments: { language: 'Python' } });
        assert.match(JSON.stringify(messages), /Review this Python code/);
        const ofPrompt = await client.complete({
          ref: { type: 'ref/prompt', name: prompt },
          argument: { name: 'language', value: 'p' },
        });
        assert.deepEqual(ofPrompt.completion.values, ['python', 'perl']);
        const ofTemplate = await client.complete({
          ref: { type: 'ref/resource', uri: template },
          argument: { name: 'name', value: 'Ber' },
        });
        assert.deepEqual(ofTemplate.completion.values, ['Berlin', 'Bern']);
      }
      assert.match(client.getInstructions() ?? '', /- old\n- new/);
      assert.equal(client.getServerVersion()?.name, 'mcp-roundhouse');
      await assert.rejects(client.callTool({ name: 'mcp__old__nothing', arguments: {} }));
      await assert.rejects(client.callTool({ name: 'echo', arguments: {} }));
      await assert.rejects(client.readResource({ uri: 'fixture://text' }));
      await assert.rejects(client.getPrompt({ name: 'mcp__none__greet' }));
    });

    it(`shows a ${era} client the ready servers at once, whatever the others do, and announces the slow one once [GATE-4d]`, async () => {
      const slow = fixtureLog();
      try {
        const gateway = await openGateway({
          hangs: { fixture: 'silent' },
          fails: { fixture: 'exit-at-start' },
          slow: {
            fixture: 'small-legacy',
            overrides: { process: { slowStart: { first: 5_000 }, marker: `${slow.folder}/started` } },
          },
          one: { fixture: 'small-legacy' },
          two: { fixture: 'small-modern', protocol: '2026-07-28' },
        });
        await gateway.manager.start(key('one'));
        const client = await gateway.connectAll({ era });
        let changes = 0;
        client.setNotificationHandler('notifications/tools/list_changed', () => {
          changes += 1;
        });
        const begun = performance.now();
        const first = await toolNames(client);
        const took = performance.now() - begun;
        assert.ok(took < 3_000, `${took} ms`);
        assert.ok(first.includes('mcp__one__echo'), first.join());
        assert.equal(
          first.some((name) => name.startsWith('mcp__slow__')),
          false,
        );
        if (era === 'modern') await client.listen({ toolsListChanged: true });
        const names = await allKnown(client, 'one', 'two', 'slow');
        assert.equal(
          names.some((name) => /^mcp__(hangs|fails)__/.test(name)),
          false,
        );
        await eventually(() => changes > 0, 5_000, 'an announcement');
        // Of two servers, each with its lists in one announcement at most.
        assert.ok(changes <= 2, String(changes));
        // A list is no reason to start again what failed.
        assert.equal(gateway.log('fails').events('start').length, 1);
      } finally {
        slow.dispose();
      }
    });

    it(`gives a ${era} client the kept list first and starts nothing for it; a call waits for the server [DISC-8e, GATE-4d]`, async () => {
      const gateway = await openGateway(both);
      await allKnown(await gateway.connectAll(), 'old', 'new');
      await Promise.all([gateway.manager.stop(key('old')), gateway.manager.stop(key('new'))]);
      // A look at the era of the newer one takes a process of its own.
      const starts = (id: string) => gateway.log(id).events('start').length;
      const before = { old: starts('old'), new: starts('new') };
      const client = await gateway.connectAll({ era });
      const names = await toolNames(client);
      assert.ok(names.includes('mcp__old__echo') && names.includes('mcp__new__echo'));
      assert.equal((await client.listResources()).resources.length, 6);
      assert.deepEqual({ old: starts('old'), new: starts('new') }, before);
      const result = await client.callTool({ name: 'mcp__old__echo', arguments: { text: 'again' } });
      assert.match(JSON.stringify(result.content), /again/);
      assert.deepEqual({ old: starts('old'), new: starts('new') }, { old: before.old + 1, new: before.new });
    });
  }

  it('answers a list though its only server hangs', async () => {
    const gateway = await openGateway({ hangs: { fixture: 'silent' } });
    const client = await gateway.connectAll();
    assert.deepEqual(await toolNames(client), own);
  });

  it('knows a name of a server that was not listed yet, and starts that server for it', async () => {
    const gateway = await openGateway(both);
    // Nothing was asked of it before; another client knew the name.
    const call = (await gateway.connectAll()).callTool({ name: 'mcp__new__echo', arguments: { text: 'known' } });
    assert.match(JSON.stringify((await call).content), /known/);
  });

  it('gives each tool a legal name of its own, the same in any order of starting, and calls it by it [TOOL-1b, TOOL-1c, TOOL-1d, TOOL-1f]', async () => {
    const odd = { fixture: 'odd-names' };
    const long = 'x'.repeat(32);
    const listed: string[][] = [];
    for (const servers of [
      { odd, [long]: odd },
      { [long]: odd, odd },
    ] as Readonly<Record<string, GatewayServer>>[]) {
      const gateway = await openGateway(servers);
      // The first one is up before the other is started.
      await gateway.manager.start(key(Object.keys(servers)[0]!));
      for (const [query, most] of [
        ['', 64],
        ['?names=short', 46],
      ] as const) {
        const client = await gateway.connectAll({ query });
        const names = await eventually(async () => {
          const now = (await toolNames(client)).filter((name) => !own.includes(name));
          return now.length === 34 ? now : undefined;
        }, 20_000);
        assert.equal(new Set(names).size, 34);
        for (const name of names) assert.match(name, new RegExp(`^[A-Za-z0-9_-]{1,${most}}$`));
        listed.push(names.toSorted());
        const hashed = names.filter((name) => /_[0-9a-f]{8}$/.test(name));
        for (const name of hashed) await client.callTool({ name, arguments: {} });
        await client.close();
      }
      const called = gateway
        .log('odd')
        .events('tool')
        .map(({ name }) => name);
      for (const raw of ['a/b', 'Create Volume', '工具', 'emoji 🚂']) assert.ok(called.includes(raw), raw);
    }
    assert.deepEqual(listed[0], listed[2]);
    assert.deepEqual(listed[1], listed[3]);
  });

  it('calls neither of two tools that meet in one name, and every other one [TOOL-1e]', async () => {
    // Their names are cut to the same letters, and the first 32 bits of their hashes are equal.
    const names = ['ïêéàää', 'üßêâöä', 'other'];
    const gateway = await openGateway({
      one: { fixture: 'small-legacy', overrides: { tools: { library: [], names } } },
    });
    const client = await gateway.connectAll();
    const listed = await allKnown(client, 'one');
    assert.deepEqual(listed, [...own, 'mcp__one__other']);
    await assert.rejects(
      client.callTool({ name: 'mcp__one_________93624a2e', arguments: {} }),
      /stands for more than one tool/,
    );
    await client.callTool({ name: 'mcp__one__other', arguments: {} });
    assert.deepEqual(
      gateway
        .log('one')
        .events('tool')
        .map(({ name }) => name),
      ['other'],
    );
    // Its own endpoint has them all.
    const alone = await gateway.connect('one');
    assert.deepEqual((await toolNames(alone)).toSorted(), names.toSorted());
  });

  it('keeps two servers apart that offer tools of equal names, which their own endpoints name as they do [TOOL-1g]', async () => {
    const gateway = await openGateway({ a: { fixture: 'small-legacy' }, b: { fixture: 'small-legacy' } });
    const client = await gateway.connectAll();
    await allKnown(client, 'a', 'b');
    await client.callTool({ name: 'mcp__b__echo', arguments: { text: 'x' } });
    assert.deepEqual([gateway.log('a').runs('echo'), gateway.log('b').runs('echo')], [0, 1]);
    assert.ok((await toolNames(await gateway.connect('a'))).includes('echo'));
  });

  it('lists all of a hundred pages and of ten thousand tools, in pages that end', async () => {
    const gateway = await openGateway({
      paged: { fixture: 'hundred-pages' },
      many: { fixture: 'ten-thousand-tools' },
    });
    const client = await gateway.connectAll();
    const names = await allKnown(client, 'paged', 'many');
    assert.equal(names.length, own.length + 11_000);
    assert.equal(new Set(names).size, names.length);
    await client.callTool({ name: names.at(-1)!, arguments: {} });
  });

  it('offers no tool of a server in plan mode, nor runs one [TOOL-6c]', async () => {
    const gateway = await openGateway(both);
    await allKnown(await gateway.connectAll(), 'old', 'new');
    for (const era of eras) {
      const planning = await gateway.connectAll({ era, query: '?mode=plan' });
      assert.deepEqual(await toolNames(planning), ['list_resources', 'list_prompts']);
      for (const name of ['mcp__old__echo', 'read_resource', 'call_tool']) {
        await assert.rejects(planning.callTool({ name, arguments: { text: 'x' } }), name);
      }
      assert.equal((await planning.listResources()).resources.length, 6);
    }
    assert.equal(gateway.log('old').runs('echo'), 0);
  });

  it('serves a client of the first version of the SDK', async () => {
    const gateway = await openGateway(both);
    const client = new FirstClient({ name: 'first', version: '1' });
    const requestInit = { headers: { authorization: `Bearer ${gateway.token}` } };
    await client.connect(new FirstTransport(new URL(`${gateway.url}/mcp`), { requestInit }));
    await eventually(async () => (await client.listTools()).tools.some(({ name }) => name === 'mcp__new__echo'));
    const result = await client.callTool({ name: 'mcp__new__echo', arguments: { text: 'first' } });
    assert.match(JSON.stringify(result), /first/);
    assert.ok((await client.listResources()).resources.length > 0);
    await client.close();
  });
});
