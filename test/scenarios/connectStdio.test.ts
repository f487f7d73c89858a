// Opening stdio servers in each protocol mode. How many processes there were, and what they were asked, comes from the
// log that the fixture itself writes.
import assert from 'node:assert/strict';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, it } from 'mocha';
import { openClient } from '../../src/core/connection/openClient.ts';
import type { LiveClient } from '../../src/core/connection/liveClient.ts';
import type { Problem } from '../../src/core/connection/state.ts';
import type { OpenOptions } from '../../src/core/connection/openOptions.ts';
import { VerdictCache } from '../../src/core/connection/verdictCache.ts';
import { ManagerError } from '../../src/core/errors.ts';
import { limits } from '../../src/core/limits.ts';
import type { StdioLaunch } from '../../src/core/transport/launch.ts';
import { eventually } from '../support/eventually.ts';
import { type FixtureLog, fixtureCommand, fixtureLog, type Overrides } from '../support/fixtureServer.ts';
import { ManualClock } from '../support/manualClock.ts';
import { type Opening, opening, stdioLaunch } from '../support/openOptions.ts';
import { patience } from '../support/patience.ts';
import { stillThere } from '../support/processTable.ts';
import { withDeadline } from '../support/withDeadline.ts';

const pin = '2026-07-28';

describe('opening a stdio server', () => {
  let log: FixtureLog;
  const clients: Pick<LiveClient, 'close'>[] = [];
  beforeEach(() => {
    log = fixtureLog();
  });
  afterEach(async () => {
    await Promise.all(clients.splice(0).map((client) => client.close()));
    assert.deepEqual(stillThere(log.events('start').map(({ pid }) => pid)), []);
    log.dispose();
  });

  const launchOf = (name: string, changes: Partial<StdioLaunch> = {}, overrides?: Overrides): StdioLaunch =>
    stdioLaunch(fixtureCommand(name, overrides, log), changes);
  const open = async (launch: StdioLaunch, options: OpenOptions = opening()): Promise<LiveClient> => {
    const client = await openClient(launch, options);
    const { clock } = options;
    clients.push({ close: () => (clock instanceof ManualClock ? clock.during(client.close()) : client.close()) });
    return client;
  };
  const failure = async (work: Promise<unknown>): Promise<ManagerError> => {
    const error: unknown = await work.then(
      () => assert.fail('it connected'),
      (reason: unknown) => reason,
    );
    assert.ok(error instanceof ManagerError, String(error));
    return error;
  };
  /** What each process was asked, in order of their starts. */
  const asked = (): string[][] =>
    log
      .events('start')
      .map(({ pid }) => log.events('request').flatMap((each) => (each.pid === pid ? [String(each['method'])] : [])));

  it('in legacy starts one process and sends no probe [CONN-1a, CONN-1d, CONN-2a, QUAL-18]', async () => {
    const client = await open(launchOf('basic-both'));
    assert.deepEqual(asked(), [['initialize']]);
    assert.deepEqual([client.negotiated.era, client.negotiated.revision], ['legacy', '2025-11-25']);
    assert.equal(client.negotiated.pid, log.events('start')[0]?.pid);
  });

  for (const protocol of ['auto', pin] as const) {
    it(`in ${protocol} asks a probe first, which is gone when the actual process starts [CONN-1d, CONN-2b, CONN-2d, CONN-2j]`, async () => {
      const client = await open(launchOf('basic-both', { protocol }));
      assert.deepEqual(asked(), [['server/discover'], ['server/discover']]);
      assert.deepEqual([client.negotiated.era, client.negotiated.revision], ['modern', pin]);
      const [probe, actual] = log.events('start');
      assert.equal(client.negotiated.pid, actual?.pid);
      const ended = log.events('exit').find(({ pid }) => pid === probe?.pid);
      assert.ok(ended !== undefined && actual !== undefined && ended.at <= actual.at, 'the probe ended first');
    });
  }

  it('waits for the end of a stubborn probe before it starts the actual process [CONN-2d]', async () => {
    await open(launchOf('stubborn', { protocol: 'auto' }));
    const [probe, actual] = log.events('start');
    const asked = log.events('signal').find(({ pid }) => pid === probe?.pid);
    assert.ok(asked !== undefined && actual !== undefined && asked.at <= actual.at, 'the probe was being ended');
  });

  for (const name of ['basic-legacy', 'exit-on-discover', 'garbage-on-discover', 'invalid-params-on-discover']) {
    const ends = name === 'exit-on-discover';
    it(`in auto takes ${name} for legacy and starts it anew [CONN-2b, CONN-15a]`, async () => {
      const client = await open(launchOf(name, { protocol: 'auto' }));
      assert.equal(client.negotiated.era, 'legacy');
      assert.deepEqual(asked(), [['server/discover'], ['initialize']]);
    });

    it(`pinned does not start ${name} after its probe [CONN-2f]`, async () => {
      const error = await failure(open(launchOf(name, { protocol: pin })));
      assert.equal(error.code, ends ? 'exitedAtStart' : 'eraUnsupported');
      assert.equal(error.data[ends ? 'probed' : 'wanted'], pin);
      assert.deepEqual(asked(), [['server/discover']]);
    });
  }

  it('in auto takes a silent server for legacy after five seconds [CONN-2c]', async () => {
    const from = performance.now();
    const client = await open(launchOf('silent-on-discover', { protocol: 'auto' }));
    // Only the least time is asked for: a busy machine makes it longer.
    assert.ok(performance.now() - from >= 4_950);
    assert.equal(client.negotiated.era, 'legacy');
    assert.deepEqual(asked(), [['server/discover'], ['initialize']]);
  });

  describe('that is slower to start than a probe waits', () => {
    const slow = (): Overrides => ({
      process: { slowStart: { first: 600_000, later: 0 }, marker: join(log.folder, 'marker') },
    });

    it('in auto starts it as legacy, and once more as modern where it refuses that [CONN-2b, CONN-2c]', async () => {
      const verdicts = new VerdictCache(opening().clock);
      const launch = launchOf('small-modern', { protocol: 'auto' }, slow());
      const client = await open(launch, opening({ verdicts }));
      assert.equal(client.negotiated.era, 'modern');
      assert.deepEqual(asked().slice(1), [['initialize'], ['server/discover']]);
      assert.equal(verdicts.get(launch.fingerprint), undefined);
    });

    it('pinned says that the probe was not answered, not that the protocol is not spoken [CONN-2f]', async () => {
      const error = await failure(open(launchOf('small-modern', { protocol: pin }, slow())));
      assert.deepEqual([error.code, error.data['wanted'], error.data['seconds']], ['eraProbeSilent', pin, 5]);
      assert.equal(log.events('start').length, 1);
    });

    it('in auto does not keep silence as a verdict [CONN-2g]', async () => {
      const verdicts = new VerdictCache(opening().clock);
      const launch = launchOf('silent-on-discover', { protocol: 'auto' });
      assert.equal((await open(launch, opening({ verdicts }))).negotiated.era, 'legacy');
      assert.equal(verdicts.get(launch.fingerprint), undefined);
    });
  });

  it('says that a modern server is not legacy', async () => {
    const error = await failure(open(launchOf('basic-modern')));
    assert.deepEqual([error.code, error.data['wanted']], ['eraUnsupported', 'legacy']);
  });

  it('gives the probe the same command, args, cwd and env, and nobody its stderr [CONN-2b, CONN-2e]', async () => {
    const options = opening();
    const script = [
      'const out = (line) => process.stdout.write(JSON.stringify(line) + "\\n");',
      'process.stderr.write(`${process.argv[1]} ${process.cwd()} ${process.env.MINE} ${process.pid}\\n`);',
      'require("fs").appendFileSync(process.env.RECORD, `${process.argv[1]} ${process.cwd()} ${process.env.MINE} ${process.pid}\\n`);',
      'require("readline").createInterface({ input: process.stdin }).on("line", (line) => {',
      '  const { id, method } = JSON.parse(line);',
      '  if (method === "server/discover") out({ jsonrpc: "2.0", id, error: { code: -32601, message: "no" } });',
      '  if (method === "initialize") out({ jsonrpc: "2.0", id, result: { protocolVersion: "2025-11-25", capabilities: {}, serverInfo: { name: "s", version: "1" } } });',
      '});',
    ].join('\n');
    const launch = stdioLaunch(
      { command: process.execPath, args: ['-e', script, 'argument'] },
      { protocol: 'auto', env: { MINE: 'value', RECORD: join(log.folder, 'record') }, cwd: log.folder },
    );
    const client = await open(launch, options);
    const { readFileSync } = await import('node:fs');
    const lines = readFileSync(join(log.folder, 'record'), 'utf8').trim().split('\n');
    assert.equal(lines.length, 2);
    const [probe, actual] = lines.map((line) => line.split(' '));
    assert.deepEqual(probe?.slice(0, -1), actual?.slice(0, -1));
    assert.deepEqual(actual?.at(-1), String(client.negotiated.pid));
    await eventually(() => options.stderr.length > 0, patience, 'a line on stderr');
    assert.deepEqual(options.stderr, [lines[1]]);
  });

  describe('with a kept verdict', () => {
    it('starts one process, asks no probe, in both eras, and still an answer of this process [CONN-2g, CONN-2j, QUAL-18]', async () => {
      for (const [name, question] of [
        ['basic-both', 'server/discover'],
        ['basic-legacy', 'initialize'],
      ] as const) {
        const options = opening();
        const launch = launchOf(name, { protocol: 'auto' });
        const first = await open(launch, options);
        const second = await open(launch, options);
        assert.deepEqual(asked().slice(-1), [[question]]);
        assert.equal(second.negotiated.era, first.negotiated.era);
      }
      assert.equal(log.events('start').length, 6);
    });

    it('never serves the pin [CONN-2g]', async () => {
      const options = opening();
      await open(launchOf('basic-both', { protocol: 'auto' }), options);
      await open(launchOf('basic-both', { protocol: pin }), options);
      assert.equal(log.events('start').length, 4);
    });

    it('asks again after 24 hours [CONN-2h]', async () => {
      const clock = new ManualClock();
      const verdicts = new VerdictCache(clock);
      const launch = launchOf('basic-both', { protocol: 'auto' });
      await open(launch, opening({ verdicts }));
      clock.advance(limits.probe.verdictLifetime - 1);
      await open(launch, opening({ verdicts }));
      assert.equal(log.events('start').length, 3);
      clock.advance(1);
      await open(launch, opening({ verdicts }));
      assert.equal(log.events('start').length, 5);
    });

    it('is forgotten when nothing can be said for it any more [CONN-2i]', async () => {
      const options = opening();
      await open(launchOf('basic-both', { protocol: 'auto' }), options);
      await failure(open(launchOf('exit-at-start', { protocol: 'auto' }), options));
      const before = log.events('start').length;
      await open(launchOf('basic-legacy', { protocol: 'auto' }), options);
      assert.equal(log.events('start').length - before, 2);
    });

    for (const [was, is, era, again] of [
      ['basic-both', 'basic-legacy', 'legacy', 1],
      ['basic-both', 'exit-on-discover', 'legacy', 1],
      // Silence is no verdict to keep: it is probed again.
      ['basic-both', 'silent-on-discover', 'legacy', 2],
      ['basic-legacy', 'basic-modern', 'modern', 1],
    ] as const) {
      it(`corrects itself when ${was} has become ${is} [CONN-2i, CONN-2j]`, async () => {
        const options = opening();
        await open(launchOf(was, { protocol: 'auto' }), options);
        const changed = await open(launchOf(is, { protocol: 'auto' }), options);
        assert.equal(changed.negotiated.era, era);
        assert.equal(log.events('start').length, 2 + 3);
        await open(launchOf(is, { protocol: 'auto' }), options);
        assert.equal(log.events('start').length, 2 + 3 + again);
      });
    }
  });

  it('fails at once with code and last lines when the process ends first [CONN-4e]', async () => {
    const error = await failure(open(launchOf('exit-at-start')));
    assert.deepEqual([error.code, error.data['exitCode']], ['exitedAtStart', 1]);
    assert.ok(error.stderr?.includes('Error: Cannot find configuration'));
  });

  for (const protocol of ['legacy', pin] as const) {
    const script = (text: string): StdioLaunch =>
      stdioLaunch({ command: process.execPath, args: ['-e', text] }, { protocol });

    it(`in ${protocol} tells the exit and the last lines of a process that dies instead of answering [CONN-10b, CONN-2e]`, async () => {
      const options = opening();
      const broken = await failure(open(script('require("no-such-module")'), options));
      assert.deepEqual([broken.code, broken.data['exitCode']], ['exitedAtStart', 1]);
      assert.ok(broken.stderr?.some((line) => line.includes('MODULE_NOT_FOUND')));
      assert.equal(options.stderr.length > 0, protocol === 'legacy', 'what a probe says is not the server’s');
      for (const code of [0, 3]) {
        const error = await failure(open(script(`process.exit(${code})`)));
        assert.deepEqual([error.code, error.data['exit']], ['exitedAtStart', `code ${code}`]);
      }
    });

    it(`in ${protocol} says that a process closed its stdout and lived on, and not that our signal ended it`, async () => {
      for (const life of ['', 'process.stdin.on("end", () => process.exit(0)).resume();']) {
        const text = `require("fs").closeSync(1); process.stderr.write("mute"); ${life} setInterval(() => {}, 1000)`;
        const error = await failure(open(script(text)));
        assert.deepEqual([error.code, error.data['exit']], ['exitedAtStart', 'it closed its stdout']);
        assert.deepEqual([error.data['signal'], error.data['exitCode']], [undefined, undefined]);
        assert.deepEqual(error.stderr, ['mute']);
      }
    });
  }

  it('tells what a server closed that is ended for it after it was ready', async () => {
    for (const [closed, how] of [
      ['stdout', 'fs.closeSync(1)'],
      ['stdin', 'fs.closeSync(0)'],
    ]) {
      const text = [
        'const fs = require("fs"); setInterval(() => {}, 1000);',
        'let input = ""; const chunk = Buffer.alloc(65536);',
        'while (!input.includes("\\n")) input += chunk.toString("utf8", 0, fs.readSync(0, chunk));',
        'const { id } = JSON.parse(input.split("\\n")[0]);',
        'fs.writeSync(1, JSON.stringify({ jsonrpc: "2.0", id, result: { protocolVersion: "2025-11-25", capabilities: {}, serverInfo: { name: "s", version: "1" } } }) + "\\n");',
        'while (!input.includes("notifications/x")) input += chunk.toString("utf8", 0, fs.readSync(0, chunk));',
        `${how};`,
      ].join('\n');
      const client = await open(stdioLaunch({ command: process.execPath, args: ['-e', text] }));
      const ended = new Promise<Problem | undefined>((resolve) => client.onClose(resolve));
      const asking = setInterval(() => void client.notify('notifications/x').catch(() => undefined), 20);
      const problem = await withDeadline(ended, patience, 'the end').finally(() => clearInterval(asking));
      assert.deepEqual(problem, {
        code: 'processExited',
        data: { server: 'fixture', exit: `it closed its ${closed}` },
        stderr: [],
      });
    }
  });

  it('says which command was not found, whatever the protocol', async () => {
    for (const protocol of ['legacy', 'auto', pin] as const) {
      const error = await failure(open(stdioLaunch({ command: 'no-such-command-here', args: [] }, { protocol })));
      assert.deepEqual([error.code, error.data['command']], ['commandNotFound', 'no-such-command-here']);
    }
  });

  it('names a revision that it does not know', async () => {
    const error = await failure(open(launchOf('unknown-revision')));
    assert.equal(error.code, 'protocolVersionUnsupported');
    assert.notEqual(error.data['found'], undefined);
  });

  it('passes on the error that initialize was answered with', async () => {
    const error = await failure(open(launchOf('initialize-fails')));
    assert.equal(error.code, 'protocolError');
    assert.equal(typeof error.data['number'], 'number');
  });

  it('gives up after timeouts.connect and leaves nothing [CONN-4e, CONN-6i]', async () => {
    const error = await failure(open(launchOf('silent', { timeouts: { connect: 300 } })));
    assert.deepEqual([error.code, error.data['seconds']], ['connectTimeout', 0.3]);
  });

  it('gets more time while its launcher installs, and tells so [CONN-6c]', async () => {
    const clock = new ManualClock();
    const options = opening({ clock });
    const command = fixtureCommand('slow-first-start-uv', { process: { marker: join(log.folder, 'marker') } }, log);
    const { writeFileSync } = await import('node:fs');
    const uvx = join(log.folder, 'uvx');
    const quoted = [command.command, ...command.args].map((part) => `'${part}'`).join(' ');
    writeFileSync(uvx, `#!/bin/sh\nexec ${quoted}\n`, { mode: 0o755 });
    const opened = open(
      stdioLaunch({ command: uvx, args: ['fixture-server'] }, { timeouts: { connect: 1_000 } }),
      options,
    );
    await eventually(() => options.installing.length > 0, patience, 'a line about the installation');
    clock.advance(1_000);
    const client = await opened;
    assert.equal(client.negotiated.era, 'legacy');
    assert.ok(
      options.installing.some((detail) => detail.includes('Downloading')),
      options.installing.join(),
    );
  });

  for (const [moment, name, protocol] of [
    ['a probe', 'silent-on-discover', 'auto'],
    ['a pinned probe', 'silent-on-discover', pin],
    ['a handshake', 'silent', 'legacy'],
  ] as const) {
    it(`can be aborted in the middle of ${moment} and leaves nothing [CONN-4c, CONN-4d, CONN-4e]`, async () => {
      const options: Opening = opening();
      const attempt = failure(open(launchOf(name, { protocol }), options));
      await eventually(() => asked()[0]?.length === 1, patience, 'the first question');
      options.controller.abort();
      const error = await withDeadline(attempt, patience, 'the end of the attempt');
      assert.equal(error.code, 'cancelled');
      assert.equal(log.events('start').length, 1);
      assert.deepEqual(stillThere(log.events('start').map(({ pid }) => pid)), []);
    });
  }

  it('does not start when it was aborted before', async () => {
    const options = opening();
    options.controller.abort();
    assert.equal((await failure(open(launchOf('basic-both'), options))).code, 'cancelled');
    assert.equal(log.events('start').length, 0);
  });

  it('tells when the process ends later, once, with code and last lines', async () => {
    const client = await open(launchOf('crashes-on-call'));
    const ends: unknown[] = [];
    client.onClose((problem) => ends.push(problem));
    const error = await failure(client.request('tools/call', { name: 'crash', arguments: {} }, { kind: 'call' }));
    assert.deepEqual([error.code, error.outcome], ['processExited', 'unknown']);
    const late = await failure(client.request('tools/list', {}, { kind: 'list' }));
    assert.deepEqual([late.code, late.outcome], ['processExited', 'notSent']);
    await client.close();
    assert.equal(ends.length, 1);
    assert.equal((ends[0] as { code: string }).code, 'processExited');
  });

  it('does not miss an end in the moment of connecting', async () => {
    const code = await openClient(launchOf('exit-after-initialize'), opening()).then(
      async (client) => {
        clients.push(client);
        const problem = await withDeadline(
          new Promise<Problem | undefined>((resolve) => client.onClose(resolve)),
          patience,
          'the end',
        );
        return problem?.data['exitCode'];
      },
      (error: unknown) => (error as ManagerError).data['exitCode'],
    );
    assert.equal(code, 4);
  });

  it('offers the folders as roots [CONN-14a]', async () => {
    const roots = [{ uri: 'file:///work', name: 'work' }];
    const client = await open(launchOf('asks'), opening({ handlers: { roots: () => roots } }));
    const result = await client.request('tools/call', { name: 'ask_roots', arguments: {} }, { kind: 'call' });
    assert.ok(JSON.stringify(result).includes('file:///work'));
  });
});
