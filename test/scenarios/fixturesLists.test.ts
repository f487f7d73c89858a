// The fixtures' lists are as bad as they say, and neither SDK mends them on the way out.
import assert from 'node:assert/strict';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterEach, describe, it } from 'mocha';
import { loadBehaviour } from '../../fixtures/servers/behaviour/load.ts';
import { Offer } from '../../fixtures/servers/offer/offer.ts';
import type { JsonObject } from '../../src/contract/json.ts';
import { fixtureCommand } from '../support/fixtureServer.ts';
import { modernEnvelope, startRawPeer, type RawPeer } from '../support/rawPeer.ts';

const behaviours = fileURLToPath(new URL('../../fixtures/servers/behaviours', import.meta.url));

/** The first cursors that a list gives out, until it ends or fails. */
function cursorsOf(name: string, atMost: number): unknown[] {
  const offer = new Offer(loadBehaviour(join(behaviours, `${name}.json`)));
  const cursors: unknown[] = [];
  let cursor: unknown;
  while (cursors.length < atMost) {
    try {
      cursor = offer.list('tools/list', cursor)['nextCursor'];
    } catch (error) {
      return [...cursors, (error as Error).message];
    }
    if (cursor === undefined) break;
    cursors.push(cursor);
  }
  return cursors;
}

function nameOf({ name }: JsonObject): string {
  return typeof name === 'string' ? name : '';
}

describe('the lists of the fixtures', () => {
  const peers: RawPeer[] = [];
  afterEach(() => {
    for (const peer of peers.splice(0)) peer.kill('SIGKILL');
  });

  // Asked without an SDK: in the newer era its client refuses a whole list for one bad item.
  const listed = async (name: string, era: 'legacy' | 'modern', method = 'tools/list', key = 'tools') => {
    const peer = startRawPeer(fixtureCommand(name));
    peers.push(peer);
    if (era === 'legacy') await peer.initialize();
    const { result } = await peer.ask(method, era === 'legacy' ? {} : { _meta: modernEnvelope });
    return (result as JsonObject)[key] as JsonObject[];
  };

  it('give out cursors as their names say', () => {
    assert.deepEqual(cursorsOf('two-pages', 9), ['page-2']);
    assert.equal(cursorsOf('hundred-pages', 200).length, 99);
    assert.equal(cursorsOf('hundred-and-one-pages', 200).length, 100);
    assert.deepEqual(cursorsOf('same-cursor', 3), ['again', 'again', 'again']);
    assert.deepEqual(cursorsOf('cursor-cycle', 5), ['A', 'B', 'A', 'B', 'A']);
    assert.deepEqual(cursorsOf('empty-cursor-once', 9), ['']);
    assert.deepEqual(cursorsOf('empty-cursor-forever', 3), ['', '', '']);
    assert.deepEqual(cursorsOf('later-page-fails', 9), ['page-2', 'page-3', 'page 3 fails']);
  });

  for (const [name, era] of [
    ['bad-items', 'legacy'],
    ['bad-items-modern', 'modern'],
  ] as const) {
    it(`${name} sends each kind of bad item unmended`, async () => {
      const tools = await listed(name, era);
      const [echo, add, ...bad] = tools;
      assert.deepEqual([echo!['name'], add!['name']], ['echo', 'add']);
      assert.equal(bad.length, 13);
      const named = (part: string) => bad.find((tool) => nameOf(tool).startsWith(part))!;
      assert.equal('name' in bad[0]!, false);
      assert.equal(named('bell')['name'], 'bell\u0007');
      assert.equal(nameOf(named('nnn')).length, 257);
      assert.equal('inputSchema' in named('no-input-schema'), false);
      assert.deepEqual(named('annotations')['annotations'], []);
      assert.ok(JSON.stringify(named('schema-too-big')['inputSchema']).length > 256 * 1024);
      assert.equal(JSON.stringify(named('schema-too-deep')['inputSchema']).match(/"type":"object"/g)!.length, 65);
      assert.equal((named('description-too')['description'] as string).length, 8 * 1024 + 1);
      assert.equal(typeof bad.at(-1), 'string');
    });
  }

  it('duplicate-names lists one tool three times and one URI twice', async () => {
    const tools = await listed('duplicate-names', 'legacy');
    assert.equal(tools.filter((tool) => tool['name'] === 'echo').length, 3);
    const resources = await listed('duplicate-names', 'legacy', 'resources/list', 'resources');
    assert.deepEqual(new Set(resources.map((resource) => resource['uri'])).size, 1);
  });

  it('ten-thousand-tools and thousand-output-schemas are as long as they say', async () => {
    assert.equal((await listed('ten-thousand-tools', 'legacy')).length, 10_000);
    const tools = await listed('thousand-output-schemas', 'legacy');
    const schemas = new Set(tools.map((tool) => JSON.stringify(tool['outputSchema'])).filter(Boolean));
    assert.equal(schemas.size, 1_000);
  });

  it('odd-names holds names that differ only late, reserved ones and one of 256 characters', async () => {
    const names = (await listed('odd-names', 'legacy')).map(nameOf);
    for (const name of ['calendar.respondToEvent', 'a/b', 'Create Volume', '__proto__', 'constructor']) {
      assert.ok(names.includes(name), name);
    }
    assert.equal(Math.max(...names.map((name) => name.length)), 256);
    const alike = names.filter((name) => name.startsWith('head') && name.length === 70);
    assert.ok(alike.length >= 2 && alike[0]!.slice(0, 60) === alike[1]!.slice(0, 60), JSON.stringify(alike));
  });

  it('odd-names has a tool that runs behind a name that every object has', async () => {
    const peer = startRawPeer(fixtureCommand('odd-names'));
    peers.push(peer);
    await peer.initialize();
    const answer = await peer.ask('tools/call', { name: 'constructor', arguments: {} });
    assert.equal(answer['error'], undefined, JSON.stringify(answer));
    assert.match(JSON.stringify(answer['result']), /constructor/);
  });

  it('no-tools-capability-modern announces prompts only', async () => {
    const peer = startRawPeer(fixtureCommand('no-tools-capability-modern'));
    peers.push(peer);
    const { result } = await peer.ask('server/discover', { _meta: modernEnvelope });
    const { capabilities } = result as { capabilities: JsonObject };
    assert.deepEqual(Object.keys(capabilities).sort(), ['completions', 'prompts']);
  });
});
