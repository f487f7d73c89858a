// What `/vscode/<id>` shows: over a real gateway, with real servers behind it.
import assert from 'node:assert/strict';
import { describe, it } from 'mocha';
import { eventually } from '../support/eventually.ts';
import { useGateways } from '../support/gatewayWorld.ts';

const cells = (['legacy', 'modern'] as const).flatMap((client) =>
  (['legacy', 'modern'] as const).map((server) => ({ client, server })),
);

describe('a server as the editor’s own agent gets it', function () {
  this.timeout(60_000);
  const openGateway = useGateways();

  it('has names that the editor does not cut, all of them different, and calls the tool that is meant [GATE-7b]', async () => {
    const gateway = await openGateway({ odd: { fixture: 'odd-names' } });
    const [raw, editor] = [await gateway.connect('odd'), await gateway.connectEditor('odd')];
    const { tools: own } = await raw.listTools();
    const { tools } = await editor.listTools();
    assert.equal(tools.length, own.length);
    assert.equal(new Set(tools.map(({ name }) => name)).size, own.length);
    for (const { name } of tools) assert.match(name, /^[A-Za-z0-9_-]{1,46}$/);
    // A person reads the name that the server gave.
    assert.deepEqual(
      tools.map(({ name, title }) => title ?? name),
      own.map(({ name }) => name),
    );
    for (const { name } of tools) await editor.callTool({ name, arguments: {} });
    const called = gateway
      .log('odd')
      .events('tool')
      .map(({ name }) => name);
    assert.deepEqual(
      called,
      own.map(({ name }) => name),
    );
  });

  it('is the same after a start anew, and for a server of another name', async () => {
    const first = await openGateway({ odd: { fixture: 'odd-names' }, other: { fixture: 'odd-names' } });
    const second = await openGateway({ odd: { fixture: 'odd-names' } });
    const names = async (gateway: typeof first, id: string): Promise<string[]> =>
      (await (await gateway.connectEditor(id)).listTools()).tools.map(({ name }) => name);
    const once = await names(first, 'odd');
    assert.deepEqual(await names(second, 'odd'), once);
    const other = await names(first, 'other');
    // What fits is the server's own name everywhere; what ends in a hash is told apart.
    for (const [at, name] of once.entries()) assert.equal(other[at] === name, !/_[0-9a-f]{8}$/.test(name), name);
  });

  it('is titled by its label, which is unique in at most 11 characters among all servers [GATE-7b]', async () => {
    const servers = ['chrome-devtools', 'chrome-devtools-too', 'Demo', 'demo', 'exactly-11c'];
    const gateway = await openGateway(
      Object.fromEntries(servers.map((id) => [id, { fixture: 'small-legacy' as const }])),
    );
    const titles: string[] = [];
    for (const id of servers) {
      const { name, title = '' } = (await gateway.connectEditor(id)).getServerVersion() ?? { name: '' };
      assert.notEqual(name, '');
      assert.match(title, /^[A-Za-z0-9_-]{1,11}$/);
      titles.push(title.toLowerCase());
    }
    assert.equal(new Set(titles).size, servers.length);
    assert.equal(titles[4], 'exactly-11c');
  });

  it('describes each tool, and gives each an object schema that is valid in draft-07: none drops silently [GATE-7b]', async () => {
    const raw = [
      { name: 'bare', inputSchema: { type: 'object' } },
      { name: 'blank', title: 'Blank', description: ' ', inputSchema: {} },
      { name: 'titled', annotations: { title: 'By its annotations' }, inputSchema: {} },
      {
        name: 'broken',
        description: 'Breaks the metaschema',
        inputSchema: {
          $schema: 'https://example.com/of-our-own',
          type: 'object',
          properties: {
            a: { type: 'any', description: 'kept' },
            b: { minimum: 1, exclusiveMinimum: true, required: true },
          },
        },
      },
    ];
    const gateway = await openGateway({ one: { fixture: 'small-legacy', overrides: { tools: { library: [], raw } } } });
    const { tools } = await (await gateway.connectEditor('one')).listTools();
    assert.deepEqual(
      tools.map(({ name, description }) => [name, description]),
      [
        ['bare', 'bare: a tool of the MCP server one.'],
        ['blank', 'Blank: a tool of the MCP server one.'],
        ['titled', 'By its annotations: a tool of the MCP server one.'],
        ['broken', 'Breaks the metaschema'],
      ],
    );
    for (const { inputSchema } of tools) {
      assert.equal(inputSchema.type, 'object');
      assert.equal(typeof inputSchema.properties, 'object');
    }
    assert.deepEqual(tools[3]?.inputSchema, {
      type: 'object',
      properties: { a: { description: 'kept' }, b: { minimum: 1, exclusiveMinimum: 1 } },
    });
  });

  it('gives results and lists whole, however large [GATE-7b]', async () => {
    const gateway = await openGateway({
      big: { fixture: 'huge-results' },
      many: { fixture: 'ten-thousand-tools' },
    });
    const client = await gateway.connectEditor('big');
    const [size, raw] = [3_000_000, await gateway.connect('big')];
    const asked = { name: 'big', arguments: { bytes: size } };
    const [whole, own] = [await client.callTool(asked), await raw.callTool(asked)];
    assert.ok(JSON.stringify(whole).length > size);
    assert.deepEqual(whole, own);
    const many = await gateway.connectEditor('many');
    assert.equal((await many.listTools()).tools.length, 10_000);
  });

  for (const { client: era, server } of cells) {
    it(`has progress, questions and cancelling as the server alone: a ${era} client and a ${server} server`, async () => {
      const protocol = server === 'legacy' ? 'legacy' : '2026-07-28';
      const name = (fixture: string): string => (server === 'legacy' ? fixture : `${fixture}-modern`);
      const gateway = await openGateway({
        asks: { fixture: name('asks'), protocol },
        works: { fixture: name('progress'), protocol },
      });
      const asked = await gateway.connectEditor('asks', { era, capabilities: { elicitation: { form: {} } } });
      asked.setRequestHandler('elicitation/create', () => ({ action: 'accept', content: { colour: 'green' } }));
      assert.match(JSON.stringify(await asked.callTool({ name: 'ask_form', arguments: {} })), /green/);

      const client = await gateway.connectEditor('works', { era });
      const steps: number[] = [];
      await client.callTool(
        { name: 'progress', arguments: { every: 20, count: 3 } },
        { onprogress: ({ progress }) => steps.push(progress) },
      );
      assert.deepEqual(steps, [1, 2, 3]);
      const leave = new AbortController();
      const call = client.callTool({ name: 'hang', arguments: {} }, { signal: leave.signal });
      await eventually(() => gateway.log('works').runs('hang') === 1, 10_000);
      leave.abort();
      await assert.rejects(call);
      await eventually(() => gateway.log('works').events('cancelled').length === 1, 10_000, 'the cancelled call');
    });
  }

  it('hears of a changed list, and lists the new tools', async () => {
    const rules = [{ on: 'tools/call:echo', change: { add: ['count'] } }];
    const gateway = await openGateway({ one: { fixture: 'changes', overrides: { rules } } });
    const client = await gateway.connectEditor('one');
    let told = 0;
    client.setNotificationHandler('notifications/tools/list_changed', () => void (told += 1));
    assert.equal(
      (await client.listTools()).tools.some(({ name }) => name === 'count'),
      false,
    );
    await client.callTool({ name: 'echo', arguments: { text: 'x' } });
    await eventually(() => told > 0, 10_000, 'the announcement');
    assert.ok((await client.listTools()).tools.some(({ name }) => name === 'count'));
  });

  it('is known to be connected for as long as it is: no version changes meanwhile', async () => {
    const gateway = await openGateway({ one: { fixture: 'small-legacy' } });
    assert.equal(gateway.activity.isOpen('one'), false);
    const client = await gateway.connectEditor('one');
    assert.equal(gateway.activity.isOpen('one'), true);
    const rested = new Promise<string>((resolve) => gateway.activity.onDidRest(resolve));
    await (client.transport as unknown as { terminateSession(): Promise<void> }).terminateSession();
    assert.equal(await rested, 'one');
    assert.equal(gateway.activity.isOpen('one'), false);
  });

  it('holds a call to the definition that was listed, under the server’s own name', async () => {
    const rules = [{ on: 'tools/call:echo', change: { alter: { add: { description: 'other' } }, notify: 0 } }];
    const gateway = await openGateway({ one: { fixture: 'changes', overrides: { rules } } });
    const client = await gateway.connectEditor('one');
    await client.listTools();
    await client.callTool({ name: 'add', arguments: { a: 1, b: 2 } });
    await client.callTool({ name: 'echo', arguments: { text: 'x' } });
    await gateway.manager.refresh(gateway.manager.keyOf('one')!);
    await assert.rejects(client.callTool({ name: 'add', arguments: { a: 1, b: 2 } }), /changed|list/i);
    assert.equal(gateway.log('one').runs('add'), 1);
    // Listed anew, the call is a question for a person, whom nobody asks here.
    await client.listTools();
    await assert.rejects(client.callTool({ name: 'add', arguments: { a: 1, b: 2 } }), /has to be asked about/);
  });
});
