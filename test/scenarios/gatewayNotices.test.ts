// What a server says and what a client wants to hear, in each pairing of eras: it reaches the session that it belongs to.
import assert from 'node:assert/strict';
import type { Client } from '@modelcontextprotocol/client';
import { describe, it } from 'mocha';
import { eventually } from '../support/eventually.ts';
import { useGateways } from '../support/gatewayWorld.ts';
import { messagesIn, modernRequest, raw, rawSession, rpc } from '../support/rawClient.ts';

const eras = ['legacy', 'modern'] as const;
const pairs = eras.flatMap((client) => eras.map((server) => ({ client, server })));
const named = (fixture: string, server: (typeof eras)[number]) =>
  ({
    fixture: server === 'legacy' ? fixture : `${fixture}-modern`,
    protocol: server === 'legacy' ? 'legacy' : '2026-07-28',
  }) as const;

/** Does something until it was heard: when a client's stream is open, nothing tells. */
async function untilHeard(act: () => Promise<unknown>, heard: () => boolean): Promise<void> {
  await eventually(async () => {
    await act();
    return eventually(heard, 500).catch(() => false);
  });
}

describe('what a server says through the gateway', function () {
  this.timeout(120_000);
  const openGateway = useGateways();

  for (const { client: era, server } of pairs) {
    const cell = `a ${era} client and a ${server} server`;

    it(`tells of a list that changed, and lists what it has become: ${cell} [GATE-3b]`, async () => {
      const gateway = await openGateway({ one: named('changes', server) });
      const [client, other] = [await gateway.connect('one', { era }), await gateway.connect('one', { era })];
      const heard = new Map<Client, number>();
      for (const each of [client, other]) {
        each.setNotificationHandler('notifications/tools/list_changed', () => {
          heard.set(each, (heard.get(each) ?? 0) + 1);
        });
        if (era === 'modern') await each.listen({ toolsListChanged: true });
      }
      const tools = ['count', 'snapshot', 'unicode', 'image', 'audio', 'fail', 'big', 'mixed'];
      let added = 0;
      await untilHeard(
        () => client.callTool({ name: 'change', arguments: { add: [tools[(added += 1) - 1] ?? 'link'] } }),
        () => heard.has(client) && heard.has(other),
      );
      await eventually(async () => (await other.listTools()).tools.some(({ name }) => name === tools[0]));
    });

    it(`tells of a resource to whoever subscribed to it, and to nobody else: ${cell} [GATE-3b]`, async () => {
      const gateway = await openGateway({ one: named('updates', server) });
      const [client, other] = [await gateway.connect('one', { era }), await gateway.connect('one', { era })];
      const updated: string[] = [];
      client.setNotificationHandler('notifications/resources/updated', ({ params }) => {
        updated.push(params.uri);
      });
      other.setNotificationHandler('notifications/resources/updated', () => {
        updated.push('to the other one');
      });
      const uri = 'fixture://counter';
      if (era === 'legacy') await client.subscribeResource({ uri });
      else await client.listen({ resourceSubscriptions: [uri] });
      await untilHeard(
        async () => {
          await other.callTool({ name: 'update', arguments: { uri: 'fixture://text' } });
          await other.callTool({ name: 'update', arguments: { uri } });
        },
        () => updated.length > 0,
      );
      assert.deepEqual([...new Set(updated)], [uri]);
    });

    it(`is cancelled for the one call that its client cancelled: ${cell} [GATE-3b]`, async () => {
      const gateway = await openGateway({ one: named('progress', server) });
      const [client, other] = [await gateway.connect('one', { era }), await gateway.connect('one', { era })];
      const cancel = new AbortController();
      const call = client.callTool({ name: 'hang', arguments: {} }, { signal: cancel.signal });
      const steps = other.callTool({ name: 'progress', arguments: { every: 50, count: 10 } });
      await eventually(() => gateway.log('one').runs('hang') === 1 && gateway.log('one').runs('progress') === 1);
      cancel.abort('enough');
      await assert.rejects(call);
      await eventually(() => gateway.log('one').events('cancelled').length === 1);
      assert.match(JSON.stringify(await steps), /10 steps/);
      assert.equal(gateway.log('one').events('cancelled')[0]?.['name'], 'hang');
    });

    it(`completes an argument as the server does: ${cell} [GATE-3b]`, async () => {
      const gateway = await openGateway({ one: { ...named('basic', server), fixture: `basic-${server}` } });
      const client = await gateway.connect('one', { era });
      const { prompts } = await client.listPrompts();
      const prompt = prompts.find(({ arguments: args = [] }) => args.length > 0);
      const argument = { name: prompt?.arguments?.[0]?.name ?? '', value: '' };
      const { completion } = await client.complete({ ref: { type: 'ref/prompt', name: prompt?.name ?? '' }, argument });
      assert.deepEqual(completion.values, ['python', 'perl', 'typescript']);
      assert.equal(gateway.log('one').asked('completion/complete'), 1);
    });
  }

  for (const era of eras) {
    it(`keeps what extensions say of a server and its tools, and leaves out the tasks of the older era: a ${era} client [GATE-3h]`, async () => {
      const ui = { 'io.modelcontextprotocol/ui': { mimeTypes: ['text/html;profile=mcp-app'] } };
      const _meta = { ui: { resourceUri: 'ui://page' }, 'ui/resourceUri': 'ui://page' };
      const capabilities = { extensions: ui, experimental: { own: {} }, tasks: { list: {} } };
      const raws = [{ name: 'app', inputSchema: { type: 'object' }, _meta, execution: { taskSupport: 'optional' } }];
      const gateway = await openGateway({
        one: {
          fixture: 'small-legacy',
          overrides: { server: { capabilities }, tools: { raw: raws } },
        },
      });
      const session = era === 'legacy' ? await rawSession(gateway) : undefined;
      const ask = (method: string, params = {}) =>
        raw(
          gateway,
          session === undefined
            ? modernRequest(method, params)
            : { headers: session.headers, body: rpc(1, method, params) },
        );
      const hello =
        era === 'modern'
          ? await ask('server/discover')
          : await raw(gateway, { body: rpc(1, 'initialize', { protocolVersion: '2025-11-25', capabilities: {} }) });
      const declared = (messagesIn(hello)[0]?.['result'] as { capabilities: Record<string, unknown> }).capabilities;
      assert.deepEqual([declared['extensions'], declared['experimental']], [ui, { own: {} }]);
      assert.equal('tasks' in declared, false);
      const { tools } = messagesIn(await ask('tools/list'))[0]?.['result'] as unknown as {
        readonly tools: readonly { readonly name: string; readonly _meta?: unknown }[];
      };
      assert.deepEqual(tools.find(({ name }) => name === 'app')?._meta, _meta);
      assert.match((await ask('tasks/get', { taskId: 'a' })).text, /-32601|-32020/);
    });
  }
});
