// What servers offer, read from real ones: pages, cycles, bad items, duplicates, capabilities, failing lists.
import assert from 'node:assert/strict';
import { describe, it } from 'mocha';
import { ManagerError } from '../../src/core/errors.ts';
import { type Connected, useFixtures } from '../support/connectedFixture.ts';

describe('the lists of a server', () => {
  const connect = useFixtures();
  const names = ({ snapshot }: Connected): string[] => snapshot.tools.map(({ name }) => name);
  const reasons = ({ snapshot }: Connected): unknown => snapshot.incomplete.map(({ kind, reason }) => [kind, reason]);

  it('of all four kinds are read page by page [DISC-1a]', async () => {
    const { snapshot, log } = await connect('all-kinds-paged');
    const { tools, resources, resourceTemplates, prompts } = snapshot;
    assert.deepEqual(
      [tools, resources, resourceTemplates, prompts].map(({ length }) => length),
      [5, 5, 5, 5],
    );
    assert.deepEqual(snapshot.incomplete, []);
    for (const method of ['tools/list', 'resources/list', 'resources/templates/list', 'prompts/list']) {
      assert.equal(log.asked(method), 3, method);
    }
  });

  it('are whole with 100 pages and cut with 101 [DISC-1b]', async () => {
    const whole = await connect('hundred-pages');
    assert.deepEqual([whole.snapshot.tools.length % 100, reasons(whole)], [0, []]);
    await whole.close();
    const more = await connect('hundred-and-one-pages');
    assert.deepEqual(reasons(more), [['tools', 'pageLimit']]);
    assert.equal(more.log.asked('tools/list'), 100);
    assert.ok(more.snapshot.tools.length >= 100);
  });

  it('are whole with 10,000 items and cut with more [DISC-1c]', async () => {
    const whole = await connect('ten-thousand-tools');
    assert.deepEqual([whole.snapshot.tools.length, reasons(whole)], [10_000, []]);
    await whole.close();
    const more = await connect('too-many-tools');
    assert.deepEqual([more.snapshot.tools.length, reasons(more)], [10_000, [['tools', 'itemLimit']]]);
  });

  it('hold each name once and report the others [DISC-1d]', async () => {
    const { snapshot } = await connect('duplicate-names');
    const all = snapshot.tools.map(({ name }) => name);
    assert.equal(new Set(all).size, all.length);
    assert.ok(snapshot.issueCount > 0);
    assert.ok(snapshot.issues.every(({ what }) => what === 'duplicate'));
  });

  it('go on behind an empty cursor, once [DISC-1e, DISC-1f]', async () => {
    const once = await connect('empty-cursor-once');
    assert.deepEqual([once.snapshot.tools.length, reasons(once)], [4, []]);
    await once.close();
    const forever = await connect('empty-cursor-forever');
    assert.deepEqual(reasons(forever), [['tools', 'repeatedCursor']]);
    assert.ok(forever.snapshot.tools.length > 0);
  });

  it('end where cursors come again, and keep what came [DISC-1f]', async () => {
    for (const name of ['same-cursor', 'cursor-cycle']) {
      const looping = await connect(name);
      assert.deepEqual(reasons(looping), [['tools', 'repeatedCursor']], name);
      assert.ok(looping.snapshot.tools.length > 0 && looping.log.asked('tools/list') < 5, name);
      await looping.close();
    }
  });

  it('keep the pages before one that fails [DISC-1g]', async () => {
    const failing = await connect('later-page-fails');
    assert.equal(failing.snapshot.tools.length, 4);
    assert.deepEqual(reasons(failing), [['tools', 'pageFailed']]);
    assert.match(failing.snapshot.incomplete[0]?.detail ?? '', /^page 3: error -32603: page 3 fails$/);
  });

  for (const [name, options] of [
    ['bad-items', {}],
    ['bad-items-modern', { protocol: '2026-07-28' }],
  ] as const) {
    it(`leave bad tools out one by one, with a reason each (${name}) [DISC-2a, DISC-2b, DISC-2c, DISC-2d]`, async () => {
      const { snapshot } = await connect(name, options);
      const good = snapshot.tools.map((tool) => tool.name);
      assert.ok(good.includes('echo') && good.includes('add'));
      // Twelve are left out; the thirteenth lives on without its annotations.
      assert.deepEqual([snapshot.issueCount, snapshot.repairedCount], [13, 1]);
      assert.equal(good.length, 3);
      const told = snapshot.issues.map(({ reason }) => reason).join('\n');
      for (const word of [
        'name is not',
        'inputSchema is missing',
        'larger than 256 KiB',
        'deeper than 64',
        'description',
        'annotations',
        'not an object',
      ]) {
        assert.match(told, new RegExp(word), word);
      }
    });
  }

  it('keep 200 good tools next to an illegal one [DISC-2d]', async () => {
    const { snapshot } = await connect('two-hundred-and-one-bad');
    assert.deepEqual([snapshot.tools.length, snapshot.issueCount], [200, 1]);
  });

  it('leave bad resources, templates and prompts out one by one [DISC-2a, DISC-2d]', async () => {
    const { snapshot } = await connect('bad-resources-and-prompts');
    const { resources, resourceTemplates, prompts, issues } = snapshot;
    assert.deepEqual(
      [resources, resourceTemplates, prompts].map((list) => list.map(({ name }) => name)),
      [['text'], ['good'], ['good']],
    );
    const count = (kind: string): number => issues.filter((issue) => issue.kind === kind).length;
    assert.deepEqual([count('resources'), count('resourceTemplates'), count('prompts')], [4, 2, 3]);
  });

  it('keep fields that nobody knows, in both eras [DISC-2e]', async () => {
    for (const era of ['legacy', 'modern'] as const) {
      const { snapshot, call } = await connect('basic-both', {
        protocol: era === 'legacy' ? 'legacy' : '2026-07-28',
        overrides: { tools: { library: ['extra_fields'] } },
      });
      const { raw } = snapshot.tools[0]!;
      assert.deepEqual(raw['x-vendor'], { kept: true });
      assert.deepEqual(raw['_meta'], { 'example.com/kept': true });
      // The fixture's own modern SDK takes `execution` out before it sends.
      if (era === 'legacy') assert.deepEqual(raw['execution'], { taskSupport: 'optional' });
      const { content } = await call('extra_fields');
      assert.deepEqual(content, [{ type: 'text', text: 'x', _meta: { 'example.com/kept': true } }]);
    }
  });

  it('keep odd names as the server wrote them [DISC-2e]', async () => {
    const odd = await connect('odd-names');
    assert.equal(odd.snapshot.issueCount, 0);
    for (const name of ['a/b', '__proto__', 'constructor', 'emoji 🚂']) assert.ok(names(odd).includes(name), name);
    await odd.call('a/b');
  });

  it('are not asked of a modern server that does not declare them [DISC-3a]', async () => {
    const { log, snapshot } = await connect('no-tools-capability-modern', { protocol: '2026-07-28' });
    assert.ok(snapshot.prompts.length > 0);
    for (const method of ['tools/list', 'resources/list', 'resources/templates/list'])
      assert.equal(log.asked(method), 0);
  });

  it('of tools are asked of a legacy server that does not declare them [DISC-3b]', async () => {
    const { snapshot, watch } = await connect('no-tools-capability-legacy');
    assert.ok(snapshot.tools.length > 0);
    assert.deepEqual(watch.warnings, []);
  });

  it('are empty, with a warning, where they are advertised and not known [DISC-1g, DISC-2d]', async () => {
    const { snapshot, watch } = await connect('advertised-but-missing');
    assert.ok(snapshot.tools.length > 0);
    assert.deepEqual(
      watch.warnings.map(({ about, what }) => [about, what]),
      [
        ['resources', 'listNotImplemented'],
        ['prompts', 'listNotImplemented'],
      ],
    );
  });

  it('fail the connection when there is no other list, with the server’s words', async () => {
    for (const [name, code] of [
      ['list-fails', 'protocolError'],
      ['list-not-a-list', 'invalidResponse'],
      ['list-silent', 'requestTimeout'],
    ] as const) {
      await assert.rejects(connect(name, { timeouts: { list: 300 } }), (error: unknown) => {
        assert.ok(error instanceof ManagerError);
        assert.equal(error.code, code, name);
        return true;
      });
    }
  });

  it('leave a tool with an illegal header definition out, on modern HTTP only [DISC-6b, DISC-6d]', async () => {
    const modern = await connect('http-mirrored', { over: 'http', protocol: '2026-07-28' });
    assert.deepEqual(names(modern), ['mirrored', 'headers', 'echo']);
    assert.deepEqual(
      modern.snapshot.issues.map(({ what, item }) => [what, item]),
      ['mirrored_illegal', 'mirrored_bad_name', 'mirrored_twice'].map((tool) => ['headerDefinition', tool]),
    );
    await modern.close();
    const legacy = await connect('http-mirrored-legacy', { over: 'http' });
    assert.deepEqual([legacy.snapshot.tools.length, legacy.snapshot.issueCount], [6, 0]);
  });
});
