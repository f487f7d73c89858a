import assert from 'node:assert/strict';
import { describe, it } from 'mocha';
import { runCall } from '../../../../src/cli/commands/call.ts';
import { UsageError } from '../../../../src/cli/host.ts';
import type { JsonObject } from '../../../../src/contract/json.ts';
import { ManagerError } from '../../../../src/core/errors.ts';
import { fakeHost } from '../../../support/fakeHost.ts';
import { fakeServers } from '../../../support/fakeServers.ts';
import { snapshotOf } from '../../../support/snapshotOf.ts';

describe('call', () => {
  it('calls the tool with the arguments given, and prints what came back', async () => {
    const { host, servers, code } = await call(['s', 'echo', '{"text":"","n":[1]}'], { result: text('hello') });
    assert.equal(code, 0);
    assert.equal(host.written.out, 'hello\n');
    const [made] = servers.calls;
    assert.deepEqual(made?.args, { text: '', n: [1] });
    assert.equal(made.tool, 'echo');
    assert.equal(made.caller.kind, 'commandLine');
    assert.equal(servers.disposed, 1);
  });

  it('takes the arguments from stdin for -, and no arguments for an empty object', async () => {
    assert.deepEqual((await call(['s', 'echo', '-'], { stdin: '{"a":1}' })).servers.calls[0]?.args, { a: 1 });
    assert.deepEqual((await call(['s', 'echo'], {})).servers.calls[0]?.args, {});
  });

  it('refuses arguments that are no JSON object before anything is called', async () => {
    for (const json of ['{a:1}', '[1]', '"x"', 'null', '']) {
      const servers = fakeServers([{ id: 's' }]);
      await assert.rejects(run(['s', 'echo', json], fakeHost(), servers), UsageError);
      assert.equal(servers.calls.length, 0);
      assert.equal(servers.disposed, 1);
    }
  });

  it('refuses a key that an object holds twice, as configuration does, however it is written', async () => {
    for (const [json, key] of [
      ['{"a":1,"a":2}', 'a'],
      ['{"x":[{"b":{"c":1}},{"c":1,"b":1,"\\u0062":2}]}', 'b'],
      [`{"k"${' '.repeat(500)}:1,"k":{}}`, 'k'],
      ['{"":1,"":2}', ''],
    ] as const) {
      const servers = fakeServers([{ id: 's' }]);
      const expected = new UsageError(`the arguments hold the key "${key}" twice.`);
      await assert.rejects(run(['s', 'echo', json], fakeHost(), servers), expected);
      assert.equal(servers.calls.length, 0);
    }
    const apart = '{"a":{"a":"\\"a\\":"},"b":[{"a":1},{"a":2}],"c":"{","d":"}","__proto__":1}';
    assert.equal((await call(['s', 'echo', apart], {})).code, 0);
  });

  it('takes a byte order mark before the arguments', async () => {
    assert.deepEqual((await call(['s', 'echo', '\uFEFF{"a":1}'], {})).servers.calls[0]?.args, { a: 1 });
  });

  it('refuses an integer that would be sent as another one, and names its field', async () => {
    for (const n of ['12345678901234567890', '-9007199254740993', '1e400']) {
      const { servers, code, host } = await call(['s', 'echo', `{"in":[{"n":${n}}]}`], {});
      assert.equal(code, 3, n);
      assert.match(host.written.err, /Argument n of echo on server "s" is too large a number/);
      assert.equal(servers.calls.length, 0);
    }
    const kept =
      '{"a":9007199254740991,"b":9007199254740992,"c":1e300,"d":0.1234567890123456789,"e":"12345678901234567890"}';
    assert.deepEqual((await call(['s', 'echo', kept], {})).servers.calls[0]?.args, JSON.parse(kept));
  });

  it('says on stderr that a schema could not be used for its check', async () => {
    const host = fakeHost();
    const servers: ReturnType<typeof fakeServers> = {
      ...fakeServers([{ id: 's' }]),
      call: (_, options) => {
        options.onUnchecked?.('arguments', 'the schema takes too long');
        return Promise.resolve(text('done'));
      },
    };
    assert.equal(await run(['s', 't'], host, servers), 0);
    assert.equal(host.written.out, 'done\n');
    assert.match(host.written.err, /arguments could not be checked.*takes too long/);
  });

  it('wants a server and a tool, and nothing behind the arguments', async () => {
    for (const argv of [[], ['s'], ['s', 't', '{}', 'more']]) {
      await assert.rejects(run(argv, fakeHost(), fakeServers([{ id: 's' }])), UsageError);
    }
  });

  it("tells a tool's own error on stderr with server and tool, and exits with 1", async () => {
    const { host, code } = await call(['s', 'fail'], { result: { ...text('no such row'), isError: true } });
    assert.equal(code, 1);
    assert.equal(host.written.out, '');
    assert.equal(host.written.err, 'Tool fail of server "s" reported an error:\nno such row\n');
  });

  it('prints the raw result as JSON, of an error too', async () => {
    const result = { ...text('x'), isError: true, _meta: { a: null } };
    const { host, code } = await call(['s', 'fail', '--json'], { result });
    assert.equal(code, 1);
    assert.deepEqual(JSON.parse(host.written.out), result);
  });

  it('tells a call that failed with reason, remedy and outcome, and exits with 3', async () => {
    const result = new ManagerError('callTimeout', { server: 's', tool: 't', seconds: 9 }, { outcome: 'unknown' });
    const plain = await call(['s', 't'], { result });
    assert.equal(plain.code, 3);
    assert.match(plain.host.written.err, /did not end within 9 s\.\nRaise timeouts\.call/);
    const json = await call(['s', 't', '--json'], { result });
    const { error } = JSON.parse(json.host.written.out) as { error: Record<string, string> };
    assert.equal(json.code, 3);
    assert.equal(error['code'], 'callTimeout');
    assert.equal(error['outcome'], 'unknown');
  });

  it('shows the last lines of a server that ended', async () => {
    const result = new ManagerError('exitedAtStart', { server: 's' }, { stderr: ['boom\u001B[2J'] });
    assert.match((await call(['s', 't'], { result })).host.written.err, /\n\| boom\n$/);
  });

  it('says that a server does not exist or is disabled, without starting anything', async () => {
    const unknown = await call(['other', 't'], {});
    assert.equal(unknown.code, 3);
    assert.match(unknown.host.written.err, /There is no server "other"/);
    const servers = fakeServers([{ id: 's', enabled: false }]);
    const host = fakeHost();
    assert.equal(await run(['s', 't'], host, servers), 3);
    assert.match(host.written.err, /"s" is disabled/);
    assert.equal(servers.calls.length, 0);
  });

  it('asks whether a name that is near was meant, else names the servers there are', async () => {
    const tools = ['write_file', 'read_file'].map((name) => ({ name, raw: {}, hash: '', annotationsHash: '' }));
    const servers = fakeServers([
      { id: 'tracker', result: new ManagerError('unknownTool', { server: 'tracker', tool: 'find' }) },
      {
        id: 'files',
        view: { snapshot: snapshotOf({ tools }) },
        result: new ManagerError('unknownTool', { server: 'files', tool: 'raed_file' }),
      },
    ]);
    const remedy = async (...argv: readonly string[]): Promise<string | undefined> => {
      const host = fakeHost();
      assert.equal(await run(argv, host, servers), 3);
      return host.written.err.split('\n')[1];
    };
    assert.equal(await remedy('trakcer', 't'), 'Did you mean "tracker"?');
    assert.equal(await remedy('nothing', 't'), 'The servers of the file are: tracker, files.');
    assert.equal(await remedy('files', 'raed_file'), 'Did you mean "read_file"?');
    assert.equal(await remedy('tracker', 'find'), 'Compare the name with what "mcp-roundhouse list" shows.');
  });

  it('shows progress on a terminal only, on one line that is gone at the end', async () => {
    for (const errIsTerminal of [true, false]) {
      const host = fakeHost({ errIsTerminal });
      const servers = fakeServers([{ id: 's' }]);
      const withProgress = {
        ...servers,
        call: ((_, options) => {
          options.onProgress?.({ progress: 1, total: 3, message: 'half\u001B[31m\nway' });
          return Promise.resolve(text('done'));
        }) satisfies typeof servers.call,
      };
      assert.equal(await run(['s', 't'], host, withProgress), 0);
      assert.equal(host.written.err, errIsTerminal ? '\r\u001B[K1 of 3: half⏎way\r\u001B[K' : '');
    }
  });

  it('tells a refused configuration as the help promises: on stdout as JSON, on stderr in words', async () => {
    const data = { file: '/f/mcp.json', detail: 'there is no such file' };
    const problems = [{ file: '/f/mcp.json', code: 'configUnreadable', data } as const];
    for (const json of [true, false]) {
      const host = fakeHost();
      const argv = ['s', 't', '--config-file', '/f/mcp.json', ...(json ? ['--json'] : [])];
      assert.equal(await runCall(argv, host, () => Promise.resolve({ kind: 'refused', problems })), 2);
      assert.match(host.written.err, /cannot be read: there is no such file/);
      if (!json) assert.equal(host.written.out, '');
      else {
        const { error } = JSON.parse(host.written.out) as { error: Record<string, string> };
        assert.deepEqual(Object.keys(error), ['code', 'message', 'remedy', 'outcome']);
        assert.deepEqual([error['code'], error['outcome']], ['configUnreadable', 'notSent']);
      }
    }
  });

  it('exits as the signal says when it is interrupted', async () => {
    const host = fakeHost();
    const servers = fakeServers([{ id: 's', result: new ManagerError('cancelled') }]);
    host.interrupt(143);
    assert.equal(await run(['s', 't'], host, servers), 143);
    assert.equal(servers.disposed, 1);
    assert.equal(host.written.err, '');
  });
});

async function call(argv: readonly string[], options: { result?: JsonObject | Error; stdin?: string }) {
  const host = fakeHost(options.stdin === undefined ? {} : { stdin: options.stdin });
  const servers = fakeServers([{ id: 's', ...(options.result === undefined ? {} : { result: options.result }) }]);
  return { host, servers, code: await run(argv, host, servers) };
}

function run(argv: readonly string[], host: ReturnType<typeof fakeHost>, servers: ReturnType<typeof fakeServers>) {
  const open = () => Promise.resolve({ kind: 'opened', servers } as const);
  return runCall([...argv, '--config-file', '/f/mcp.json'], host, open);
}

function text(value: string): JsonObject {
  return { content: [{ type: 'text', text: value }] };
}
