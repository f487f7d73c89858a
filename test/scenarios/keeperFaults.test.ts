import assert from 'node:assert/strict';
import { spawn, spawnSync } from 'node:child_process';
import {
  chmodSync,
  chownSync,
  mkdirSync,
  readFileSync,
  renameSync,
  rmSync,
  symlinkSync,
  truncateSync,
  writeFileSync,
} from 'node:fs';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { after, afterEach, before, beforeEach, describe, it } from 'mocha';
import type { KeeperDescriptor } from '../../src/contract/keeperWire.ts';
import { ownIdentity, systemFacts } from '../../src/core/config/processIdentity.ts';
import { findKeeper } from '../../src/core/keeper/findKeeper.ts';
import { systemClock } from '../../src/base/clock.ts';
import { bundledProgram } from '../support/configProcesses.ts';
import { eventually } from '../support/eventually.ts';
import { callText, keeperProgram, keeperWorld, type KeeperWorld } from '../support/keeperWorld.ts';
import { findProcess, hasProcessTable } from '../support/processTable.ts';
import { openRaw } from '../support/rawClient.ts';
import { openSocket, statusesIn } from '../support/rawSocket.ts';
import { temporaryFolder } from '../support/temporaryFolder.ts';

/** How often each fault is made; more by the environment, for a long run. */
const rounds = Number(process.env['KEEPER_ROUNDS'] ?? 2);
const starters = 20;

interface Said {
  readonly keeper?: number;
  readonly server?: number;
  readonly count?: string;
  readonly failed?: string;
}

describe('a keeper that fails, or is found in a bad state', function () {
  this.timeout(120_000 + rounds * 60_000);
  let world: KeeperWorld;
  let programs: Awaited<ReturnType<typeof temporaryFolder>>;
  let starter: string;
  before(async function () {
    if (!hasProcessTable) this.skip();
    programs = await temporaryFolder();
    starter = await bundledProgram(programs.path, 'keeperStarter');
  });
  after(() => (hasProcessTable ? programs.remove() : undefined));
  beforeEach(async () => (world = await keeperWorld()));
  afterEach(() => (hasProcessTable ? world.dispose() : undefined));

  /** Starts so many programs at once, and answers what they said when all of them have a server; `end` ends them. */
  async function race(count: number): Promise<{ readonly said: readonly Said[]; readonly end: () => Promise<void> }> {
    const launch = JSON.stringify(world.launch());
    const running = Array.from({ length: count }, () =>
      spawn(process.execPath, [starter, world.home, keeperProgram(), launch], { stdio: ['pipe', 'pipe', 'inherit'] }),
    );
    const ends = running.map((child) => new Promise((resolve) => child.once('close', resolve)));
    const said = running.map(async (child) => {
      let text = '';
      for await (const part of child.stdout) {
        text += String(part);
        if (text.includes('\n')) break;
      }
      return JSON.parse(text) as Said;
    });
    return {
      said: await Promise.all(said),
      end: async () => {
        for (const { stdin } of running) stdin.end();
        await Promise.all(ends);
      },
    };
  }

  it(`is one, with one child, however many start it at once, ${rounds} times over [KEEP-1a, KEEP-1c]`, async () => {
    for (let round = 1; round <= rounds; round += 1) {
      const { said, end } = await race(starters);
      assert.deepEqual(
        said.filter(({ failed }) => failed !== undefined),
        [],
      );
      assert.equal(new Set(said.map(({ keeper }) => keeper)).size, 1);
      assert.equal(new Set(said.map(({ server }) => server)).size, 1);
      assert.deepEqual(
        [world.keepers().length, world.servers().length, world.log.events('start').length],
        [1, 1, round],
      );
      assert.deepEqual(
        said.map(({ count }) => Number(count)).sort((a, b) => a - b),
        Array.from({ length: starters }, (_, i) => i + 1),
      );
      await end();
      await world.client().end();
      await world.empty();
    }
  });

  it('is one however many of the program are started by themselves', async () => {
    mkdirSync(world.home, { mode: 0o700 });
    const args = [keeperProgram(), '--home', world.home, '--idle-seconds', '30'];
    const running = Array.from({ length: starters }, () => spawn(process.execPath, args, { stdio: 'ignore' }));
    const codes = running.map((child) => new Promise<number | null>((resolve) => child.once('exit', resolve)));
    const over: (number | null)[] = [];
    for (const code of codes) void code.then((ended) => over.push(ended));
    await eventually(() => over.length === starters - 1);
    assert.deepEqual([over, world.keepers().length], [Array.from({ length: starters - 1 }, () => 3), 1]);
    await world.client().end();
    await Promise.all(codes);
    assert.equal(over.at(-1), 0);
  });

  /** Looks at the servers until `work` is over; how many there were at most. */
  async function mostServers(work: Promise<unknown>): Promise<number> {
    let most = 0;
    let isOver = false;
    void work.finally(() => (isOver = true)).catch(() => undefined);
    const looking = eventually(() => {
      const starts = world.log.events('start').map(({ pid }) => pid);
      most = Math.max(most, starts.filter((pid) => findProcess(pid) !== undefined).length);
      return isOver;
    });
    await work;
    await looking;
    return most;
  }

  for (const [what, signal] of [
    ['was killed', 'SIGKILL'],
    ['hangs', 'SIGSTOP'],
  ] as const) {
    it(`is replaced when it ${what}, and never do two copies of a server run, ${rounds} times over [KEEP-4e]`, async () => {
      for (let round = 1; round <= rounds; round += 1) {
        const client = world.client();
        const one = await world.open({ client, fixture: 'stubborn', overrides: { tools: { library: ['count'] } } });
        assert.equal(await callText(one, 'count'), '1');
        const { pid } = (await world.descriptor())!.process;
        process.kill(pid, signal);
        // Another one that knows nothing of the first, as a second window would be.
        const again = world.open({
          client: world.client(),
          fixture: 'stubborn',
          overrides: { tools: { library: ['count'] } },
        });
        assert.equal(await mostServers(again), 1);
        const two = await again;
        assert.equal(await callText(two, 'count'), '1');
        assert.deepEqual([world.keepers().length, world.servers().length], [1, 1]);
        assert.notEqual((await world.descriptor())!.process.pid, pid);
        await two.close();
        await world.client().end();
        await world.empty();
      }
    });
  }

  it('is told to whoever held it, who finds the next one', async () => {
    const client = world.client();
    const one = await world.open({ client });
    const closed = new Promise((resolve) => one.onClose(resolve));
    process.kill(world.keepers()[0]!.pid, 'SIGKILL');
    assert.equal(((await closed) as { code: string }).code, 'connectionClosed');
    assert.equal(await callText(await world.open({ client }), 'count'), '1');
    assert.equal(world.servers().length, 1);
  });

  it('sees the end of a window that was killed, with its session [KEEP-4c]', async () => {
    const launch = JSON.stringify(world.launch());
    const window = spawn(process.execPath, [starter, world.home, keeperProgram(), launch], {
      stdio: ['pipe', 'pipe', 'inherit'],
    });
    await new Promise((resolve) => window.stdout.once('data', resolve));
    const client = world.client();
    const users = async (): Promise<unknown> => {
      const status = await client.status();
      return [status?.holds, status?.sessions, status?.servers[0]?.holds];
    };
    assert.deepEqual(await users(), [1, 1, 1]);
    window.kill('SIGKILL');
    await eventually(async () => JSON.stringify(await users()) === '[0,0,0]');
    assert.equal(world.servers().length, 1);
  });

  const forged: Readonly<Record<string, (file: string, descriptor: KeeperDescriptor) => void>> = {
    'is cut short': (file) => truncateSync(file, 40),
    'is empty': (file) => truncateSync(file, 0),
    'is huge': (file, descriptor) =>
      writeFileSync(file, JSON.stringify({ ...descriptor, padding: 'x'.repeat(1_000_000) })),
    'has a field too many': (file, descriptor) => writeFileSync(file, JSON.stringify({ ...descriptor, more: 1 })),
    'is readable by others': (file) => chmodSync(file, 0o644),
    'is a link': (file) => {
      renameSync(file, `${file}.moved`);
      symlinkSync(`${file}.moved`, file);
    },
    'is of another person': (file) => chownSync(file, 4_242, 4_242),
    'is a folder': (file) => {
      rmSync(file);
      mkdirSync(file);
    },
    'is of another start of the machine': (file, descriptor) =>
      writeFileSync(file, JSON.stringify({ ...descriptor, process: { ...descriptor.process, boot: 'another' } })),
    'is of another machine': (file, descriptor) =>
      writeFileSync(file, JSON.stringify({ ...descriptor, process: { ...descriptor.process, host: 'another' } })),
    'is of another container': (file, descriptor) =>
      writeFileSync(file, JSON.stringify({ ...descriptor, process: { ...descriptor.process, namespace: 'pid:[1]' } })),
    'is of a process whose number is another one’s by now': (file, descriptor) =>
      writeFileSync(file, JSON.stringify({ ...descriptor, process: { ...descriptor.process, start: '1' } })),
    'is gone': (file) => rmSync(file),
  };

  for (const [what, forge] of Object.entries(forged)) {
    it(`is not found by a file that ${what}, and where it lives, it says anew where it is [KEEP-4e]`, async function () {
      if (what === 'is of another person' && process.getuid?.() !== 0) this.skip();
      const one = await world.open();
      const file = await world.descriptorFile();
      const known = (await world.descriptor())!;
      forge(file, known);
      assert.equal(await findKeeper({ home: world.home, clock: systemClock() }), undefined);
      if (what === 'is a folder') rmSync(file, { recursive: true });
      const two = await world.open();
      assert.equal(two.negotiated.pid, one.negotiated.pid);
      assert.deepEqual([world.keepers().length, world.servers().length, world.log.events('start').length], [1, 1, 1]);
      assert.deepEqual(await world.descriptor(), known);
    });

    it(`is started anew where such a file was left: ${what} [KEEP-4e]`, async function () {
      if (what === 'is of another person' && process.getuid?.() !== 0) this.skip();
      await world.open();
      const known = (await world.descriptor())!;
      await world.client().end();
      const file = await world.descriptorFile();
      writeFileSync(file, JSON.stringify(known), { mode: 0o600 });
      forge(file, known);
      if (what === 'is a folder') {
        await assert.rejects(world.open(), { code: 'keeperFailed' });
        assert.deepEqual([world.keepers().length, world.servers().length], [0, 0]);
        return;
      }
      const next = await world.open();
      assert.equal(await callText(next, 'count'), '1');
      assert.deepEqual([world.keepers().length, world.servers().length], [1, 1]);
      assert.notEqual((await world.descriptor())!.token, known.token);
    });
  }

  it('is started anew where the file names a process that lives and is another program, which stays [KEEP-4e]', async () => {
    await world.open();
    const known = (await world.descriptor())!;
    await world.client().end();
    const other = spawn(process.execPath, ['-e', 'setInterval(() => 0, 1e6)'], { stdio: 'ignore' });
    const asked: unknown[] = [];
    const listener = createServer((request, response) => {
      asked.push(request.url);
      response.end('{}');
    });
    await new Promise<void>((resolve) => listener.listen(0, '127.0.0.1', resolve));
    try {
      const start = (await systemFacts.start(other.pid!))!.start;
      const url = `http://127.0.0.1:${(listener.address() as AddressInfo).port}`;
      const process_ = { ...(await ownIdentity()), pid: other.pid!, start };
      const named = { ...known, url, process: process_, socket: undefined };
      writeFileSync(await world.descriptorFile(), JSON.stringify(named), { mode: 0o600 });
      assert.equal(await callText(await world.open(), 'count'), '1');
      assert.notEqual(findProcess(other.pid!), undefined);
      assert.deepEqual(new Set(asked), new Set(['/keeper/status']));
    } finally {
      other.kill('SIGKILL');
      listener.close();
    }
  });

  it('is not started where another program is named as the holder of its lock, which is told and stays', async () => {
    await world.open();
    await world.client().end();
    const other = spawn(process.execPath, ['-e', 'setInterval(() => 0, 1e6)'], { stdio: 'ignore' });
    try {
      const holder = { ...(await ownIdentity()), pid: other.pid!, start: (await systemFacts.start(other.pid!))!.start };
      const lock = `${(await world.descriptorFile()).slice(0, -5)}.lock`;
      writeFileSync(lock, JSON.stringify({ ...holder, token: 'forged' }));
      await assert.rejects(world.open(), { code: 'keeperFailed' });
      assert.deepEqual([world.keepers().length, findProcess(other.pid!) === undefined], [0, false]);
    } finally {
      other.kill('SIGKILL');
    }
  });

  it('is not started, and says why, where the disk is full, and is when there is room again', async function () {
    mkdirSync(join(world.home, 'keeper'), { recursive: true, mode: 0o700 });
    const folder = join(world.home, 'keeper');
    if (spawnSync('mount', ['-t', 'tmpfs', '-o', 'size=16k,mode=0700', 'tmpfs', folder]).status !== 0) this.skip();
    try {
      const filler = join(folder, 'filler');
      assert.throws(() => writeFileSync(filler, Buffer.alloc(1_000_000)));
      await assert.rejects(world.open(), ({ code, data }: { code: string; data: { detail: string } }) => {
        assert.deepEqual([code, /full|space/i.test(data.detail)], ['keeperFailed', true]);
        return true;
      });
      assert.deepEqual([world.keepers().length, world.files()], [0, ['filler']]);
      rmSync(filler);
      assert.equal(await callText(await world.open(), 'count'), '1');
      await world.client().end();
    } finally {
      await world.empty().catch(() => undefined);
      spawnSync('umount', ['-l', folder]);
    }
  });

  it('is not started in a folder that is a link or of somebody else', async function () {
    mkdirSync(world.home, { mode: 0o700 });
    symlinkSync(programs.path, join(world.home, 'keeper'));
    await assert.rejects(world.open(), { code: 'keeperFailed' });
    assert.equal(world.keepers().length, 0);
  });

  it('of another wire is told apart, and left alone', async () => {
    await world.open();
    const known = (await world.descriptor())!;
    const file = await world.descriptorFile();
    writeFileSync(file, JSON.stringify({ ...known, wire: 2, build: 'of tomorrow' }));
    await assert.rejects(world.open(), ({ code, data }: { code: string; data: { build: string } }) => {
      assert.deepEqual([code, data.build], ['keeperDiffers', 'of tomorrow']);
      return true;
    });
    assert.equal(world.keepers().length, 1);
  });

  it('ends when its place is taken away under it, with all that it started', async () => {
    await world.open();
    rmSync(join(world.home, 'keeper'), { recursive: true });
    await world.empty(20_000);
  });

  describe('to whom anything is sent', () => {
    const launchBody = (changes: object = {}, top: object = {}): string =>
      JSON.stringify({
        key: 'user:fixture',
        file: '/mcp.json',
        launch: { ...world.launch(), ...changes },
        environment: {},
        roots: [],
        ...top,
      });
    const remote = {
      kind: 'remote',
      id: 'fixture',
      protocol: 'auto',
      timeouts: {},
      fingerprint: 'f',
      url: 'https://example.com',
      transport: 'auto',
      headers: {},
    };

    it('starts nothing for whoever lacks its token, or comes from a page [KEEP-4a]', async () => {
      await world.client().ensure();
      const place = (await world.descriptor())!;
      const requests: readonly (readonly [number, Record<string, string | undefined>])[] = [
        [401, { authorization: undefined }],
        [401, { authorization: 'Bearer wrong' }],
        [401, { authorization: `Bearer ${place.token.slice(0, -1)}` }],
        [403, { host: 'attacker.example' }],
        [403, { origin: 'https://attacker.example' }],
        [403, { origin: 'null' }],
        [415, { 'content-type': 'text/plain' }],
      ];
      for (const [status, headers] of requests) {
        for (const path of ['launch', 'stop', 'end', 'release']) {
          const answer = await openRaw(place, { path: `/keeper/${path}`, headers, body: launchBody() });
          assert.equal(answer.statusCode, status);
          answer.resume();
        }
      }
      assert.deepEqual([world.keepers().length, world.servers().length], [1, 0]);
      assert.equal(Buffer.from(place.token, 'base64url').length >= 16, true);
    });

    it('starts nothing that is no launch of a process here, and says nothing of what was sent [KEEP-4a]', async () => {
      await world.client().ensure();
      const place = (await world.descriptor())!;
      const bodies: readonly (readonly [number, string])[] = [
        [400, '{'],
        [400, '[]'],
        [400, launchBody({ secretly: 'sk-secret-value' })],
        [400, launchBody({ env: { A: 1 } })],
        [400, launchBody({ env: { 'A=B': 'sk-secret-value' } })],
        [400, launchBody({ command: '' })],
        [400, launchBody({ id: '../../etc' })],
        [400, launchBody({ args: Array.from({ length: 5_000 }, () => 'a') })],
        [400, launchBody({}, { more: 'sk-secret-value' })],
        [400, launchBody({}, { hold: 'not one' })],
        [400, JSON.stringify({ key: 'user:fixture', file: '/mcp.json', launch: remote, environment: {}, roots: [] })],
        [409, launchBody({}, { hold: '00000000-0000-4000-8000-000000000000' })],
      ];
      for (const [status, body] of bodies) {
        const answer = await openRaw(place, { path: '/keeper/launch', body });
        let text = '';
        for await (const part of answer) text += String(part);
        assert.deepEqual([status, answer.statusCode], [answer.statusCode, status], body.slice(0, 200));
        assert.equal(text.includes('sk-secret-value'), false);
      }
      const connection = await openSocket(place.url);
      const head = [`Host: ${new URL(place.url).host}`, `Authorization: Bearer ${place.token}`, 'Connection: close'];
      const huge = ['Content-Type: application/json', `Content-Length: ${11 * 1024 * 1024}`];
      connection.socket.write(['POST /keeper/launch HTTP/1.1', ...head, ...huge, '', ''].join('\r\n'));
      await connection.ended(20_000);
      assert.deepEqual(statusesIn(connection.text()), [413]);
      for (const [method, path, status] of [
        ['GET', 'launch', 404],
        ['POST', 'status', 404],
        ['DELETE', 'end', 404],
        ['POST', 'nothing', 404],
        ['GET', '../mcp', 404],
      ] as const) {
        const answer = await openRaw(place, {
          method,
          path: `/keeper/${path}`,
          ...(method === 'POST' && { body: '{}' }),
        });
        assert.equal(answer.statusCode, status, `${method} ${path}`);
        answer.resume();
      }
      assert.deepEqual([world.keepers().length, world.servers().length], [1, 0]);
      assert.equal(readFileSync(await world.descriptorFile(), 'utf8').includes(place.token), true);
    });
  });
});
