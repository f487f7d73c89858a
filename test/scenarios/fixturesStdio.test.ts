// The misbehaving fixtures really misbehave as their names say: by their bytes, with no SDK in between.
import assert from 'node:assert/strict';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, it } from 'mocha';
import type { JsonObject } from '../../src/contract/json.ts';
import { eventually } from '../support/eventually.ts';
import { fixtureCommand, fixtureLog, type FixtureLog, type Overrides } from '../support/fixtureServer.ts';
import { patience } from '../support/patience.ts';
import { modernEnvelope, startRawPeer, type RawPeer } from '../support/rawPeer.ts';

describe('fixtures on stdio', () => {
  let log: FixtureLog;
  const peers: RawPeer[] = [];
  beforeEach(() => {
    log = fixtureLog();
  });
  afterEach(() => {
    for (const peer of peers.splice(0)) peer.kill('SIGKILL');
    log.dispose();
  });

  const start = (name: string, overrides?: Overrides, env?: Record<string, string>): RawPeer => {
    const peer = startRawPeer(fixtureCommand(name, overrides, log), env);
    peers.push(peer);
    return peer;
  };
  const open = async (name: string, overrides?: Overrides): Promise<RawPeer> => {
    const peer = start(name, overrides);
    await peer.initialize();
    return peer;
  };
  const toolNames = async (peer: RawPeer): Promise<unknown[]> => {
    const { result } = await peer.ask('tools/list');
    return ((result as JsonObject)['tools'] as JsonObject[]).map((tool) => tool['name']);
  };

  it('end with code 0 when stdin ends', async () => {
    const peer = await open('basic-legacy');
    peer.endInput();
    assert.deepEqual(await peer.ended, { code: 0, signal: null });
  });

  describe('streams', () => {
    it('noise-legacy writes lines that are no messages before and between its answers', async () => {
      const peer = await open('noise-legacy');
      await peer.ask('ping');
      const noise = ['hello', '', '==== Banner v1.0 ====', '[1,2]', '"x"', '{"level":"info","msg":"a JSON log line"}'];
      const lines = peer.lines();
      assert.deepEqual(lines.slice(0, 12), [...noise, ...noise]);
      assert.match(lines[12]!, /"id":1/);
      assert.deepEqual(lines.slice(13, 19), noise);
    });

    it('split-characters cuts characters of two, three and four bytes between its writes', async () => {
      const peer = await open('split-characters');
      const before = peer.chunks.length;
      const answer = await peer.ask('tools/call', { name: 'unicode', arguments: {} });
      assert.match(JSON.stringify(answer), /é ≤ 🚂 ü € 𝄞/);
      const cut = peer.chunks.slice(before).filter((chunk) => (chunk[0]! & 0xc0) === 0x80);
      assert.ok(cut.length >= 6, `${cut.length} chunks begin inside a character`);
    });

    it('crlf ends its lines in CR LF', async () => {
      const peer = await open('crlf');
      assert.ok(peer.lines().every((line) => line.endsWith('\r')));
    });

    it('huge-results sends a result of 65 MiB in one frame', async () => {
      const peer = await open('huge-results');
      const bytes = 65 * 1024 * 1024;
      peer.send({ id: 'big', method: 'tools/call', params: { name: 'big', arguments: { bytes } } });
      const received = () => peer.chunks.reduce((sum, chunk) => sum + chunk.length, 0);
      await eventually(() => received() > bytes, patience, 'the whole frame');
    });

    it('stray-answers and answers-twice do just that', async () => {
      const stray = await open('stray-answers');
      assert.equal(stray.lines().filter((line) => line.includes('987654321')).length, 1);
      const twice = await open('answers-twice');
      await eventually(() => twice.lines().filter((line) => line.includes('"id":1')).length === 2);
    });

    it('stderr-flood writes more than a pipe holds and still answers', async () => {
      const peer = await open('stderr-flood');
      await eventually(() => peer.stderr().length > 1_999_000, patience, 'the flood');
    });
  });

  describe('start and era', () => {
    it('exit-at-start ends at once with code 1 and three lines', async () => {
      const peer = start('exit-at-start');
      assert.deepEqual(await peer.ended, { code: 1, signal: null });
      await eventually(() => peer.stderr().split('\n').length === 4);
    });

    it('exit-first-start fails once and then works', async () => {
      const marker = { process: { marker: join(log.folder, 'marker') } };
      assert.equal((await start('exit-first-start', marker).ended).code, 7);
      await open('exit-first-start', marker);
      assert.equal(log.events('start').length, 2);
    });

    it('slow-first-start installs visibly at its first start only', async () => {
      const quick = { process: { marker: join(log.folder, 'marker'), slowStart: { first: 400 } } };
      const first = await open('slow-first-start', quick);
      assert.match(first.stderr(), /^npm warn exec .*will be installed[^]*added 214 packages/);
      const second = await open('slow-first-start', quick);
      assert.equal(second.stderr(), '');
    });

    it('silent takes requests and answers none', async () => {
      const peer = start('silent');
      peer.send({ id: 1, method: 'initialize', params: {} });
      peer.send({ id: 2, method: 'ping' });
      await eventually(() => log.events('request').length === 2);
      peer.endInput();
      await peer.ended;
      assert.deepEqual(peer.lines(), []);
    });

    it('exit-on-discover serves initialize and dies on the probe', async () => {
      await open('exit-on-discover');
      const probed = start('exit-on-discover');
      probed.send({ id: 1, method: 'server/discover', params: { _meta: modernEnvelope } });
      assert.equal((await probed.ended).code, 1);
    });

    it('invalid-params-on-discover answers -32602, a plain older server -32601', async () => {
      const strict = await start('invalid-params-on-discover').ask('server/discover', { _meta: modernEnvelope });
      assert.equal((strict['error'] as JsonObject)['code'], -32602);
      const plain = await start('small-legacy').ask('server/discover', { _meta: modernEnvelope });
      assert.equal((plain['error'] as JsonObject)['code'], -32601);
    });

    it('a modern-only server refuses initialize', async () => {
      const answer = await start('small-modern').ask('initialize', {
        protocolVersion: '2025-11-25',
        capabilities: {},
        clientInfo: { name: 'raw', version: '1' },
      });
      assert.equal((answer['error'] as JsonObject)['code'], -32022);
    });

    it('slow-answers holds each answer for its time', async () => {
      const peer = await open('slow-answers');
      const began = performance.now();
      await peer.ask('ping');
      assert.ok(performance.now() - began >= 300);
    });
  });

  describe('calls', () => {
    it('a cancelled hang is recorded and not answered', async () => {
      const peer = await open('small-legacy');
      peer.send({ id: 'x', method: 'tools/call', params: { name: 'hang', arguments: {} } });
      await eventually(() => log.runs('hang') === 1);
      peer.send({ method: 'notifications/cancelled', params: { requestId: 'x' } });
      await eventually(() => log.events('cancelled').length === 1);
      await peer.ask('ping');
      assert.equal(
        peer.lines().some((line) => line.includes('"id":"x"')),
        false,
      );
    });

    it('cancel-unanswered goes on and answers late', async () => {
      const peer = await open('cancel-unanswered');
      peer.send({ id: 'x', method: 'tools/call', params: { name: 'slow', arguments: { ms: 300 } } });
      await eventually(() => log.runs('slow') === 1);
      peer.send({ method: 'notifications/cancelled', params: { requestId: 'x' } });
      await eventually(() => peer.lines().some((line) => line.includes('"id":"x"') && line.includes('slept')));
      assert.deepEqual(log.events('cancelled'), []);
    });

    it('asks-roots asks as soon as it is initialized and records the answer', async () => {
      const peer = await open('asks-roots');
      const [question] = await eventually(
        () => peer.received('roots/list').length === 1 && peer.received('roots/list'),
      );
      peer.send({ id: question!['id'], result: { roots: [{ uri: 'file:///here' }] } });
      await eventually(() => JSON.stringify(log.events('answer')).includes('file:///here'));
    });

    it('refuse is answered with an error that carries data', async () => {
      const peer = await open('basic-legacy');
      const { error } = await peer.ask('tools/call', { name: 'refuse', arguments: { code: -32077, data: { why: 1 } } });
      assert.deepEqual(error, { code: -32077, message: 'refused on purpose', data: { why: 1 } });
    });
  });

  describe('changes', () => {
    it('changes-during-list announces a new tool before it sends the older list', async () => {
      const peer = await open('changes-during-list');
      const names = await toolNames(peer);
      assert.equal(names.includes('count'), false);
      const lines = peer.lines();
      const announced = lines.findIndex((line) => line.includes('tools/list_changed'));
      const listed = lines.findIndex((line) => line.includes('"tools":[{'));
      assert.ok(announced >= 0 && announced < listed);
      assert.ok((await toolNames(peer)).includes('count'));
    });

    it('changes-burst sends 50 notifications', async () => {
      const peer = await open('changes-burst');
      await eventually(() => peer.received('notifications/tools/list_changed').length === 50);
    });

    it('changes-undeclared announces what it did not declare', async () => {
      const peer = start('changes-undeclared');
      const { result } = await peer.initialize();
      assert.deepEqual((result as JsonObject)['capabilities'], { tools: {} });
      await peer.ask('tools/call', { name: 'change', arguments: { remove: ['add'] } });
      await eventually(() => peer.received('notifications/tools/list_changed').length === 1);
    });

    it('no-tools-capability-legacy hides tools and lists them', async () => {
      const peer = start('no-tools-capability-legacy');
      const { result } = await peer.initialize();
      assert.deepEqual((result as JsonObject)['capabilities'], {});
      assert.ok((await toolNames(peer)).includes('echo'));
    });
  });
});
