import assert from 'node:assert/strict';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, before, describe, it } from 'mocha';
import { wordsOf } from '../../src/cli/output/words.ts';
import { problemOf } from '../../src/core/connection/failureState.ts';
import { limits } from '../../src/core/limits.ts';
import { transportErrorCode } from '../../src/core/transport/transportError.ts';
import { eventually } from '../support/eventually.ts';
import { fixtureCommand } from '../support/fixtureServer.ts';
import { patience } from '../support/patience.ts';
import { hasProcessTable, ownZombies } from '../support/processTable.ts';
import { inlineServer, RawStdio } from '../support/rawStdio.ts';
import { slowClock } from '../support/slowClock.ts';

const open: RawStdio[] = [];

async function started(...args: ConstructorParameters<typeof RawStdio>): Promise<RawStdio> {
  const server = new RawStdio(...args);
  open.push(server);
  return server.start();
}

describe('The streams of a stdio server', () => {
  after(() => Promise.all(open.map((server) => server.transport.close())));

  it('count noise before and between answers and deliver every answer [CONN-9a]', async () => {
    const server = await started(fixtureCommand('noise-legacy'));
    await server.ask('initialize', {
      protocolVersion: '2025-11-25',
      capabilities: {},
      clientInfo: { name: 't', version: '1' },
    });
    const { result } = await server.ask('tools/list');
    assert.ok(Array.isArray(result?.['tools']));
    assert.equal(server.transport.noiseCount % 6, 0);
    assert.ok(server.transport.noiseCount >= 12);
    assert.deepEqual(server.noise.slice(0, 3), ['hello', '', '==== Banner v1.0 ====']);
    assert.equal(server.transport.exit, undefined);
  });

  it('wait for whoever starts a process that was begun ahead', async () => {
    const said = JSON.stringify({ jsonrpc: '2.0', method: 'notifications/message', params: {} });
    const script = `process.stdout.write('${said}\\n', () => process.stderr.write('said\\n')); setInterval(() => 0, 1000);`;
    const server = new RawStdio(inlineServer(script));
    open.push(server);
    await server.transport.begin();
    await eventually(() => server.stderr.includes('said'), patience, 'the end of what it says');
    assert.deepEqual(server.events, []);
    await server.start();
    await eventually(() => server.events.includes('message'), patience, 'what it said before');
  });

  it('of a process that was begun ahead and has ended meanwhile are told to be closed', async () => {
    const server = new RawStdio(inlineServer(''));
    await server.transport.begin();
    await server.closed;
    await assert.rejects(server.start(), { code: 'connectionClosed', outcome: 'notSent' });
  });

  it('tell of a flood of noise ever more rarely, with the true count [CONN-9a]', async () => {
    const server = await started(inlineServer(`for (let i = 0; i < 5000; i += 1) line('noise ' + i); answer(1);`));
    await eventually(() => server.events.includes('message'));
    assert.equal(server.transport.noiseCount, 5000);
    assert.ok(server.noise.length >= 20 && server.noise.length < 40, String(server.noise.length));
  });

  it('deliver characters whole that were split over writes [CONN-9b]', async () => {
    const server = await started(fixtureCommand('split-characters'));
    await server.ask('initialize', {
      protocolVersion: '2025-11-25',
      capabilities: {},
      clientInfo: { name: 't', version: '1' },
    });
    const answer = JSON.stringify(await server.call('echo', { text: '≤ 😀 ä' }));
    assert.ok(answer.includes('≤ 😀 ä'), answer);
    assert.equal(server.transport.noiseCount, 0);
  });

  it('take lines that end in CR LF', async () => {
    const server = await started(fixtureCommand('crlf'));
    await server.ask('initialize', {
      protocolVersion: '2025-11-25',
      capabilities: {},
      clientInfo: { name: 't', version: '1' },
    });
    assert.equal(server.transport.noiseCount, 0);
  });

  it('deliver a frame of 30 MiB, and one of exactly the limit [CONN-9c]', async () => {
    const script = `onRequest(({ id, params }) => {
      const frame = { jsonrpc: '2.0', id, result: { text: '' } };
      frame.result.text = 'x'.repeat(params.size - JSON.stringify(frame).length);
      line(JSON.stringify(frame));
    });`;
    const server = await started(inlineServer(script));
    for (const size of [30 * 1024 * 1024, limits.stdio.frame]) {
      const answer = await server.ask('x', { size });
      const text = answer.result?.['text'] as string;
      assert.ok(size - text.length < 100 && text.endsWith('x'));
    }
  });

  for (const [where, frame] of [
    ['first', `{"jsonrpc":"2.0","id":ID,"result":{"text":"TEXT"}}`],
    ['last', `{"result":{"text":"TEXT"},"jsonrpc":"2.0","id":ID}`],
  ] as const) {
    it(`fail the one call whose frame is above the limit, its id ${where}, and serve the next [CONN-9d]`, async () => {
      const script = `
        const text = 'x'.repeat(${limits.stdio.frame});
        onRequest(({ id, method }) => {
          if (method === 'big') line(${JSON.stringify(frame)}.replace('ID', id).replace('TEXT', text));
          else answer(id, { method });
        });`;
      const server = await started(inlineServer(script));
      const [big, small] = await Promise.all([server.ask('big'), server.ask('small')]);
      assert.equal(transportErrorCode(big.error!), 'frameTooLarge');
      assert.deepEqual(small.result, { method: 'small' });
      assert.equal(server.transport.exit, undefined);
    });
  }

  it('deliver what was written just before the end, although a grandchild holds the pipe', async () => {
    // Larger than what a pipe holds: its end is still unread when the exit is known.
    const script = `
      const { spawn } = require('node:child_process');
      spawn('sleep', ['300'], { stdio: ['ignore', 'inherit', 'inherit'] });
      onRequest(({ id }) => {
        process.stderr.write('last words\\n');
        const frame = JSON.stringify({ jsonrpc: '2.0', id, result: { text: 'x'.repeat(4 * 1024 * 1024) } });
        const bytes = Buffer.from(frame + '\\n');
        // Not by process.stdout, which gives up what was not taken yet at the exit.
        for (let at = 0; at < bytes.length; ) at += require('node:fs').writeSync(1, bytes, at);
        process.exit(7);
      });`;
    // However late the rest is read, the drain waits for it.
    const server = await started(inlineServer(script), {}, { clock: slowClock(5) });
    assert.equal(String((await server.ask('x')).result?.['text']).length, 4 * 1024 * 1024);
    await server.closed;
    assert.deepEqual(server.events, ['message', 'exit', 'close']);
    assert.deepEqual(server.transport.exit, { code: 7, signal: null });
    assert.deepEqual(server.transport.stderrTail(), ['last words']);
  });

  it('end with the process although a grandchild keeps writing into the pipe', async () => {
    const script = `
      require('node:child_process').spawn('sh', ['-c', 'while :; do echo noise; sleep 0.01; done'],
        { stdio: ['ignore', 'inherit', 'inherit'], detached: true });
      setTimeout(() => process.exit(5), 100);`;
    const server = await started(inlineServer(script));
    await server.closed;
    assert.deepEqual(server.transport.exit, { code: 5, signal: null });
  });

  it('end where the server closes its stdout and stays', async () => {
    const script = `answer(0); process.stdin.resume(); setInterval(() => {}, 1000); process.stdout.end(() => require('node:fs').closeSync(1));`;
    const server = await started(inlineServer(script));
    await server.closed;
    assert.ok(server.transport.exit);
  });

  it('let no send hang when the server dies without reading', async () => {
    const server = await started(inlineServer(`setTimeout(() => process.exit(1), 300);`));
    const warnings: Error[] = [];
    const listen = (warning: Error): void => void warnings.push(warning);
    process.on('warning', listen);
    const big = { jsonrpc: '2.0', method: 'x', params: { text: 'x'.repeat(100_000) } } as never;
    const sends = await Promise.allSettled(Array.from({ length: 100 }, () => server.transport.send(big)));
    process.off('warning', listen);
    const failed = sends.filter((send) => send.status === 'rejected');
    assert.ok(failed.length > 0);
    assert.ok(failed.every(({ reason }) => (reason as { code?: string }).code === 'connectionClosed'));
    await assert.rejects(server.transport.send(big), { code: 'connectionClosed', outcome: 'notSent' });
    assert.deepEqual(warnings, []);
  });

  it('take no more from a server that asks without end and reads no answer, and go on when it reads', async () => {
    const script = `
      // Node's own stdout would block the whole process while nobody reads it.
      const out = new (require('node:net').Socket)({ fd: 1, readable: false, writable: true });
      let asked = 0;
      let flooding = true;
      const flood = () => {
        if (!flooding || asked >= 2_000_000) return;
        let text = '';
        for (let count = 0; count < 1000; count += 1) text += '{"jsonrpc":"2.0","id":' + ++asked + ',"method":"ping"}\\n';
        out.write(text, flood);
      };
      process.on('SIGUSR2', () => {
        flooding = false;
        let read = 0;
        process.stdin.on('data', (chunk) => {
          for (const byte of chunk) read += byte === 10 ? 1 : 0;
          if (read === asked) out.write('{"jsonrpc":"2.0","method":"done"}\\n');
        });
      });
      flood();`;
    const server = await started(inlineServer(script));
    let asked = 0;
    let done = false;
    server.transport.onmessage = (message) => {
      if ('method' in message && message.method === 'done') done = true;
      else if ('id' in message && message.id !== undefined) {
        asked += 1;
        server.transport.send({ jsonrpc: '2.0', id: message.id, result: {} }).catch(() => undefined);
      }
    };
    const most = limits.stdio.unreadAnswers / limits.stdio.perAnswer;
    let before = -1;
    let still = 0;
    await eventually(
      () => {
        still = asked === before ? still + 1 : 0;
        before = asked;
        // Looks are 10 ms apart: a second in which nothing more was read.
        return asked > most / 2 && still >= 100;
      },
      patience,
      'the end of the reading',
    );
    assert.ok(asked < 2 * most + 5_000, `${asked} requests were read`);
    process.kill(server.transport.pid ?? 0, 'SIGUSR2');
    await eventually(() => done, patience, 'all answers');
  });

  it('go on reading however much the server leaves unread of what we ask', async () => {
    const script = `setInterval(() => line('{"jsonrpc":"2.0","method":"tick"}'), 20);`;
    const server = await started(inlineServer(script));
    const big = {
      jsonrpc: '2.0',
      id: 1,
      method: 'x',
      params: { text: 'x'.repeat(limits.stdio.unreadAnswers) },
    } as never;
    server.transport.send(big).catch(() => undefined);
    server.transport.send(big).catch(() => undefined);
    const before = server.events.length;
    await eventually(() => server.events.length > before + 10, patience, 'more of its messages');
  });

  it('deliver nothing once they are closed, whatever the server still says', async () => {
    const script = `process.stdin.on('end', () => { answer(1); process.stderr.write('said it\\n'); }).resume(); answer(0);`;
    const server = await started(inlineServer(script));
    await eventually(() => server.events.includes('message'));
    await server.transport.close();
    assert.deepEqual(server.stderr, ['said it']);
    assert.deepEqual(
      server.events.filter((event) => event === 'message'),
      ['message'],
    );
  });

  it('outlive a listener that throws, and tell of it', async () => {
    const server = await started(inlineServer(`onRequest(({ id }) => answer(id));`));
    const hear = server.transport.onmessage;
    let thrown = false;
    server.transport.onmessage = (message) => {
      if (!thrown) {
        thrown = true;
        throw new Error('of the listener');
      }
      hear?.(message);
    };
    server.ask('first').catch(() => undefined);
    await server.ask('second');
    assert.deepEqual(
      server.errors.map(({ message }) => message),
      ['of the listener'],
    );
    assert.equal(server.transport.exit, undefined);
    assert.deepEqual(server.events, ['message']);
  });

  it('let no send hang when it is closed while the server does not read', async () => {
    const server = await started(fixtureCommand('stubborn', { process: { ignoreStdinEnd: true } }));
    process.kill(server.transport.pid!, 'SIGSTOP');
    const big = { jsonrpc: '2.0', method: 'x', params: { text: 'x'.repeat(5_000_000) } } as const;
    const sending = server.transport.send(big);
    const closing = server.transport.close();
    await assert.rejects(sending, { code: 'connectionClosed', outcome: 'unknown' });
    assert.equal(server.transport.exit, undefined, 'not only at its end');
    await closing;
  });

  it('keep a bounded tail of stderr, of the last ten lines [CONN-10a, CONN-10b]', async () => {
    const server = await started(fixtureCommand('stderr-lines'));
    await eventually(() => server.stderr.length === 12);
    assert.deepEqual(
      server.transport.stderrTail(),
      Array.from({ length: 10 }, (_, i) => `line ${i + 3}`),
    );
  });

  it('hide secrets in the lines of stderr and cut long ones [CONN-10b]', async () => {
    const script = `process.stderr.write('key is ' + process.env.MY_KEY + '\\n' + 'y'.repeat(5000) + '\\n', () => process.exit(3));`;
    const server = await started(inlineServer(script), { env: { MY_KEY: 'canary-0123' } });
    await server.closed;
    const [first, second] = server.transport.stderrTail();
    assert.equal(first, 'key is [redacted]');
    assert.equal(second?.length, limits.stdio.errorLine);
    assert.ok(!JSON.stringify(server.stderr).includes('canary'));
  });

  it('read stderr however much comes, so that the server never stops at it [CONN-10a]', async () => {
    const server = await started(fixtureCommand('stderr-flood'));
    const { result } = await server.ask('initialize', {
      protocolVersion: '2025-11-25',
      capabilities: {},
      clientInfo: { name: 't', version: '1' },
    });
    assert.ok(result);
  });
});

describe('The start of a stdio server', () => {
  const fails = (...args: ConstructorParameters<typeof RawStdio>): Promise<unknown> => {
    const server = new RawStdio(...args);
    return server.start().then(
      () => assert.fail('it started'),
      (error: unknown) => error,
    );
  };

  it('says which command was not found, and where it was looked for', async () => {
    const environment = { base: { PATH: '/nowhere:/usr/bin' }, inherit: [] };
    assert.deepEqual(
      { ...((await fails({ command: 'no-such-program', args: [] }, {}, { environment })) as object) },
      {
        name: 'ManagerError',
        code: 'commandNotFound',
        data: { server: 'fixture', command: 'no-such-program', path: '/nowhere, /usr/bin' },
        outcome: 'notSent',
        stderr: undefined,
      },
    );
  });

  it('tells a missing folder from a missing command', async () => {
    const error = await fails({ command: 'node', args: [] }, { cwd: '/no/such/folder' });
    assert.deepEqual(Object.entries(error as object).find(([name]) => name === 'code')?.[1], 'workingDirectoryMissing');
  });

  it('tells a folder, a file that is not executable, and one whose interpreter is missing apart', async () => {
    const folder = mkdtempSync(join(tmpdir(), 'stdio-'));
    try {
      const told = async (command: string): Promise<string> => {
        const { message } = wordsOf(problemOf(await fails({ command, args: [] })));
        return message.replaceAll(folder, '');
      };
      for (const mode of [0o644, 0o755]) {
        writeFileSync(join(folder, `script-${mode}`), '#!/no/such/interpreter\n', { mode });
      }
      assert.equal(await told(`${folder}/`), 'The command of server "fixture" is a folder: .');
      assert.equal(
        await told(`${folder}/script-420`),
        'The command of server "fixture" is a file that cannot be run: /script-420.',
      );
      assert.equal(
        await told(`${folder}/script-493`),
        'Server "fixture" could not be started: /script-493 names an interpreter or a loader that does not exist.',
      );
    } finally {
      rmSync(folder, { recursive: true });
    }
  });

  it('keeps the values of arguments out of its errors', async () => {
    const folder = mkdtempSync(join(tmpdir(), 'stdio-'));
    try {
      const command = join(folder, 'script');
      writeFileSync(command, '#!/no/such/interpreter\n', { mode: 0o755 });
      for (const args of [['canary-argument'], ['canary-argument', 'x'.repeat(3_000_000)]]) {
        const error = await fails({ command, args });
        assert.equal((error as { code: string }).code, 'spawnFailed');
        assert.ok(!inspected(error).includes('canary-argument'));
      }
    } finally {
      rmSync(folder, { recursive: true });
    }
  });
});

describe('The environment of a stdio server', () => {
  it('is the allow list, the inherited names and its own variables [CONN-7b, CONN-7c, CONN-7d, CONN-7e]', async () => {
    const base = {
      ...{ PATH: process.env['PATH'], HOME: '/home/x', LC_ALL: 'C', XDG_DATA_HOME: '/x', HTTPS_PROXY: 'http://proxy' },
      ...{ VSCODE_IPC_HOOK: 'v', ELECTRON_RUN_AS_NODE: '1', ROUNDHOUSE_TOKEN: 't', AWS_SECRET_ACCESS_KEY: 'k' },
    };
    const inherit = ['HTTPS_PROXY', 'VSCODE_IPC_HOOK', 'ROUNDHOUSE_TOKEN'];
    const server = new RawStdio(
      inlineServer('onRequest(({ id }) => answer(id, process.env));'),
      { env: { OWN: 'o', HOME: '/home/own' } },
      { environment: { base, inherit } },
    );
    await server.start();
    const { result } = await server.ask('x');
    await server.transport.close();
    const { ROUNDHOUSE_TREE: mark, ...rest }: Record<string, unknown> = result ?? {};
    delete rest['NODE_V8_COVERAGE']; // Node itself hands it on, under `npm run coverage`.
    assert.deepEqual(rest, {
      ...{ PATH: process.env['PATH'], HOME: '/home/own', LC_ALL: 'C', XDG_DATA_HOME: '/x' },
      ...{ HTTPS_PROXY: 'http://proxy', OWN: 'o' },
    });
    assert.match(String(mark), new RegExp(`^${process.pid}\\.\\d+\\.\\d+\\.[0-9a-f-]{36}$`));
  });
});

describe('A launcher that installs', () => {
  before(function () {
    if (!hasProcessTable) this.skip();
  });

  it('is told by its lines, and no longer once the server has spoken', async () => {
    const notice = 'npm warn exec The following package was not found and will be installed: a@1';
    const script = `
      const say = () => console.error('${notice}');
      say();
      onRequest(({ id, method }) => { if (method === 'say') say(); answer(id); });`;
    const server = await started(inlineServer(script));
    await eventually(() => server.stderr.length === 1);
    await server.ask('speak'); // Its answer is here before the next line is asked for: the two streams have no order.
    await server.ask('say');
    await eventually(() => server.stderr.length === 2);
    assert.deepEqual(server.installing, [`node: ${notice}`]);
  });
});

function inspected(error: unknown): string {
  const parts: unknown[] = [];
  for (let link = error; link instanceof Error; link = link.cause) {
    parts.push(link.message, link.stack, Object.entries(link));
  }
  return JSON.stringify(parts);
}

describe('After these scenarios', () => {
  it('nothing of them is left', async () => {
    await Promise.all(open.map((server) => server.transport.close()));
    if (!hasProcessTable) return;
    await eventually(() => ownZombies().length === 0, patience, 'the collection of every child');
  });
});
