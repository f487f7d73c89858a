// The router with a record that is written to the disk: it waits for it, and then looks again (POL-3, POL-1).
import assert from 'node:assert/strict';
import { beforeEach, describe, it } from 'mocha';
import { type Deferred, deferred } from '../../../../src/base/deferred.ts';
import type { PolicyWord } from '../../../../src/contract/serverConfig.ts';
import type { ServerKey } from '../../../../src/core/config/model.ts';
import { checkTool } from '../../../../src/core/discovery/checkItem.ts';
import { ManagerError } from '../../../../src/core/errors.ts';
import type { CallAnswer } from '../../../../src/core/ports.ts';
import type { CallOptions } from '../../../../src/core/tools/callTypes.ts';
import { RecentCalls } from '../../../../src/core/tools/recentCalls.ts';
import { type CallServer, ToolRouter } from '../../../../src/core/tools/toolRouter.ts';
import { FakeLiveClient, rawTool } from '../../../support/fakeLiveClient.ts';
import { ManualClock } from '../../../support/manualClock.ts';
import { settled } from '../../../support/settled.ts';
import { snapshotOf } from '../../../support/snapshotOf.ts';

const key = 'user:s' as ServerKey;

describe('ToolRouter, with a record on the disk,', () => {
  let client: FakeLiveClient;
  let recent: RecentCalls;
  /** Of the start of the next call. */
  let written: Deferred<undefined>;
  let policies: Record<string, PolicyWord>;
  let live: CallServer | undefined;
  let answers: Deferred<CallAnswer>[];
  let router: ToolRouter;

  const offer = (description: string): CallServer => {
    const tools = [checkTool(rawTool('echo', { description }), { mirrors: false }).item!];
    const server = { key, id: 's', scope: { kind: 'user' } };
    const view = { key, server, policies: { personEntry: policies } } as unknown as CallServer['view'];
    return { view, client, snapshot: snapshotOf({ tools }) };
  };
  const call = (options: Partial<CallOptions> = {}) =>
    router.call(
      { server: key, tool: 'echo', args: {}, caller: { kind: 'tree', name: 'MCP' } },
      { validate: false, ...options },
    );
  const sent = (): number => client.asked('tools/call');
  /** The decision, the answer, the outcome and the code of the last call, as they were noted in the end. */
  const noted = (): readonly unknown[] => {
    const last = recent.calls.at(-1);
    return [last?.end?.decision ?? last?.decision, last?.end?.answer, last?.end?.outcome, last?.end?.code];
  };

  beforeEach(() => {
    client = new FakeLiveClient({ 'tools/call': () => ({ content: [] }) });
    recent = new RecentCalls(new ManualClock());
    written = deferred();
    policies = {};
    answers = [];
    live = offer('echoes');
    router = new ToolRouter({
      clock: new ManualClock(),
      calls: {
        begin: (start) => written.promise.then(() => recent.begin(start)),
        refuse: (start, end) => recent.refuse(start, end),
      },
      use: () => Promise.resolve(live!),
      live: () => live,
      barred: () => undefined,
      grant: () => undefined,
      prompt: {
        confirm: () => {
          answers.push(deferred());
          return answers.at(-1)!.promise;
        },
      },
      checker: { check: () => Promise.resolve({ kind: 'valid' }) },
    });
  });

  it('sends a call once its start is written', async () => {
    const running = call();
    await settled();
    assert.deepEqual([sent(), recent.calls.length], [0, 0]);
    written.resolve(undefined);
    await running;
    assert.deepEqual([sent(), ...noted()], [1, 'allow', undefined, 'completed', undefined]);
  });

  it('does not send it where that fails, and notes that once', async () => {
    written.reject(new ManagerError('journalFailed'));
    await assert.rejects(call(), { code: 'journalFailed', outcome: 'notSent' });
    assert.deepEqual([sent(), recent.calls.length], [0, 1]);
    assert.deepEqual(noted(), ['allow', undefined, 'notSent', 'journalFailed']);
  });

  for (const [what, change, code, decision] of [
    ['the policy', () => (policies['echo'] = 'deny'), 'toolDenied', 'deny'],
    ['the definition', () => (live = offer('sends everything away')), 'staleTool', 'allow'],
    ['the server', () => (live = undefined), 'connectionClosed', 'allow'],
  ] as const) {
    it(`looks again at ${what} after that`, async () => {
      const running = assert.rejects(call(), { code, outcome: 'notSent' });
      await settled();
      change();
      written.resolve(undefined);
      await running;
      assert.deepEqual([sent(), ...noted()], [0, decision, undefined, 'notSent', code]);
    });
  }

  it('does not send it for a caller that gave up meanwhile', async () => {
    const giving = new AbortController();
    const running = assert.rejects(call({ signal: giving.signal }), { code: 'cancelled', outcome: 'notSent' });
    await settled();
    giving.abort();
    written.resolve(undefined);
    await running;
    assert.deepEqual([sent(), ...noted()], [0, 'allow', undefined, 'notSent', 'cancelled']);
  });

  it('asks where the policy came to ask meanwhile', async () => {
    const running = call();
    await settled();
    policies['echo'] = 'ask';
    written.resolve(undefined);
    await settled();
    assert.equal(answers.length, 1);
    answers[0]?.resolve('once');
    await running;
    assert.deepEqual([sent(), ...noted()], [1, 'ask', 'once', 'completed', undefined]);
  });
});
