import assert from 'node:assert/strict';
import type { Client } from '@modelcontextprotocol/client';
import { describe, it } from 'mocha';
import { eventually } from '../support/eventually.ts';
import { type GatewayWorld, useGateways } from '../support/gatewayWorld.ts';
import { messagesIn, rawSession } from '../support/rawClient.ts';

const eras = ['legacy', 'modern'] as const;
const cells = eras.flatMap((client) => eras.map((server) => ({ client, server })));

interface Block {
  readonly type: string;
  readonly text?: string;
  readonly resource?: { readonly text?: string };
}

async function call(client: Client, name: string, args: object = {}): Promise<readonly Block[]> {
  return (await client.callTool({ name, arguments: { ...args } })).content as unknown as readonly Block[];
}

/** What a tool of ours answers, as data. */
async function data(client: Client, name: string, args: object = {}) {
  const [block] = await call(client, name, args);
  return JSON.parse(block!.text!) as Readonly<Record<string, unknown>>;
}

async function known(client: Client, ...names: string[]): Promise<void> {
  await eventually(async () => {
    const { tools } = await client.listTools();
    return names.every((name) => tools.some((tool) => tool.name === name));
  }, 20_000);
}

const textOf = (blocks: readonly Block[]): string => blocks.map(({ text }) => text ?? '').join('');

describe('all servers as one: calls', function () {
  this.timeout(60_000);
  const openGateway = useGateways();

  it('leaves a result as it came where nothing of it has to be cut or turned, whatever it holds besides', async () => {
    const text = { type: 'text', text: 'told', annotations: { audience: ['user'], priority: 1 }, _meta: { part: 1 } };
    const result = { content: [text], isError: false, structuredContent: { n: 1 }, _meta: { whole: 1 }, vendor: [1] };
    const rules = [{ on: 'tools/call', result }];
    const gateway = await openGateway({ one: { fixture: 'small-legacy', overrides: { rules } } });
    const session = await rawSession(gateway, '/mcp');
    const answer = await session.request(7, 'tools/call', { name: 'mcp__one__echo', arguments: { text: 'x' } });
    const [message] = messagesIn(answer) as { result?: object }[];
    assert.deepEqual(message?.result, result);
  });

  for (const { client: era, server } of cells) {
    const protocol = server === 'legacy' ? 'legacy' : '2026-07-28';
    const fixture = (name: string): string => (server === 'legacy' ? name : `${name}-modern`);

    it(`carries progress, questions and cancelling between a ${era} client and a ${server} server`, async () => {
      const gateway = await openGateway({
        steps: { fixture: fixture('progress'), protocol },
        asks: { fixture: fixture('asks'), protocol },
      });
      const client = await gateway.connectAll({ era, capabilities: { elicitation: { form: {} } } });
      client.setRequestHandler('elicitation/create', () => ({ action: 'accept', content: { colour: 'green' } }));
      const steps: number[] = [];
      await client.callTool(
        { name: 'mcp__steps__progress', arguments: { every: 20, count: 3 } },
        { onprogress: ({ progress }) => steps.push(progress) },
      );
      assert.deepEqual(steps, [1, 2, 3]);
      assert.match(textOf(await call(client, 'mcp__asks__ask_form')), /green/);
      const given = new AbortController();
      const hangs = client.callTool({ name: 'mcp__steps__hang', arguments: {} }, { signal: given.signal });
      hangs.catch(() => undefined);
      await eventually(() => gateway.log('steps').runs('hang') === 1);
      given.abort();
      await assert.rejects(hangs);
      await eventually(() => gateway.log('steps').events('cancelled').length === 1);
    });
  }

  for (const era of eras) {
    it(`cuts for a ${era} client what a model cannot take, and gives all of it page by page; one server alone never cuts [TOOL-5d, TOOL-5e]`, async () => {
      const gateway = await openGateway({ one: { fixture: 'content' } });
      const client = await gateway.connectAll({ era });
      for (const bytes of [200_000, 5_000_000]) {
        const whole = '0123456789abcdef'.repeat(bytes / 16);
        const [block, ...others] = await call(client, 'mcp__one__big', { bytes });
        assert.deepEqual(others, []);
        assert.ok(block!.text!.length <= 50_000);
        const first = /The whole result: (roundhouse:\/\/result\/[0-9a-f]{32})\]$/.exec(block!.text!)?.[1];
        const parts: string[] = [];
        const partsByTool: string[] = [];
        for (let uri = first; uri !== undefined;) {
          const { contents } = await client.readResource({ uri });
          parts.push(...contents.slice(0, -1).map((content) => ('text' in content ? content.text : '')));
          const blocks = await call(client, 'read_resource', { uri });
          partsByTool.push(...blocks.slice(0, -1).map(({ resource }) => resource?.text ?? ''));
          uri = /Next page: (\S+)\]$/.exec((contents.at(-1) as { text: string }).text)?.[1];
        }
        assert.ok(parts.length > 1);
        assert.ok(parts.every((part) => part.length <= 50_000));
        assert.equal(parts.join(''), whole);
        assert.equal(partsByTool.join(''), whole);
        const alone = await gateway.connect('one', { era });
        assert.equal(textOf(await call(alone, 'big', { bytes })), whole);
        await alone.close();
      }
      await assert.rejects(client.readResource({ uri: `roundhouse://result/${'0'.repeat(32)}` }), /not kept any more/);
    });

    it(`passes to a ${era} client what a model can take as it is, errors of tools too [TOOL-4c]`, async () => {
      const gateway = await openGateway({ one: { fixture: 'content' } });
      const [all, alone] = [await gateway.connectAll({ era }), await gateway.connect('one', { era })];
      for (const name of ['echo', 'fail', 'image']) {
        const params = { arguments: { text: 'x' } };
        const { content, isError } = await all.callTool({ ...params, name: `mcp__one__${name}` });
        const direct = await alone.callTool({ ...params, name });
        assert.deepEqual({ content, isError }, { content: direct.content, isError: direct.isError });
        assert.equal(isError === true, name === 'fail');
      }
      const audio = await call(all, 'mcp__one__audio');
      assert.match(textOf(audio), /Audio of type .* is not shown/);
      const uri = /roundhouse:[^\]]+/.exec(textOf(audio))![0];
      assert.ok((await all.readResource({ uri })).contents.some((content) => 'blob' in content));
      // What is kept already is not kept once more.
      assert.doesNotMatch(textOf(await call(all, 'read_resource', { uri })), /The whole result/);
    });

    it(`tells a ${era} client of a resource that it subscribed to, and of no other`, async () => {
      const gateway = await openGateway({
        old: { fixture: 'updates' },
        new: { fixture: 'updates-modern', protocol: '2026-07-28' },
      });
      const client = await gateway.connectAll({ era });
      await known(client, 'mcp__old__update', 'mcp__new__update');
      const updated: string[] = [];
      client.setNotificationHandler('notifications/resources/updated', ({ params }) => {
        updated.push(params.uri);
      });
      const uris = ['old', 'new'].map((id) => `roundhouse://server.${id}/fixture://counter`);
      if (era === 'legacy') for (const uri of uris) await client.subscribeResource({ uri });
      else {
        await client.listen({ resourceSubscriptions: uris });
        await eventually(() => gateway.log('old').asked('resources/subscribe') === 1);
        await eventually(() => gateway.log('new').asked('subscriptions/listen') === 2);
      }
      for (const id of ['old', 'new']) {
        await call(client, `mcp__${id}__update`, { uri: 'fixture://text' });
        await call(client, `mcp__${id}__update`, { uri: 'fixture://counter' });
        await eventually(() => updated.includes(`roundhouse://server.${id}/fixture://counter`));
      }
      assert.deepEqual(new Set(updated), new Set(uris));
    });

    it(`gives a ${era} client that knows only tools resources and prompts as tools [GATE-4b, GATE-4c]`, async () => {
      const gateway = await openGateway({
        many: { fixture: 'small-legacy', overrides: { resources: { generate: 150 } } },
        one: {
          fixture: 'basic-legacy',
          overrides: { prompts: { items: [...prompts, { name: 'long', text: 'long "text" '.repeat(5_500) }] } },
        },
      });
      const client = await gateway.connectAll({ era });
      await known(client, 'mcp__many__echo', 'mcp__one__echo');
      assert.equal(((await data(client, 'list_resources'))['resources'] as unknown[]).length, 20);
      const uris: string[] = [];
      for (let cursor: unknown; ;) {
        const page = await data(client, 'list_resources', { limit: 1_000, ...(cursor !== undefined && { cursor }) });
        const items = page['resources'] as readonly { readonly uri?: string; readonly uriTemplate?: string }[];
        assert.ok(items.length <= 100);
        uris.push(...items.map(({ uri, uriTemplate }) => uri ?? uriTemplate ?? ''));
        cursor = page['nextCursor'];
        if (cursor === undefined) break;
      }
      assert.equal(new Set(uris).size, 154);
      const own = await data(client, 'list_resources', { server: 'one' });
      assert.equal((own['resources'] as unknown[]).length, 4);

      const read = (uri: string) => call(client, 'read_resource', { uri: `roundhouse://server.one/${uri}` });
      assert.equal((await read('fixture://text'))[0]?.resource?.text, 'text of the resource');
      assert.equal((await read('fixture://city/Bonn'))[0]?.resource?.text, 'Bonn');
      assert.match(textOf(await read('fixture://binary')), /application\/octet-stream, 6 bytes, is not shown/);
      assert.match(textOf(await read('fixture://none')), /not found/i);

      const listed = (await data(client, 'list_prompts'))['prompts'] as readonly { readonly name: string }[];
      assert.deepEqual(
        listed.find(({ name }) => name === 'mcp__one__review'),
        { name: 'mcp__one__review', server: 'one', arguments: [{ name: 'language', required: true }] },
      );
      const got = await data(client, 'get_prompt', { name: 'mcp__one__review', arguments: { language: '' } });
      assert.match(JSON.stringify(got['messages']), /Review this/);
      for (const [args, fault] of [
        [{ name: 'mcp__one__none' }, /no prompt/],
        [{ name: 'mcp__one__review' }, /missing: language/],
        [{ name: 'mcp__one__review', arguments: { language: 1 } }, /language is not text/],
        [{}, /name is missing/],
      ] as const) {
        const result = await client.callTool({ name: 'get_prompt', arguments: args });
        assert.equal(result.isError, true);
        assert.match(JSON.stringify(result.content), fault);
      }
      const before = gateway.log('one').asked('prompts/get');
      const long = textOf(await call(client, 'get_prompt', { name: 'mcp__one__long' }));
      assert.ok(long.length <= 50_000 && long.length > 20_000, String(long.length));
      const { cut, messages } = JSON.parse(long) as { cut: string; messages: { content: { text: string } }[] };
      assert.match(messages[0]!.content.text, /^long "text" long/);
      const link = /roundhouse:\S+/.exec(cut)?.[0];
      assert.match(JSON.stringify(await call(client, 'read_resource', { uri: link })), /Page 1 of/);
      assert.equal(gateway.log('one').asked('prompts/get'), before + 1);
    });
  }

  it('ends no subscription that a client of the server alone still has', async () => {
    const gateway = await openGateway({ one: { fixture: 'updates' } });
    const [all, alone] = [await gateway.connectAll(), await gateway.connect('one')];
    const updated: string[] = [];
    alone.setNotificationHandler('notifications/resources/updated', ({ params }) => {
      updated.push(params.uri);
    });
    await alone.subscribeResource({ uri: 'fixture://counter' });
    await all.subscribeResource({ uri: 'roundhouse://server.one/fixture://counter' });
    await all.unsubscribeResource({ uri: 'roundhouse://server.one/fixture://counter' });
    await call(alone, 'update', { uri: 'fixture://counter' });
    await eventually(() => updated.length === 1);
    await alone.unsubscribeResource({ uri: 'fixture://counter' });
    await eventually(() => gateway.log('one').asked('resources/unsubscribe') === 1);
  });

  it('finds tools by words and calls what it found, for agents that cannot take all of them', async () => {
    const gateway = await openGateway({ one: { fixture: 'basic-legacy' }, many: { fixture: 'ten-thousand-tools' } });
    const client = await gateway.connectAll({ query: '?tools=search' });
    const { tools } = await client.listTools();
    assert.deepEqual(
      tools.map(({ name }) => name),
      ['find_tools', 'call_tool', 'list_resources', 'read_resource', 'list_prompts', 'get_prompt'],
    );
    const found = await eventually(async () => {
      const answer = await data(client, 'find_tools', { query: 'echo a text' });
      return (answer['tools'] as readonly { readonly name: string; readonly inputSchema: object }[])[0];
    }, 20_000);
    assert.equal(found.name, 'mcp__one__echo');
    assert.ok('properties' in found.inputSchema);
    const result = await call(client, 'call_tool', { name: found.name, arguments: { text: 'found' } });
    assert.equal(textOf(result), 'found');
    const none = await client.callTool({ name: 'call_tool', arguments: { name: 'mcp__one__none' } });
    assert.match(JSON.stringify(none), /no tool mcp__one__none/);
    assert.equal(none.isError, true);
  });

  it('obeys the policy, and holds a client to the definition that it listed [POL-1j]', async () => {
    const gateway = await openGateway({
      one: { fixture: 'changes', toolPolicies: { add: 'deny', update: 'ask' } },
    });
    const client = await gateway.connectAll();
    await known(client, 'mcp__one__echo');
    for (const [name, why] of [
      ['add', /policy of the person denies/],
      ['update', /confirm|approv|asked/i],
    ] as const) {
      await assert.rejects(call(client, `mcp__one__${name}`), why);
      assert.equal(gateway.log('one').runs(name), 0);
    }
    await change(gateway, { alter: { echo: { description: 'Sends the text to a stranger' } } });
    const fresh = await gateway.connectAll();
    await eventually(async () =>
      JSON.stringify((await fresh.listTools()).tools).includes('Sends the text to a stranger'),
    );
    await assert.rejects(call(client, 'mcp__one__echo', { text: 'x' }), /changed since it was listed/);
    assert.equal(gateway.log('one').runs('echo'), 0);
  });

  it('names the server of each log line, and sends none that is too quiet', async () => {
    const gateway = await openGateway({ one: { fixture: 'basic-legacy' }, two: { fixture: 'basic-legacy' } });
    const client = await gateway.connectAll();
    await known(client, 'mcp__one__log', 'mcp__two__log');
    const lines: unknown[] = [];
    client.setNotificationHandler('notifications/message', ({ params }) => {
      lines.push([params.logger, params.data]);
    });
    await client.request({ method: 'logging/setLevel', params: { level: 'warning' } });
    await call(client, 'mcp__one__log', { level: 'info', text: 'quiet' });
    await call(client, 'mcp__one__log', { level: 'error', text: 'from one' });
    await call(client, 'mcp__two__log', { level: 'error', text: 'from two' });
    await eventually(() => lines.length === 2);
    assert.match(JSON.stringify(lines), /\[\["one[^"]*","from one"\],\["two[^"]*","from two"\]\]/);
  });
});

const prompts = [
  { name: 'review', arguments: [{ name: 'language', required: true }], text: 'Review this {language} code.' },
];

/** Of the tools of server `one`, announced. */
async function change(gateway: GatewayWorld, what: object): Promise<void> {
  const alone = await gateway.connect('one');
  await call(alone, 'change', { ...what, kinds: ['tools'], notify: 1 });
  await alone.close();
}
