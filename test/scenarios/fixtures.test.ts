// The well-behaved fixtures are what they say: both versions of the official SDK's client work with them, on every transport and in each era.
import assert from 'node:assert/strict';
import { readdirSync, readFileSync } from 'node:fs';
import { basename, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import {
  Client,
  SSEClientTransport,
  StreamableHTTPClientTransport,
  type Transport,
} from '@modelcontextprotocol/client';
import { StdioClientTransport } from '@modelcontextprotocol/client/stdio';
import { Client as FirstClient } from '@modelcontextprotocol/sdk/client/index.js';
import { StdioClientTransport as FirstStdioTransport } from '@modelcontextprotocol/sdk/client/stdio.js';
import { StreamableHTTPClientTransport as FirstHttpTransport } from '@modelcontextprotocol/sdk/client/streamableHttp.js';
import type { Transport as FirstTransport } from '@modelcontextprotocol/sdk/shared/transport.js';
import { after, afterEach, describe, it } from 'mocha';
import { loadBehaviour } from '../../fixtures/servers/behaviour/load.ts';
import { Offer } from '../../fixtures/servers/offer/offer.ts';
import { eventually } from '../support/eventually.ts';
import { fixtureCommand, fixtureLog, startHttpFixture } from '../support/fixtureServer.ts';
import { patience } from '../support/patience.ts';

const folder = fileURLToPath(new URL('../../fixtures/servers/behaviours', import.meta.url));
const names = readdirSync(folder).map((file) => basename(file, '.json'));

describe('the behaviour files', () => {
  it('are all valid, and what they offer can be made', () => {
    for (const name of names) new Offer(loadBehaviour(join(folder, `${name}.json`)));
  });

  it('are refused with file and path when a key is misspelt', () => {
    const file = join(folder, 'small-legacy.json');
    assert.throws(
      () => loadBehaviour(file, { stdio: { nois: {} } }),
      /small-legacy\.json is not a behaviour:[^]*nois[^]*at stdio/,
    );
  });

  it('each stand in the table of the README', () => {
    const table = readFileSync(join(folder, '..', 'README.md'), 'utf8').split('## Behaviours')[1]!;
    const patterns = [...table.matchAll(/`([^`]+)`/g)].map(
      ([, text]) => new RegExp(`^${text!.replace('STATUS', '\\d+').replaceAll('*', '.*')}$`),
    );
    const short = /^(basic|small)-/;
    assert.deepEqual(
      names.filter((name) => !short.test(name) && !patterns.some((pattern) => pattern.test(name))),
      [],
    );
  });
});

describe('the well-behaved fixtures', () => {
  const cleanups: (() => unknown)[] = [];
  const log = fixtureLog();
  afterEach(async () => {
    for (const cleanup of cleanups.splice(0).reverse()) await cleanup();
  });
  after(() => log.dispose());

  const modes = [
    { name: 'basic-legacy', mode: 'legacy', era: 'legacy', via: 'stdio' },
    { name: 'basic-modern', mode: 'auto', era: 'modern', via: 'stdio' },
    { name: 'basic-both', mode: 'legacy', era: 'legacy', via: 'stdio' },
    { name: 'basic-both', mode: 'auto', era: 'modern', via: 'stdio' },
    { name: 'basic-legacy', mode: 'auto', era: 'legacy', via: 'http' },
    { name: 'basic-modern', mode: 'auto', era: 'modern', via: 'http' },
    { name: 'basic-both', mode: 'legacy', era: 'legacy', via: 'http' },
    { name: 'basic-both', mode: 'auto', era: 'modern', via: 'http' },
    { name: 'sse-everything', mode: 'legacy', era: 'legacy', via: 'sse' },
  ] as const;

  const transportTo = async (name: string, via: 'stdio' | 'http' | 'sse'): Promise<Transport> => {
    if (via === 'stdio') return new StdioClientTransport(fixtureCommand(name, undefined, log));
    const fixture = await startHttpFixture(name);
    cleanups.push(() => fixture.stop());
    const url = new URL(fixture.url);
    // eslint-disable-next-line @typescript-eslint/no-deprecated -- the deprecated transport is what is served.
    return via === 'sse' ? new SSEClientTransport(url) : new StreamableHTTPClientTransport(url);
  };

  for (const { name, mode, era, via } of modes) {
    it(`${name} over ${via} serves everything to a second-version client in mode ${mode}`, async () => {
      const client = new Client(
        { name: 'test', version: '1' },
        { versionNegotiation: { mode }, capabilities: { elicitation: { form: {} } } },
      );
      client.setRequestHandler('elicitation/create', () => ({ action: 'accept', content: { colour: 'green' } }));
      let changes = 0;
      client.setNotificationHandler('notifications/tools/list_changed', () => void (changes += 1));
      await client.connect(await transportTo(name, via));
      cleanups.push(() => client.close());
      assert.equal(client.getProtocolEra(), era);

      const { tools } = await client.listTools();
      assert.ok(tools.some((tool) => tool.name === 'add') && tools.some((tool) => tool.name === 'hang'));
      assert.equal((await client.listResources()).resources.length, 3);
      assert.equal((await client.listResourceTemplates()).resourceTemplates.length, 1);
      assert.equal((await client.listPrompts()).prompts.length, 2);

      const added = await client.callTool({ name: 'add', arguments: { a: 2, b: 3 } });
      assert.deepEqual(added.structuredContent, { sum: 5 });
      const asked = await client.callTool({ name: 'ask_form', arguments: {} });
      assert.match(JSON.stringify(asked.content), /green/);
      const steps: number[] = [];
      const enough = new AbortController();
      const onprogress = ({ progress }: { progress: number }) => {
        steps.push(progress);
        enough.abort();
      };
      const long = { name: 'progress', arguments: { every: 20, count: 1_000 } };
      await assert.rejects(client.callTool(long, { onprogress, signal: enough.signal }));
      assert.equal(steps[0], 1);
      const { contents } = await client.readResource({ uri: 'fixture://text' });
      assert.equal(contents[0]?.uri, 'fixture://text');
      const completion = await client.complete({
        ref: { type: 'ref/resource', uri: 'fixture://city/{name}' },
        argument: { name: 'name', value: 'ber' },
      });
      assert.deepEqual(completion.completion.values, ['Berlin', 'Bern']);
      await assert.rejects(client.getPrompt({ name: 'review' }), /missing language/);

      if (era === 'modern') await client.listen({ toolsListChanged: true });
      await client.callTool({ name: 'change', arguments: { remove: ['echo'] } });
      await eventually(() => changes === 1, patience, 'one notification');
      const later = await client.listTools(undefined, { cacheMode: 'refresh' });
      assert.equal(later.tools.length, tools.length - 1);
    });
  }

  for (const via of ['stdio', 'http'] as const) {
    it(`basic-legacy over ${via} serves a first-version client`, async () => {
      const client = new FirstClient({ name: 'test', version: '1' });
      let transport: FirstTransport;
      if (via === 'stdio') transport = new FirstStdioTransport(fixtureCommand('basic-legacy', undefined, log));
      else {
        const fixture = await startHttpFixture('basic-legacy');
        cleanups.push(() => fixture.stop());
        transport = new FirstHttpTransport(new URL(fixture.url));
      }
      await client.connect(transport);
      cleanups.push(() => client.close());
      assert.ok((await client.listTools()).tools.length > 40);
      const added = await client.callTool({ name: 'add', arguments: { a: 2, b: 3 } });
      assert.deepEqual(added.structuredContent, { sum: 5 });
    });
  }

  it('records each run of a tool, and each start', async () => {
    const own = fixtureLog();
    cleanups.push(() => own.dispose());
    const client = new Client({ name: 'test', version: '1' });
    await client.connect(new StdioClientTransport(fixtureCommand('small-legacy', undefined, own)));
    cleanups.push(() => client.close());
    await client.callTool({ name: 'count' });
    const second = await client.callTool({ name: 'count' });
    assert.deepEqual(second.content, [{ type: 'text', text: '2' }]);
    assert.equal(own.runs('count'), 2);
    assert.equal(own.events('start').length, 1);
  });
});
