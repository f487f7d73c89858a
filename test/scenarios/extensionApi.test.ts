// The interface for other extensions over real servers: what it tells, what it calls, and what it refuses to a caller that
// means no good.
import assert from 'node:assert/strict';
import { EventEmitter } from 'node:events';
import { afterEach, beforeEach, describe, it } from 'mocha';
import { systemClock } from '../../src/base/clock.ts';
import type { ApiCall, ApiError, ApiStatusChange, RoundhouseApi } from '../../src/contract/publicApi.ts';
import { agentConfig, agentEntry } from '../../src/core/launcher/agentEntry.ts';
import type { CallAnswer, CallConfirmation } from '../../src/core/ports.ts';
import { createToolCalls, type ToolCalls } from '../../src/core/tools/createToolCalls.ts';
import { apiOf, callerId } from '../support/apiOf.ts';
import { eventually } from '../support/eventually.ts';
import { type FixtureLog, fixtureCommand, fixtureLog } from '../support/fixtureServer.ts';
import { patience } from '../support/patience.ts';
import { openServerWindow, type ServerWindow, userFileIn, writeServers } from '../support/serverWindow.ts';
import { temporaryFolder } from '../support/temporaryFolder.ts';

describe('the interface for other extensions', () => {
  let folder: Awaited<ReturnType<typeof temporaryFolder>>;
  let log: FixtureLog;
  let window: ServerWindow;
  let calls: ToolCalls;
  let api: RoundhouseApi;
  const asked: CallConfirmation[] = [];
  let answer: CallAnswer;

  beforeEach(async () => {
    folder = await temporaryFolder();
    log = fixtureLog();
    asked.length = 0;
    answer = 'deny';
    await writeServers(userFileIn(folder.path), {
      demo: {
        ...fixtureCommand('progress', { tools: { library: ['echo', 'fail', 'progress', 'hang', 'big'] } }, log),
        toolPolicies: { big: 'deny', progress: 'ask' },
        env: { DEMO_TOKEN: 'sk-proj-0123456789abcdefghij' },
      },
      off: { ...fixtureCommand('small-legacy'), enabled: false },
    });
    window = await openServerWindow(folder.path);
    calls = createToolCalls({
      manager: window.manager,
      clock: systemClock({ unref: true }),
      prompt: {
        confirm: (call) => {
          asked.push(call);
          return Promise.resolve(answer);
        },
      },
    });
    const entry = agentConfig(agentEntry('/home/x/.mcp-roundhouse', 'linux'));
    api = apiOf(window.manager, { calls, agentConfig: () => Promise.resolve(entry) });
  });
  afterEach(async () => {
    calls.dispose();
    await window.dispose();
    log.dispose();
    await folder.remove();
  });

  it('tells servers, their state with its reason, tools with what would happen to a call, and definitions [GATE-10a]', async () => {
    assert.match(api.version, /^1\.\d+\.\d+$/);
    assert.deepEqual(
      (await api.servers()).map(({ id, scope, serving, state }) => [id, scope, serving, state]),
      [
        ['demo', 'user', true, 'stopped'],
        ['off', 'user', true, 'disabled'],
      ],
    );
    assert.deepEqual([api.listTools(), api.toolDefinition('demo', 'echo')], [[], undefined]);
    await window.manager.use(window.key('demo'));
    const [demo] = await api.servers();
    assert.deepEqual([demo?.state, demo?.era, demo?.revision], ['ready', 'legacy', '2025-11-25']);
    assert.deepEqual(demo?.tools, ['echo', 'fail', 'progress', 'hang', 'big']);
    assert.deepEqual(
      api.listTools().map(({ server, name, category, policy }) => [server, name, category, policy]),
      [
        ['demo', 'echo', 'network_send', 'allow'],
        ['demo', 'fail', 'network_send', 'allow'],
        ['demo', 'progress', 'network_send', 'ask'],
        ['demo', 'hang', 'network_send', 'allow'],
        ['demo', 'big', 'network_send', 'deny'],
      ],
    );
    assert.deepEqual(api.listTools({ mode: 'plan' }), []);
    assert.equal(api.toolDefinition('demo', 'echo')?.['name'], 'echo');
    assert.equal(api.toolDefinition('demo', 'nothing'), undefined);
    assert.deepEqual((await api.getAgentMcpConfig()).mcpServers.roundhouse.args, ['proxy']);
  });

  it('announces each change of a state once, with its reason, and nothing more after that was disposed [GATE-10a]', async () => {
    const seen: string[] = [];
    const told = ({ kind, server }: ApiStatusChange): void => {
      seen.push(`${kind} ${server.id} ${server.state} ${server.problem?.code ?? ''}`.trim());
    };
    const subscription = api.onDidChangeStatus(told);
    await window.manager.use(window.key('demo'));
    assert.deepEqual(seen, ['changed demo connecting', 'changed demo ready']);
    await window.manager.stop(window.key('demo'));
    assert.deepEqual(seen.splice(0).slice(2), ['changed demo stopped']);
    const broken = { command: '/no/such/program' };
    await writeServers(userFileIn(folder.path), { broken, other: fixtureCommand('small-legacy') });
    await window.reload();
    assert.ok(seen.includes('removed demo stopped') && seen.includes('removed off disabled'), seen.join());
    await assert.rejects(window.manager.use(window.key('broken')));
    assert.ok(seen.includes('changed broken failed commandNotFound'), seen.join());
    const { problem } = (await api.servers()).find(({ id }) => id === 'broken')!;
    assert.match(problem!.message, /“broken” has a problem: commandNotFound/);
    assert.ok(problem!.remedy.length > 0);
    assert.ok(!JSON.stringify(await api.servers()).includes('/no/such'), problem!.message);
    subscription.dispose();
    subscription.dispose();
    seen.length = 0;
    await window.manager.use(window.key('other'));
    assert.deepEqual(seen, []);
  });

  it('calls a tool: starts its server, and gives the result and the progress [GATE-10a]', async () => {
    const result = await api.callTool(call('echo', { text: 'hello' }));
    assert.deepEqual(result.content, [{ type: 'text', text: 'hello' }]);
    answer = 'once';
    const steps: number[] = [];
    await api.callTool(call('progress', { every: 1, count: 3 }), {
      onProgress: ({ progress }) => steps.push(progress),
    });
    assert.deepEqual(steps, [1, 2, 3]);
  });

  it('is held to the policy as every caller is: what is denied never runs, and what asks shows who asks and all arguments [GATE-10a]', async () => {
    await rejects(call('big', { bytes: 10 }), { code: 'toolDenied', outcome: 'notSent', server: 'demo', tool: 'big' });
    await rejects(call('progress', { every: 1, count: 1 }), { code: 'toolNotConfirmed', outcome: 'notSent' });
    assert.deepEqual([log.runs('big'), log.runs('progress')], [0, 0]);
    assert.deepEqual(
      asked.map(({ server, tool, caller, args }) => [server, tool, caller, args]),
      [['demo', 'progress', { kind: 'api', name: callerId }, { every: 1, count: 1 }]],
    );
    answer = 'once';
    await api.callTool(call('progress', { every: 1, count: 1 }));
    assert.equal(log.runs('progress'), 1);
    assert.deepEqual(
      calls.recent.calls.map(({ caller }) => caller.kind),
      ['api', 'api', 'api'],
    );
  });

  it('makes an error of what a tool calls one, with server and tool in it, and tells failures apart [TOOL-4b]', async () => {
    const failed = await rejects(call('fail'), {
      code: 'toolFailed',
      outcome: 'completed',
      server: 'demo',
      tool: 'fail',
      name: 'RoundhouseError',
    });
    assert.match(failed.message, /“?"?fail.*demo.*the tool failed/);
    assert.ok(failed.remedy.length > 0);
    await rejects(call('nothing'), { code: 'unknownTool', outcome: 'notSent' });
    await rejects({ ...call('echo'), server: 'nobody' }, { code: 'unknownServer', outcome: 'notSent' });
    await rejects({ ...call('echo'), server: 'off' }, { code: 'serverDisabled', outcome: 'notSent' });
  });

  for (const [what, makeSignal] of [
    [
      'an AbortSignal',
      () => {
        const controller = new AbortController();
        return { signal: controller.signal, cancel: () => controller.abort() };
      },
    ],
    ['the editor’s token', token],
  ] as const) {
    it(`takes a call back by ${what}, at its server too [GATE-10a]`, async () => {
      const { signal, cancel } = makeSignal();
      const called = rejects(call('hang'), { code: 'cancelled' }, { signal });
      await eventually(() => log.runs('hang') === 1, patience, 'the call');
      cancel();
      assert.equal((await called).outcome, 'unknown');
      await eventually(() => log.asked('notifications/cancelled') === 1, patience, 'the cancellation');
      await rejects(call('hang'), { code: 'cancelled', outcome: 'notSent' }, { signal });
      assert.equal(log.runs('hang'), 1);
    });
  }

  it('holds a call to the definition that was seen, and not to the connection [GATE-10a]', async () => {
    await window.manager.use(window.key('demo'));
    const { seen } = api.listTools().find(({ name }) => name === 'echo')!;
    await api.callTool({ ...call('echo', { text: 'x' }), seen });
    await window.manager.restart(window.key('demo'));
    await api.callTool({ ...call('echo', { text: 'x' }), seen });
    for (const stale of ['', 'nonsense', `${seen}0`]) {
      await rejects({ ...call('echo', { text: 'x' }), seen: stale }, { code: 'staleTool', outcome: 'notSent' });
    }
    assert.equal(log.runs('echo'), 2);
  });

  it('fails a call that was meant for another definition [GATE-10a]', async () => {
    await writeServers(userFileIn(folder.path), { demo: fixtureCommand('changes', {}, log) });
    await window.reload();
    await window.manager.use(window.key('demo'));
    const { seen } = api.listTools().find(({ name }) => name === 'echo')!;
    await api.callTool(call('change', { alter: { echo: { description: 'now it deletes' } }, notify: 1 }));
    const isOther = (): boolean => api.toolDefinition('demo', 'echo')?.['description'] === 'now it deletes';
    await eventually(isOther, patience, 'the new definition');
    await rejects({ ...call('echo', { text: 'x' }), seen }, { code: 'staleTool', outcome: 'notSent' });
    assert.equal(log.runs('echo'), 0);
  });

  it('sends the arguments that were asked about, whatever their giver does to them meanwhile [GATE-10a]', async () => {
    answer = 'once';
    let reads = 0;
    const args = {
      get every(): number {
        reads += 1;
        return reads;
      },
      count: 1,
    };
    const called = api.callTool(call('progress', args));
    args.count = 7;
    const { content } = await called;
    assert.equal(content?.[0]?.['text'], '1 steps');
    assert.deepEqual([reads, asked[0]?.args], [1, { every: 1, count: 1 }]);
  });

  it('refuses what is no call, and a caller that is no extension here [GATE-10a]', async () => {
    const circle: Record<string, unknown> = {};
    circle['self'] = circle;
    const thrower = {
      get text(): string {
        throw new Error('no');
      },
    };
    for (const args of [circle, thrower, [], 'text', 1n, () => 1, { toJSON: () => 'text' }]) {
      const wrong = { ...call('echo'), arguments: args } as unknown as ApiCall;
      await rejects(wrong, { code: 'argumentsInvalid', outcome: 'notSent', name: 'RoundhouseError' });
    }
    for (const wrong of [
      undefined,
      null,
      7,
      {},
      { ...call('echo'), caller: 'some.body' },
      { ...call('echo'), caller: 7 },
    ]) {
      await rejects(wrong as ApiCall, { code: 'argumentsInvalid', outcome: 'notSent' });
    }
    const stranger = await rejects({ ...call('echo'), caller: 'some.body' }, { code: 'argumentsInvalid' });
    assert.match(stranger.message, /"some\.body" as its caller/);
    await rejects({ ...call('echo'), server: '__proto__' }, { code: 'unknownServer' });
    await rejects(call('__proto__'), { code: 'unknownTool' });
    assert.equal(log.runs('echo'), 0);
  });

  it('gives copies that nobody can change, and no secret of a launch [GATE-10a]', async () => {
    await window.manager.use(window.key('demo'));
    const definition = api.toolDefinition('demo', 'echo')!;
    const servers = await api.servers();
    for (const value of [api, servers, servers[0], servers[0]!.tools, api.listTools(), definition]) {
      assert.ok(Object.isFrozen(value));
    }
    assert.throws(() => Object.assign(definition['inputSchema'] as object, { type: 'array' }), TypeError);
    assert.throws(() => Object.assign(api, { callTool: () => undefined }), TypeError);
    const said = JSON.stringify([servers, api.listTools(), definition, await api.getAgentMcpConfig()]);
    assert.ok(!said.includes('sk-proj') && !said.includes('DEMO_TOKEN') && !said.includes(log.file), said);
  });

  it('cuts a result to what a model may see where that is wanted [TOOL-5b]', async () => {
    await writeServers(userFileIn(folder.path), { demo: fixtureCommand('content') });
    await window.reload();
    const big = call('big', { bytes: 200_000 });
    const whole = JSON.stringify(await api.callTool(big)).length;
    const shown = JSON.stringify(await api.callTool(big, { view: 'model' })).length;
    assert.ok(whole > 200_000 && shown < 51_000, `${whole} ${shown}`);
  });

  function call(tool: string, args?: Readonly<Record<string, unknown>>): ApiCall {
    return { caller: callerId, server: 'demo', tool, ...(args && { arguments: args }) };
  }

  async function rejects(
    request: ApiCall,
    expected: Partial<ApiError>,
    options?: Parameters<RoundhouseApi['callTool']>[1],
  ): Promise<ApiError> {
    const error = await api.callTool(request, options).then(
      () => assert.fail('the call went through'),
      (reason: unknown) => reason as ApiError,
    );
    const found = Object.fromEntries(Object.keys(expected).map((key) => [key, error[key as keyof ApiError]]));
    assert.deepEqual(found, expected, error.message);
    return error;
  }
});

/** As the editor's CancellationToken. */
function token(): {
  readonly signal: NonNullable<Parameters<RoundhouseApi['callTool']>[1]>['signal'];
  readonly cancel: () => void;
} {
  const events = new EventEmitter();
  let requested = false;
  return {
    signal: {
      get isCancellationRequested() {
        return requested;
      },
      onCancellationRequested: (listener) => {
        events.on('cancel', listener);
        return { dispose: () => void events.off('cancel', listener) };
      },
    },
    cancel: () => {
      requested = true;
      events.emit('cancel');
    },
  };
}
