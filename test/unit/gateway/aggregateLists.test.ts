import assert from 'node:assert/strict';
import { describe, it } from 'mocha';
import type { JsonObject } from '../../../src/contract/json.ts';
import { AggregateCatalog, type OfferingServer } from '../../../src/gateway/aggregateCatalog.ts';
import { AggregateLists, type AggregateListsOptions } from '../../../src/gateway/aggregateLists.ts';
import { RpcFailure } from '../../../src/gateway/outcomes.ts';
import type { ListKind } from '../../../src/gateway/listResults.ts';
import { offering } from '../../support/offeringServers.ts';

const many = (count: number): Record<string, JsonObject> =>
  Object.fromEntries(Array.from({ length: count }, (_, index) => [`tool-${index}`, {}]));

function listsOver(servers: OfferingServer[], options: Partial<AggregateListsOptions> = {}) {
  let now: readonly OfferingServer[] = servers;
  const lists = new AggregateLists({
    servers: { offering: () => now },
    style: 'full',
    own: [],
    listsTools: true,
    ...options,
  });
  const page = (kind: ListKind, cursor?: string) => {
    const outcome = lists.page(kind, cursor);
    assert.ok(outcome.kind === 'raw');
    const { frame, resultFrom, resultTo } = outcome.answer;
    const result = JSON.parse(frame.toString('utf8', resultFrom, resultTo)) as JsonObject & { nextCursor?: string };
    return { names: (result[kind] as { name: string }[]).map(({ name }) => name), next: result.nextCursor };
  };
  const change = (...servers: OfferingServer[]): void => void (now = servers);
  return { lists, page, change };
}

describe('AggregateLists', () => {
  it('gives every tool on one page or another, ours first', () => {
    const { page } = listsOver([offering('one', { tools: many(10) })], { page: 100, own: [{ name: 'ours' }] });
    const names: string[] = [];
    let count = 0;
    for (let next: string | undefined; ;) {
      const got = page('tools', next);
      names.push(...got.names);
      count += 1;
      next = got.next;
      if (next === undefined) break;
    }
    assert.deepEqual(names, ['ours', ...Object.keys(many(10)).map((name) => `mcp__one__${name}`)]);
    assert.ok(count > 2);
  });

  it('goes on with the list that a cursor is of, though another one came meanwhile; in the end that list is too old', () => {
    const one = offering('one', { tools: many(10) });
    const { page, change } = listsOver([one], { page: 100 });
    const { next } = page('tools');
    change(offering('none', { tools: { a: {} } }), one);
    assert.deepEqual(page('tools').names[0], 'mcp__none__a');
    const before = page('tools', next).names;
    assert.ok(before.every((name) => name.startsWith('mcp__one__')));
    for (let round = 0; round < 10; round += 1) {
      change(offering('one', { tools: many(round) }));
      page('tools');
    }
    assert.throws(() => page('tools', next), RpcFailure);
  });

  it('takes no cursor that it did not give', () => {
    const { lists } = listsOver([offering('one', { tools: many(3) })]);
    for (const cursor of ['', '0', '1.0', 'x.1', 7, null, {}]) {
      assert.throws(() => lists.page('tools', cursor), RpcFailure, JSON.stringify(cursor));
    }
  });

  it('lists no tools of servers where they are not for this client', () => {
    const { page } = listsOver([offering('one', { tools: many(3), prompts: ['p'] })], {
      listsTools: false,
      own: [{ name: 'ours' }],
    });
    assert.deepEqual(page('tools').names, ['ours']);
    assert.deepEqual(page('prompts').names, ['mcp__one__p']);
  });

  it('says once which tools meet in one name', () => {
    const warned: string[] = [];
    const log = { info: () => undefined, error: () => undefined, warn: (text: string) => void warned.push(text) };
    const colliding = offering('one', { tools: { ïêéàää: {}, üßêâöä: {} } });
    const { page, change } = listsOver([colliding], { log });
    assert.deepEqual(page('tools').names, []);
    change(colliding, offering('two', {}));
    page('tools');
    assert.deepEqual(warned, [
      'mcp__one_________93624a2e would stand for each of ïêéàää of one, üßêâöä of one: none of them can be called by it',
    ]);
  });
});

describe('AggregateCatalog', () => {
  const one = offering('one', {
    tools: {
      plain: { inputSchema: { type: 'object' }, outputSchema: { type: 'object' }, annotations: { title: 'x' } },
      paged: { _meta: { ui: { resourceUri: 'ui://x' }, 'ui/resourceUri': 'ui://x', kept: 1 }, execution: {} },
      shown: { _meta: { ui: { visibility: ['model', 'app'] } } },
      hidden: { _meta: { ui: { visibility: ['app'] } } },
    },
    resources: ['f://a'],
    resourceTemplates: ['f://{x}'],
    prompts: ['ask me'],
  });

  it('shows of a tool what a model has a use for, under its outward name', () => {
    const tools = new AggregateCatalog([one], 'short').list('tools');
    assert.deepEqual(
      tools.map(({ raw }) => raw),
      [
        { name: 'one__plain', inputSchema: { type: 'object' }, annotations: { title: 'x' } },
        { name: 'one__paged', _meta: { kept: 1 } },
        { name: 'one__shown' },
      ],
    );
  });

  it('finds by the outward name what the server calls otherwise', () => {
    const catalog = new AggregateCatalog([one], 'full');
    const [prompt] = catalog.list('prompts');
    assert.match(prompt!.name, /^mcp__one__ask_me_[0-9a-f]{8}$/);
    const found = catalog.prompt(prompt!.name);
    assert.equal(found?.kind === 'one' && found.item.inner, 'ask me');
    assert.equal(catalog.tool('plain'), undefined);
    assert.equal(catalog.tool('mcp__one__hidden'), undefined);
  });

  it('gives resources and templates the address of their server', () => {
    const catalog = new AggregateCatalog([one], 'full');
    assert.equal(catalog.list('resources')[0]!.raw['uri'], 'roundhouse://server.one/f://a');
    assert.equal(catalog.list('resourceTemplates')[0]!.raw['uriTemplate'], 'roundhouse://server.one/f://{x}');
  });
});
