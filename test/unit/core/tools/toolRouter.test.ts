import assert from 'node:assert/strict';
import { beforeEach, describe, it } from 'mocha';
import { type Deferred, deferred } from '../../../../src/base/deferred.ts';
import type { JsonObject } from '../../../../src/contract/json.ts';
import type { PolicyWord } from '../../../../src/contract/serverConfig.ts';
import type { ServerKey } from '../../../../src/core/config/model.ts';
import type { Generation } from '../../../../src/core/connection/state.ts';
import { checkTool } from '../../../../src/core/discovery/checkItem.ts';
import { ManagerError } from '../../../../src/core/errors.ts';
import { limits } from '../../../../src/core/limits.ts';
import type { CallAnswer, CallConfirmation } from '../../../../src/core/ports.ts';
import type { CallOptions, ToolCall } from '../../../../src/core/tools/callTypes.ts';
import { RecentCalls } from '../../../../src/core/tools/recentCalls.ts';
import type { Verdict } from '../../../../src/core/tools/schemaCheck.ts';
import { ResultMismatch } from '../../../../src/core/tools/callSchemas.ts';
import { type CallServer, ToolRouter } from '../../../../src/core/tools/toolRouter.ts';
import { FakeLiveClient, rawTool } from '../../../support/fakeLiveClient.ts';
import { ManualClock } from '../../../support/manualClock.ts';
import { settled } from '../../../support/settled.ts';
import { snapshotOf } from '../../../support/snapshotOf.ts';

const key = 'user:s' as ServerKey;
const caller = { kind: 'tree', name: 'MCP' } as const;
const plain: CallOptions = { validate: false };
const checked: CallOptions = { validate: true };
const schema = { type: 'object', properties: { n: { type: 'integer' } } };

describe('ToolRouter', () => {
  let clock: ManualClock;
  let client: FakeLiveClient;
  let calls: RecentCalls;
  let policies: Record<string, PolicyWord>;
  /** What the manager has now; undefined while the server is not ready. */
  let live: CallServer | undefined;
  let questions: {
    readonly question: CallConfirmation;
    readonly signal: AbortSignal;
    readonly answer: Deferred<CallAnswer>;
  }[];
  let verdicts: (Verdict | Promise<Verdict>)[];
  let router: ToolRouter;

  function offer(tools: readonly JsonObject[], generation = 1): CallServer {
    const snapshot = snapshotOf({
      generation: generation as Generation,
      era: client.negotiated.era,
      tools: tools.map((raw) => checkTool(raw, { mirrors: false }).item!),
    });
    const view = {
      key,
      server: { key, id: 's', scope: { kind: 'user' } },
      policies: { personEntry: policies },
    } as unknown as CallServer['view'];
    return { view, client, snapshot };
  }
  const call = (more: Partial<ToolCall> = {}, options = plain): Promise<JsonObject> =>
    router.call({ server: key, tool: 'echo', args: { n: 1 }, caller, ...more }, options);
  const sent = (): number => client.asked('tools/call');
  const bindingOf = (server: CallServer): { generation: Generation; hash: string } => ({
    generation: server.snapshot.generation,
    hash: server.snapshot.tools[0]!.hash,
  });

  beforeEach(() => {
    clock = new ManualClock();
    client = new FakeLiveClient({ 'tools/call': ({ arguments: args }) => ({ content: [], structuredContent: args! }) });
    calls = new RecentCalls(clock);
    policies = {};
    questions = [];
    verdicts = [];
    live = offer([rawTool('echo', { inputSchema: schema })]);
    router = new ToolRouter({
      clock,
      calls,
      use: () => (live === undefined ? Promise.reject(new ManagerError('unknownServer')) : Promise.resolve(live)),
      live: () => live,
      barred: () => undefined,
      grant: () => undefined,
      prompt: {
        confirm: (question, signal) => {
          const answer = deferred<CallAnswer>();
          questions.push({ question, signal, answer });
          return answer.promise;
        },
      },
      checker: { check: () => Promise.resolve(verdicts.shift() ?? { kind: 'valid' }) },
    });
  });

  describe('sends a call', () => {
    it('once, with name, arguments, signal and progress', async () => {
      const { signal } = new AbortController();
      const onProgress = (): void => undefined;
      assert.deepEqual(await call({}, { validate: false, signal, onProgress }), {
        content: [],
        structuredContent: { n: 1 },
      });
      assert.deepEqual(client.sent, [
        {
          method: 'tools/call',
          params: { name: 'echo', arguments: { n: 1 } },
          options: { kind: 'call', signal, onProgress },
        },
      ]);
    });

    it('with further params that cannot take the place of its own', async () => {
      await call({ extra: { _meta: { a: 1 }, name: 'other', arguments: {} } });
      assert.deepEqual(client.sent[0]?.params, { _meta: { a: 1 }, name: 'echo', arguments: { n: 1 } });
    });

    it('and passes a result on that says isError', async () => {
      client.answers['tools/call'] = () => ({ isError: true, content: [] });
      assert.deepEqual(await call({}, checked), { isError: true, content: [] });
      assert.deepEqual(calls.calls[0]?.end?.isError, true);
    });

    it('and never sends it again, whatever the failure', async () => {
      for (const outcome of ['notSent', 'unknown', 'completed'] as const) {
        const failure = new ManagerError('connectionClosed', {}, { outcome });
        client.answers['tools/call'] = () => Promise.reject(failure);
        await assert.rejects(call(), failure);
      }
      assert.equal(sent(), 3);
      client.answers['tools/call'] = () => Promise.reject(new TypeError('broken'));
      await assert.rejects(call(), { code: 'internal', outcome: 'unknown' });
    });

    it('that goes on when the list changes, while new calls see the new list', async () => {
      const answer = deferred<JsonObject>();
      client.answers['tools/call'] = () => answer.promise;
      const running = call();
      await settled();
      live = offer([rawTool('other')]);
      await assert.rejects(call(), { code: 'unknownTool', outcome: 'notSent' });
      const issue = { kind: 'tools', what: 'badItem', item: 'echo', reason: 'inputSchema is missing' } as const;
      live = { ...live, snapshot: { ...live.snapshot, issues: [issue] } };
      await assert.rejects(call(), { code: 'toolLeftOut', data: { server: 's', tool: 'echo', detail: issue.reason } });
      answer.resolve({ content: [] });
      assert.deepEqual(await running, { content: [] });
    });
  });

  describe('holds a call to what its caller saw', () => {
    it('and lets it pass while that is so', async () => {
      await call({ binding: bindingOf(live!) });
      assert.equal(sent(), 1);
    });

    it('and fails one for another generation or another definition before anything is sent', async () => {
      const binding = bindingOf(live!);
      live = offer([rawTool('echo', { inputSchema: schema })], 2);
      await assert.rejects(call({ binding }), { code: 'staleTool', outcome: 'notSent' });
      live = offer([rawTool('echo', { inputSchema: schema, description: 'other' })]);
      await assert.rejects(call({ binding }), { code: 'staleTool', outcome: 'notSent' });
      assert.equal(sent(), 0);
    });

    it('and fails one for an unknown tool, also one named like a property of objects', async () => {
      for (const tool of ['nobody', 'constructor', '__proto__']) {
        await assert.rejects(call({ tool }), { code: 'unknownTool', outcome: 'notSent' });
      }
    });
  });

  describe('obeys the policy', () => {
    it('by never running what is denied, for any caller', async () => {
      policies = { echo: 'deny' };
      live = offer([rawTool('echo')]);
      for (const kind of ['tree', 'commandLine', 'api', 'gateway'] as const) {
        await assert.rejects(call({ caller: { kind, name: 'x' } }, checked), {
          code: 'toolDenied',
          outcome: 'notSent',
        });
      }
      assert.equal(sent(), 0);
      assert.equal(questions.length, 0);
      assert.deepEqual(
        calls.calls.map(({ decision, end }) => [decision, end?.outcome, end?.code]),
        Array(4).fill(['deny', 'notSent', 'toolDenied']),
      );
    });

    it('by asking with server, tool, caller and all arguments, and running on a yes', async () => {
      policies = { '*': 'ask' };
      live = offer([rawTool('echo')]);
      const running = call({ args: { n: 1, text: 'x'.repeat(100_000) } });
      await settled();
      assert.equal(sent(), 0);
      assert.deepEqual(questions[0]?.question, {
        key,
        server: 's',
        tool: 'echo',
        caller,
        args: { n: 1, text: 'x'.repeat(100_000) },
      });
      questions[0].answer.resolve('once');
      await running;
      assert.equal(sent(), 1);
      assert.equal(clock.pending, 0);
    });

    it('by taking a no, a broken prompt, anything but a clear yes and silence for a no', async () => {
      policies = { '*': 'ask' };
      live = offer([rawTool('echo')]);
      const refuse: ((answer: Deferred<CallAnswer>) => void)[] = [
        (answer) => answer.resolve('deny'),
        (answer) => answer.reject(new Error('window closed')),
        (answer) => answer.resolve(undefined as never),
        (answer) => answer.resolve('yes' as never),
        (answer) => answer.resolve(true as never),
        () => clock.advance(limits.confirmation.answer),
      ];
      for (const no of refuse) {
        const refused = assert.rejects(call(), { code: 'toolNotConfirmed', outcome: 'notSent' });
        await settled();
        const { answer, signal } = questions.pop()!;
        no(answer);
        await refused;
        assert.equal(signal.aborted, true);
      }
      assert.equal(sent(), 0);
    });

    it('by taking no prompt for a no', async () => {
      policies = { '*': 'ask' };
      live = offer([rawTool('echo')]);
      const alone = new ToolRouter({
        clock,
        calls,
        use: () => Promise.resolve(live!),
        live: () => live,
        barred: () => undefined,
        grant: () => undefined,
        checker: { check: () => Promise.resolve({ kind: 'valid' }) },
      });
      await assert.rejects(alone.call({ server: key, tool: 'echo', args: {}, caller }, plain), {
        code: 'toolNotConfirmed',
      });
    });

    it('and ends the question when the caller gives up', async () => {
      policies = { '*': 'ask' };
      live = offer([rawTool('echo')]);
      const controller = new AbortController();
      const aborted = assert.rejects(call({}, { validate: false, signal: controller.signal }), {
        code: 'cancelled',
        outcome: 'notSent',
      });
      await settled();
      controller.abort();
      await aborted;
      assert.equal(questions[0]?.signal.aborted, true);
    });

    it('and looks again after the question: at the definition, the connection and the policy', async () => {
      const changes: [() => void, string][] = [
        [() => (live = offer([rawTool('echo', { description: 'now it deletes' })])), 'staleTool'],
        [() => (live = offer([rawTool('echo')], 2)), 'staleTool'],
        [() => (live = offer([])), 'unknownTool'],
        [() => (live = undefined), 'connectionClosed'],
        [() => (policies['echo'] = 'deny'), 'toolDenied'],
      ];
      for (const [change, code] of changes) {
        policies = { '*': 'ask' };
        live = offer([rawTool('echo')]);
        const refused = assert.rejects(call(), { code, outcome: 'notSent' });
        await settled();
        change();
        questions.pop()!.answer.resolve('once');
        await refused;
      }
      assert.equal(sent(), 0);
    });

    it('that became stricter while the arguments were checked', async () => {
      const verdict = deferred<Verdict>();
      verdicts = [verdict.promise];
      const asked = assert.rejects(call({}, checked), { code: 'toolNotConfirmed' });
      await settled();
      policies['echo'] = 'ask';
      verdict.resolve({ kind: 'valid' });
      await settled();
      assert.equal(sent(), 0);
      questions[0]!.answer.resolve('deny');
      await asked;
    });

    it('of a project in its own place, which the person’s word stands above', async () => {
      const own = live!;
      const say = (echo: PolicyWord) => {
        live = { ...own, view: { ...own.view, policies: { personEntry: { echo }, project: { echo: 'allow' } } } };
      };
      say('allow');
      await call();
      say('deny');
      await assert.rejects(call(), { code: 'toolDenied' });
    });
  });

  describe('checks', () => {
    const no: Verdict = { kind: 'invalid', errors: ['#/n is not an integer'] };

    it('arguments before anything is sent and before anybody is asked', async () => {
      policies = { '*': 'ask' };
      live = offer([rawTool('echo', { inputSchema: schema })]);
      verdicts = [no];
      await assert.rejects(call({}, checked), (error: ManagerError) => {
        assert.deepEqual([error.code, error.outcome], ['argumentsInvalid', 'notSent']);
        assert.deepEqual(error.data, { server: 's', tool: 'echo', detail: '#/n is not an integer' });
        return true;
      });
      assert.deepEqual([sent(), questions.length], [0, 0]);
    });

    it('structured content, with the result kept beside the failure', async () => {
      live = offer([rawTool('echo', { outputSchema: schema })]);
      verdicts = [no];
      await assert.rejects(call({}, checked), (error: ManagerError) => {
        assert.deepEqual([error.code, error.outcome], ['resultInvalid', 'completed']);
        assert.ok(error.cause instanceof ResultMismatch);
        assert.deepEqual(error.cause.result, { content: [], structuredContent: { n: 1 } });
        return true;
      });
      client.answers['tools/call'] = () => ({ content: [] });
      await assert.rejects(call({}, checked), { code: 'resultInvalid', outcome: 'completed' });
    });

    it('how deep arguments are nested, before anybody is asked and without looking at the schema', async () => {
      policies = { '*': 'ask' };
      live = offer([rawTool('echo', { inputSchema: schema })]);
      const nested = JSON.parse(`${'{"a":'.repeat(20_000)}1${'}'.repeat(20_000)}`) as JsonObject;
      for (const more of [{ args: nested }, { extra: { _meta: nested } }]) {
        for (const options of [plain, checked]) {
          await assert.rejects(call(more, options), (error: ManagerError) => {
            assert.deepEqual([error.code, error.outcome], ['argumentsInvalid', 'notSent']);
            assert.match(String(error.data['detail']), /nested more than 500 levels/);
            return true;
          });
        }
      }
      assert.deepEqual([sent(), questions.length], [0, 0]);
    });

    it('no error result, and nothing where nobody wants it', async () => {
      live = offer([rawTool('echo', { inputSchema: schema, outputSchema: schema })]);
      verdicts = [no, no];
      await call({}, plain);
      client.answers['tools/call'] = () => ({ isError: true, content: [] });
      verdicts = [{ kind: 'valid' }, no];
      await call({}, checked);
    });

    it('and goes on where a schema cannot be used, with a word about it', async () => {
      const told: string[] = [];
      live = offer([rawTool('echo', { inputSchema: schema, outputSchema: schema })]);
      verdicts = [
        { kind: 'unchecked', why: 'time', detail: 'too long' },
        { kind: 'unchecked', why: 'schema', detail: 'no' },
      ];
      await call({}, { validate: true, onUnchecked: (of, detail) => told.push(`${of}: ${detail}`) });
      assert.deepEqual(told, ['arguments: too long', 'result: no']);
      assert.equal(sent(), 1);
    });

    it('nothing in the schema thread for a tool that takes any object', async () => {
      live = offer([rawTool('echo', { inputSchema: { type: 'object', properties: {}, title: 'None' } })]);
      verdicts = [no];
      await call({}, checked);
      assert.equal(verdicts.length, 1);
    });
  });

  describe('leaves questions of a server', () => {
    beforeEach(() => {
      client.answers['tools/call'] = () => ({ resultType: 'input_required', inputRequests: {}, requestState: 's' });
    });

    it('to the gateway, which has somebody to ask', async () => {
      const result = await call({ caller: { kind: 'gateway', name: 'x' } }, plain);
      assert.equal(result['resultType'], 'input_required');
    });

    it('unanswered for everybody else, and asks no second time', async () => {
      live = offer([rawTool('echo', { outputSchema: schema })]);
      await assert.rejects(call({}, checked), { code: 'inputRequired', outcome: 'completed' });
      assert.equal(sent(), 1);
    });
  });

  describe('takes a result of a kind that it does not know', () => {
    for (const resultType of ['banana', '', 'COMPLETE', 7, null, { a: 1 }] as const) {
      it(`for none in the modern era, whoever calls: ${JSON.stringify(resultType)}`, async () => {
        client = new FakeLiveClient(
          { 'tools/call': () => ({ resultType, content: [] }) },
          { era: 'modern', transport: 'stdio' },
        );
        live = offer([rawTool('echo')]);
        for (const kind of ['tree', 'gateway'] as const) {
          await assert.rejects(call({ caller: { kind, name: 'x' } }), (error: ManagerError) => {
            assert.deepEqual([error.code, error.outcome], ['invalidResponse', 'completed']);
            assert.match(String(error.data['detail']), /^its resultType is /);
            return true;
          });
        }
        assert.equal(calls.calls[0]?.end?.code, 'invalidResponse');
      });
    }

    it('as it is in the legacy era, which has no such mark', async () => {
      client.answers['tools/call'] = () => ({ resultType: 'banana', content: [] });
      assert.equal((await call())['resultType'], 'banana');
    });
  });

  describe('mirrors marked arguments', () => {
    const marked = { type: 'object', properties: { n: { type: 'integer', 'x-mcp-header': 'Count' } } };

    it('on modern HTTP', async () => {
      client = new FakeLiveClient(client.answers, { era: 'modern', transport: 'streamable-http' });
      live = offer([rawTool('echo', { inputSchema: marked })]);
      await call();
      assert.deepEqual(client.sent[0]?.options.headers, { 'Mcp-Param-Count': '1' });
      await assert.rejects(call({ args: { n: 2 ** 60 } }), { code: 'unsafeInteger', outcome: 'notSent' });
      assert.equal(sent(), 1);
    });

    it('nowhere else', async () => {
      for (const where of [
        { era: 'legacy', transport: 'streamable-http' },
        { era: 'modern', transport: 'stdio' },
      ] as const) {
        client = new FakeLiveClient(client.answers, where);
        live = offer([rawTool('echo', { inputSchema: marked })]);
        await call({ args: { n: 2 ** 60 } });
        assert.equal(client.sent[0]?.options.headers, undefined);
      }
    });
  });

  describe('records', () => {
    it('a call before it goes out and when it ends, with sizes and without contents', async () => {
      let atDispatch: unknown;
      client.answers['tools/call'] = () => {
        atDispatch = calls.calls.at(-1)?.end;
        clock.advance(30);
        return { content: [{ type: 'text', text: 'secret answer' }] };
      };
      await call({ args: { password: 'hunter2' } });
      const [recorded] = calls.calls;
      assert.equal(atDispatch, undefined);
      assert.equal(recorded?.end?.outcome, 'completed');
      assert.equal(recorded.end.duration, 30);
      assert.ok(recorded.argumentSize > 0 && recorded.end.resultSize! > 0);
      assert.doesNotMatch(JSON.stringify(calls.calls), /hunter2|secret answer|password/);
    });

    it('and does not send a call that cannot be recorded', async () => {
      calls.begin = () => {
        throw new ManagerError('internal', { detail: 'disk full' });
      };
      await assert.rejects(call(), { code: 'internal', outcome: 'notSent' });
      assert.equal(sent(), 0);
    });
  });

  it('passes the failure of a server on that cannot be used', async () => {
    live = undefined;
    await assert.rejects(call(), { code: 'unknownServer', outcome: 'notSent' });
  });
});
