// The fixtures that misbehave as processes really do so: counted in the process table.
import assert from 'node:assert/strict';
import { afterEach, beforeEach, describe, it } from 'mocha';
import type { JsonObject } from '../../src/contract/json.ts';
import { eventually } from '../support/eventually.ts';
import { fixtureCommand, fixtureLog, type FixtureLog } from '../support/fixtureServer.ts';
import {
  childrenOf,
  findProcess,
  hasProcessTable,
  processesWithEnvironment,
  stillThere,
} from '../support/processTable.ts';
import { startRawPeer, type RawPeer } from '../support/rawPeer.ts';

describe('fixtures as processes', () => {
  let log: FixtureLog;
  const peers: RawPeer[] = [];
  beforeEach(() => {
    log = fixtureLog();
  });
  afterEach(() => {
    for (const peer of peers.splice(0)) peer.kill('SIGKILL');
    for (const helper of helpers()) {
      if (stillThere([helper]).length > 0) process.kill(helper, 'SIGKILL');
    }
    log.dispose();
  });

  const helpers = (): number[] => log.events('grandchild').map(({ child }) => Number(child));
  const open = async (name: string, env?: Record<string, string>): Promise<RawPeer> => {
    const peer = startRawPeer(fixtureCommand(name, undefined, log), env);
    peers.push(peer);
    await peer.initialize();
    return peer;
  };

  const shapes = [
    { name: 'grandchild', group: 'same', parent: 'server', marked: true },
    { name: 'grandchild-ignores-sigterm', group: 'same', parent: 'server', marked: true, deaf: true },
    { name: 'grandchild-own-group', group: 'own', parent: 'server', marked: true },
    { name: 'grandchild-own-group-ignores-sigterm', group: 'own', parent: 'server', marked: true, deaf: true },
    { name: 'grandchild-orphan', group: 'own', parent: 'other', marked: true },
    { name: 'grandchild-scrubbed', group: 'own', parent: 'server', marked: false },
  ] as const;
  for (const shape of shapes) {
    it(`${shape.name} leaves a helper behind`, async function () {
      if (!hasProcessTable) this.skip();
      const mark = `mark-${process.pid}-${shape.name}`;
      const peer = await open(shape.name, { FIXTURE_TEST_MARK: mark });
      const helper = await eventually(() => helpers()[0]);
      const entry = findProcess(helper)!;
      const server = findProcess(peer.pid)!;
      assert.equal(entry.group === server.group, shape.group === 'same');
      assert.equal(entry.session === server.session, shape.group === 'same');
      assert.equal(
        childrenOf(peer.pid).some(({ pid }) => pid === helper),
        shape.parent === 'server',
      );
      const marked = processesWithEnvironment('FIXTURE_TEST_MARK', mark).map(({ pid }) => pid);
      assert.equal(marked.includes(helper), shape.marked);
      peer.endInput();
      assert.equal((await peer.ended).code, 0);
      if ('deaf' in shape) {
        process.kill(helper, 'SIGTERM');
        await eventually(() => log.events('signal').some(({ pid }) => pid === helper));
      }
      assert.equal(stillThere([helper]).length, 1, 'the helper outlives its server');
    });
  }

  it('grandchild-holds-pipe keeps stdout open beyond the end of the server', async () => {
    const peer = await open('grandchild-holds-pipe');
    peer.endInput();
    await peer.ended;
    const helper = helpers()[0]!;
    assert.equal(stillThere([helper]).length, 1);
    assert.equal(peer.outputEnded(), false);
    process.kill(helper, 'SIGKILL');
    await eventually(() => peer.outputEnded());
  });

  it('ignores-stdin-end stays until SIGTERM, ignores-sigterm until stdin ends, stubborn until SIGKILL', async () => {
    const first = await open('ignores-stdin-end');
    first.endInput();
    await eventually(() => log.events('stdinEnd').length === 1);
    first.kill('SIGTERM');
    assert.equal((await first.ended).code, 143);

    const second = await open('ignores-sigterm');
    second.kill('SIGTERM');
    await eventually(() => log.events('signal').some(({ pid }) => pid === second.pid));
    await second.ask('ping');
    second.endInput();
    assert.equal((await second.ended).code, 0);

    const third = await open('stubborn');
    third.endInput();
    third.kill('SIGTERM');
    await eventually(
      () => log.events().filter(({ pid, event }) => pid === third.pid && /stdinEnd|signal/.test(event)).length === 2,
    );
    assert.equal(
      log.events('exit').some(({ pid }) => pid === third.pid),
      false,
    );
    third.kill('SIGKILL');
    assert.equal((await third.ended).signal, 'SIGKILL');
  });

  it('crashes ends in the middle of a call, with the code or by the signal it was told', async () => {
    const coded = await open('crashes');
    coded.send({ id: 9, method: 'tools/call', params: { name: 'crash', arguments: { code: 9 } } });
    assert.deepEqual(await coded.ended, { code: 9, signal: null });
    const killed = await open('crashes');
    killed.send({ id: 9, method: 'tools/call', params: { name: 'crash', arguments: { signal: 'SIGKILL' } } });
    assert.deepEqual(await killed.ended, { code: null, signal: 'SIGKILL' });
    assert.equal(log.runs('crash'), 2);
  });

  it('inspects tells its environment, folder and command line', async () => {
    const peer = await open('inspects', { FIXTURE_SEEN: 'yes' });
    const { result } = await peer.ask('tools/call', { name: 'environment', arguments: {} });
    const text = ((result as JsonObject)['content'] as JsonObject[])[0]!['text'] as string;
    const shown = JSON.parse(text) as { env: Record<string, string>; cwd: string; pid: number };
    assert.deepEqual([shown.env['FIXTURE_SEEN'], shown.cwd, shown.pid], ['yes', process.cwd(), peer.pid]);
  });
});
