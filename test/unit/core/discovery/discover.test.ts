import assert from 'node:assert/strict';
import fc from 'fast-check';
import { describe, it } from 'mocha';
import type { JsonObject } from '../../../../src/contract/json.ts';
import { discover, type Discovery, type Listed } from '../../../../src/core/discovery/discover.ts';
import type { OfferedTool } from '../../../../src/core/discovery/snapshot.ts';
import { limits } from '../../../../src/core/limits.ts';
import { ManagerError } from '../../../../src/core/errors.ts';
import { type Answer, FakeLiveClient, pages, rawTool, rpcFailure } from '../../../support/fakeLiveClient.ts';

const never = new AbortController().signal;

/** The tools that a server with this `tools/list` gives. */
async function toolsOf(answer: Answer): Promise<{ list: Listed<OfferedTool>; names: string[]; asked: number }> {
  const client = new FakeLiveClient({ 'tools/list': answer }, { capabilities: { tools: {} } });
  const list = listed((await discover(client, { signal: never })).tools);
  return { list, names: list.items.map(({ name }) => name), asked: client.asked('tools/list') };
}

function listed<T>(outcome: { readonly kind: string } | Listed<T> | undefined): Listed<T> {
  assert.equal(outcome?.kind, 'listed');
  return outcome as Listed<T>;
}

describe('discover, page by page', () => {
  it('reads two pages to one list', async () => {
    const { names, list } = await toolsOf(
      pages('tools', { first: { tools: [rawTool('a')], nextCursor: 'p2' }, '=p2': { tools: [rawTool('b')] } }),
    );
    assert.deepEqual(names, ['a', 'b']);
    assert.equal(list.incomplete, undefined);
  });

  it('sends no cursor with the first request and each cursor as it came', async () => {
    const client = new FakeLiveClient(
      { 'tools/list': pages('tools', { first: { tools: [], nextCursor: ' x\u0000y' }, '= x\u0000y': { tools: [] } }) },
      { capabilities: { tools: {} } },
    );
    await discover(client, { signal: never, kinds: ['tools'] });
    assert.deepEqual(
      client.sent.map(({ params }) => params),
      [undefined, { cursor: ' x\u0000y' }],
    );
  });

  it('follows an empty cursor once', async () => {
    const { names, list } = await toolsOf(
      pages('tools', { first: { tools: [rawTool('a')], nextCursor: '' }, '=': { tools: [rawTool('b')] } }),
    );
    assert.deepEqual(names, ['a', 'b']);
    assert.equal(list.incomplete, undefined);
  });

  it('stops at an empty cursor that comes for ever', async () => {
    const { list, asked } = await toolsOf(() => ({ tools: [rawTool('a')], nextCursor: '' }));
    assert.equal(list.incomplete?.reason, 'repeatedCursor');
    assert.equal(asked, 2);
  });

  it('stops where cursors go round and keeps what came', async () => {
    const { names, list, asked } = await toolsOf(({ cursor }) => ({
      tools: [rawTool(`t${typeof cursor === 'string' ? cursor : ''}`)],
      nextCursor: cursor === 'a' ? 'b' : 'a',
    }));
    assert.deepEqual(names, ['t', 'ta', 'tb']);
    assert.deepEqual(list.incomplete, {
      kind: 'tools',
      reason: 'repeatedCursor',
      detail: 'page 3 names a cursor that came before',
    });
    assert.equal(asked, 3);
  });

  it('reads 100 pages and says when there are more', async () => {
    const numbered = (last: number): Answer => {
      return ({ cursor }) => {
        const page = Number(cursor ?? 1);
        return { tools: [rawTool(`t${page}`)], ...(page < last && { nextCursor: String(page + 1) }) };
      };
    };
    const whole = await toolsOf(numbered(100));
    assert.equal(whole.names.length, 100);
    assert.equal(whole.list.incomplete, undefined);
    const more = await toolsOf(numbered(101));
    assert.equal(more.names.length, 100);
    assert.equal(more.asked, 100);
    assert.equal(more.list.incomplete?.reason, 'pageLimit');
  });

  it('keeps 10,000 items and says when there are more', async () => {
    const many = Array.from({ length: 10_001 }, (_, index) => rawTool(`t${index}`));
    const whole = await toolsOf(() => ({ tools: many.slice(1) }));
    assert.equal(whole.names.length, 10_000);
    assert.equal(whole.list.incomplete, undefined);
    const more = await toolsOf(() => ({ tools: many }));
    assert.equal(more.names.length, 10_000);
    assert.equal(more.list.incomplete?.reason, 'itemLimit');
  });

  it('ends where the lists of a server are too large, however its pages are cut, and keeps what came', async () => {
    // One text for all: the test itself needs no memory.
    const x = 'A'.repeat(3 * 2 ** 20);
    const { names, list, asked } = await toolsOf(({ cursor }) => {
      const page = Number(cursor ?? 0);
      return { tools: [rawTool(`t${page}`, { _meta: { x } })], nextCursor: String(page + 1) };
    });
    assert.equal(names.length, Math.floor(limits.discovery.total / (3 * 2 ** 20 + 300)));
    assert.equal(asked, names.length + 1);
    assert.deepEqual(list.incomplete, {
      kind: 'tools',
      reason: 'sizeLimit',
      detail: 'all lists together above 128 MiB',
    });
  });

  it('leaves out an item that is too large alone, and ends where such items come without end', async () => {
    const huge = { _meta: { x: 'A'.repeat(limits.discovery.item) } };
    const one = await toolsOf(() => ({ tools: [rawTool('a', huge), rawTool('b')] }));
    assert.deepEqual([one.names, one.list.incomplete], [['b'], undefined]);
    assert.deepEqual(one.list.issues, [{ kind: 'tools', item: 'a', what: 'badItem', reason: 'is larger than 4 MiB' }]);
    const all = await toolsOf(({ cursor }) => ({
      tools: [rawTool('a', huge)],
      nextCursor: String(Number(cursor ?? 0) + 1),
    }));
    assert.deepEqual([all.names, all.list.incomplete?.reason], [[], 'sizeLimit']);
    assert.ok(all.asked < 40, String(all.asked));
  });

  it('counts the values of an item too, which take memory without any text', async () => {
    const empty = Array.from({ length: 200_000 }, () => ({}));
    const { list } = await toolsOf(() => ({ tools: [rawTool('a', { _meta: { empty } })] }));
    assert.equal(list.issues[0]?.reason, 'is larger than 4 MiB');
  });

  it('keeps 10,000 tools with large schemas', async () => {
    const properties = Object.fromEntries(
      Array.from({ length: 40 }, (_, at) => [`p${at}`, { type: 'string', description: 'What it means. '.repeat(8) }]),
    );
    const many = Array.from({ length: 10_000 }, (_, at) =>
      rawTool(`t${at}`, { inputSchema: { type: 'object', properties } }),
    );
    const { names, list } = await toolsOf(() => ({ tools: many }));
    assert.deepEqual([names.length, list.incomplete], [10_000, undefined]);
  });

  it('counts all lists of a server together, those that are not read now as well', async () => {
    const x = 'A'.repeat(3 * 2 ** 20);
    const large = (name: string): JsonObject => rawTool(name, { uri: `x:${name}`, _meta: { x } });
    const twenty = Array.from({ length: 25 }, (_, at) => large(`i${at}`));
    const client = new FakeLiveClient(
      { 'tools/list': () => ({ tools: twenty }), 'resources/list': () => ({ resources: twenty }) },
      { capabilities: { tools: {}, resources: {} } },
    );
    const both = await discover(client, { signal: never });
    const [tools, resources] = [listed(both.tools), listed(both.resources)];
    assert.ok(tools.size + resources.size <= limits.discovery.total);
    assert.equal(tools.items.length + resources.items.length, 42);
    const later = await discover(client, { signal: never, kinds: ['tools'], held: limits.discovery.total - 2 ** 20 });
    assert.deepEqual([listed(later.tools).items.length, listed(later.tools).incomplete?.reason], [0, 'sizeLimit']);
  });

  it('follows no cursor that is longer than any server needs', async () => {
    const { names, list, asked } = await toolsOf(({ cursor }) => ({
      tools: [rawTool(cursor === undefined ? 'a' : 'b')],
      nextCursor:
        cursor === undefined ? 'c'.repeat(limits.discovery.cursor) : `${'c'.repeat(limits.discovery.cursor)}c`,
    }));
    assert.deepEqual([names.length, asked], [2, 2]);
    assert.deepEqual(list.incomplete, {
      kind: 'tools',
      reason: 'pageFailed',
      detail: 'page 2: nextCursor is longer than 65536 characters',
    });
  });

  it('keeps the pages before one that fails', async () => {
    const { names, list } = await toolsOf(({ cursor }) => {
      if (cursor !== undefined) throw rpcFailure('tools/list', -32603, 'database away');
      return { tools: [rawTool('a')], nextCursor: 'p2' };
    });
    assert.deepEqual(names, ['a']);
    assert.equal(list.incomplete?.reason, 'pageFailed');
    assert.equal(list.incomplete.detail, 'page 2: error -32603: database away');
  });

  it('takes a page without a list and a cursor that is no string as failures', async () => {
    const noList = await toolsOf(({ cursor }) =>
      cursor === undefined ? { tools: [rawTool('a')], nextCursor: 'p2' } : { tools: 'none' },
    );
    assert.equal(noList.list.incomplete?.reason, 'pageFailed');
    const oddCursor = await toolsOf(() => ({ tools: [rawTool('a')], nextCursor: 7 }));
    assert.deepEqual(oddCursor.names, ['a']);
    assert.equal(oddCursor.list.incomplete?.reason, 'pageFailed');
  });

  it('ends whatever the pages are, keeps each first item in order, and is whole exactly when the last page came', () => {
    const page = fc.record({
      names: fc.array(fc.constantFrom('a', 'b', 'c', 'd', ''), { maxLength: 4 }),
      next: fc.option(fc.constantFrom('', 'p1', 'p2', 'p3', 'missing'), { nil: undefined }),
    });
    return fc.assert(
      fc.asyncProperty(fc.record({ first: page, '=': page, '=p1': page, '=p2': page, '=p3': page }), async (book) => {
        const raw = Object.fromEntries(
          Object.entries(book).map(([key, { names, next }]) => [
            key,
            { tools: names.map((name) => rawTool(name)), ...(next !== undefined && { nextCursor: next }) },
          ]),
        );
        // A plain walk: follow cursors until one is absent, unknown or seen.
        const walked: string[] = [];
        const seen = new Set<string>();
        let at: keyof typeof book | undefined = 'first';
        let whole = false;
        while (at !== undefined) {
          const here: { readonly names: string[]; readonly next: string | undefined } = book[at];
          const next: string | undefined = here.next;
          walked.push(...here.names);
          whole = next === undefined;
          at =
            next === undefined || seen.has(next) || next === 'missing' ? undefined : (`=${next}` as keyof typeof book);
          if (next !== undefined) seen.add(next);
        }
        const { names, list } = await toolsOf(pages('tools', raw));
        assert.deepEqual(
          names,
          [...new Set(walked)].filter((name) => name !== ''),
        );
        assert.equal(list.incomplete === undefined, whole);
        assert.equal(list.issueCount, walked.length - names.length);
      }),
      { numRuns: 2_000, seed: 20261129 },
    );
  });
});

describe('discover, kind by kind', () => {
  const all: Record<string, Answer> = {
    'tools/list': () => ({ tools: [rawTool('t')] }),
    'resources/list': () => ({ resources: [{ uri: 'file:///a', name: 'a' }] }),
    'resources/templates/list': () => ({ resourceTemplates: [{ uriTemplate: 'file:///{x}', name: 'x' }] }),
    'prompts/list': () => ({ prompts: [{ name: 'p' }] }),
  };
  const counts = (found: Discovery): Record<string, number> =>
    Object.fromEntries(
      Object.entries(found).map(([kind, outcome]) => [kind, listed(outcome as Listed<unknown>).items.length]),
    );

  it('reads all four kinds', async () => {
    const found = await discover(new FakeLiveClient(all), { signal: never });
    assert.deepEqual(counts(found), { tools: 1, resources: 1, resourceTemplates: 1, prompts: 1 });
  });

  it('asks for all kinds before the first one has answered', async () => {
    const waiting: (() => void)[] = [];
    const held = Object.fromEntries(
      Object.entries(all).map(([method, answer]): [string, Answer] => [
        method,
        (params, options) => new Promise<JsonObject>((resolve) => waiting.push(() => resolve(answer(params, options)))),
      ]),
    );
    const found = discover(new FakeLiveClient(held), { signal: never });
    assert.equal(waiting.length, 4);
    for (const go of waiting) go();
    assert.equal(counts(await found)['prompts'], 1);
  });

  it('reads only the kinds that are wanted', async () => {
    const client = new FakeLiveClient(all);
    assert.deepEqual(counts(await discover(client, { signal: never, kinds: ['prompts'] })), { prompts: 1 });
    assert.equal(client.sent.length, 1);
  });

  it('asks a modern server for nothing that it does not declare', async () => {
    const client = new FakeLiveClient(all, { era: 'modern', capabilities: { prompts: {} } });
    assert.deepEqual(counts(await discover(client, { signal: never })), {
      tools: 0,
      resources: 0,
      resourceTemplates: 0,
      prompts: 1,
    });
    assert.deepEqual(
      client.sent.map(({ method }) => method),
      ['prompts/list'],
    );
  });

  it('asks a legacy server that declares nothing for tools, and for tools only', async () => {
    const client = new FakeLiveClient(all, { capabilities: {} });
    assert.equal(counts(await discover(client, { signal: never }))['tools'], 1);
    assert.equal(client.sent.length, 1);
  });

  it('takes the refusal of tools that were never declared as having none', async () => {
    const client = new FakeLiveClient({}, { capabilities: {} });
    const list = listed((await discover(client, { signal: never })).tools);
    assert.deepEqual([list.items.length, list.warning, list.incomplete], [0, undefined, undefined]);
  });

  it('warns of a list that is advertised but unknown to the server', async () => {
    const client = new FakeLiveClient(
      { 'tools/list': all['tools/list']! },
      { capabilities: { tools: {}, resources: {} } },
    );
    const found = await discover(client, { signal: never });
    assert.equal(listed(found.resources).warning?.what, 'listNotImplemented');
    assert.equal(listed(found.resourceTemplates).warning, undefined);
    assert.equal(listed(found.tools).items.length, 1);
  });

  it('tells the failure of a first page as that kind’s and nobody else’s', async () => {
    const failure = new ManagerError('requestTimeout', { seconds: 15 }, { outcome: 'unknown' });
    const client = new FakeLiveClient({ ...all, 'resources/list': () => Promise.reject(failure) });
    const found = await discover(client, { signal: never });
    assert.deepEqual(found.resources, { kind: 'failed', error: failure });
    assert.equal(listed(found.tools).items.length, 1);
  });

  it('warns of tools that nobody declared and whose list never came', async () => {
    const failure = new ManagerError('requestTimeout', { seconds: 15 }, { outcome: 'unknown' });
    const silent = { 'tools/list': () => Promise.reject(failure) };
    const found = await discover(new FakeLiveClient(silent, { capabilities: {} }), { signal: never });
    assert.equal(listed(found.tools).warning?.what, 'listFailed');
    const without = await discover(new FakeLiveClient({}, { capabilities: {} }), { signal: never });
    assert.equal(listed(without.tools).warning, undefined);
  });

  it('ends at once when it is aborted', async () => {
    const controller = new AbortController();
    const client = new FakeLiveClient({ 'tools/list': () => Promise.reject(new ManagerError('cancelled')) });
    controller.abort(new Error('enough'));
    await assert.rejects(discover(client, { signal: controller.signal }), /enough/);
  });
});

describe('discover, item by item', () => {
  it('keeps 200 good tools next to an illegal one', async () => {
    const good = Array.from({ length: 200 }, (_, index) => rawTool(`good${index}`));
    const { names, list } = await toolsOf(() => ({
      tools: [...good.slice(0, 99), rawTool('bad\nname'), ...good.slice(99)],
    }));
    assert.equal(names.length, 200);
    assert.deepEqual(list.issues, [
      {
        kind: 'tools',
        what: 'badItem',
        item: 'bad\nname',
        reason: 'name is not a string of 1 to 256 characters without control characters',
      },
    ]);
  });

  it('keeps the first of two with one name and reports the other', async () => {
    const { list } = await toolsOf(() => ({
      tools: [rawTool('same', { description: 'first' }), rawTool('same', { description: 'second' })],
    }));
    assert.deepEqual(
      list.items.map(({ raw }) => raw['description']),
      ['first'],
    );
    assert.equal(list.issues[0]?.what, 'duplicate');
  });

  it('knows resources by URI, not by name', async () => {
    const client = new FakeLiveClient({
      'resources/list': () => ({
        resources: [
          { uri: 'file:///a', name: 'same' },
          { uri: 'file:///b', name: 'same' },
          { uri: 'file:///a', name: 'again' },
        ],
      }),
    });
    const list = listed((await discover(client, { signal: never, kinds: ['resources'] })).resources);
    assert.equal(list.items.length, 2);
    assert.deepEqual(
      list.issues.map(({ what, item }) => [what, item]),
      [['duplicate', 'file:///a']],
    );
  });

  it('bounds its reports and counts them all', async () => {
    const { list } = await toolsOf(() => ({ tools: Array.from({ length: 5_000 }, () => 'nothing') }));
    assert.equal(list.issues.length, 100);
    assert.equal(list.issueCount, 5_000);
    assert.equal(list.issues[1]?.item, '#2');
  });

  it('leaves a tool with an illegal header definition out on modern HTTP only', async () => {
    const tools = [
      rawTool('fine'),
      rawTool('odd', { inputSchema: { type: 'object', properties: { a: { type: 'number', 'x-mcp-header': 'A' } } } }),
    ];
    const names = async (era: 'legacy' | 'modern', transport: 'stdio' | 'streamable-http'): Promise<string[]> => {
      const client = new FakeLiveClient({ 'tools/list': () => ({ tools }) }, { era, transport });
      const list = listed<OfferedTool>((await discover(client, { signal: never, kinds: ['tools'] })).tools);
      assert.equal(
        list.issues.every(({ what }) => what === 'headerDefinition'),
        true,
      );
      return list.items.map(({ name }) => name);
    };
    assert.deepEqual(await names('modern', 'streamable-http'), ['fine']);
    assert.deepEqual(await names('modern', 'stdio'), ['fine', 'odd']);
    assert.deepEqual(await names('legacy', 'streamable-http'), ['fine', 'odd']);
  });

  it('reports at most 20 illegal header definitions', async () => {
    const inputSchema = { type: 'object', 'x-mcp-header': 'A' };
    const tools = Array.from({ length: 50 }, (_, index) => rawTool(`t${index}`, { inputSchema }));
    const client = new FakeLiveClient(
      { 'tools/list': () => ({ tools }) },
      { era: 'modern', transport: 'streamable-http' },
    );
    const list = listed((await discover(client, { signal: never, kinds: ['tools'] })).tools);
    assert.equal(list.issues.length, 20);
    assert.equal(list.issueCount, 50);
  });
});

describe('discover, ten thousand tools at once', () => {
  it('lets the event loop turn again and again', async () => {
    const properties = Object.fromEntries(
      Array.from({ length: 12 }, (_, index) => [`field${index}`, { type: 'string', description: 'd'.repeat(60) }]),
    );
    const tools = Array.from({ length: 10_000 }, (_, index) =>
      rawTool(`tool${index}`, {
        inputSchema: { type: 'object', properties },
        outputSchema: { type: 'object', properties },
      }),
    );
    const now = performance.now.bind(performance);
    let time = now();
    let turns = 0;
    let running = true;
    const watch = (): void => {
      turns += 1;
      if (running) setImmediate(watch);
    };
    try {
      performance.now = () => (time += 1); // However fast the machine is, each look at the time is a millisecond later.
      watch();
      await toolsOf(() => ({ tools }));
    } finally {
      running = false;
      performance.now = now;
    }
    assert.ok(turns > 1_000, `${turns} turns`);
  });
});
