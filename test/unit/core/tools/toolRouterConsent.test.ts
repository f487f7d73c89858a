// What a person's answers let out: of a changed definition, of its acceptance, of a tool that is allowed for the window.
import assert from 'node:assert/strict';
import { beforeEach, describe, it } from 'mocha';
import { type Deferred, deferred } from '../../../../src/base/deferred.ts';
import type { JsonObject } from '../../../../src/contract/json.ts';
import type { PolicyWord } from '../../../../src/contract/serverConfig.ts';
import type { ServerKey } from '../../../../src/core/config/model.ts';
import { checkTool } from '../../../../src/core/discovery/checkItem.ts';
import type { ToolChange } from '../../../../src/core/policy/decide.ts';
import type { CallAnswer, CallConfirmation } from '../../../../src/core/ports.ts';
import { RecentCalls } from '../../../../src/core/tools/recentCalls.ts';
import { type CallServer, ToolRouter } from '../../../../src/core/tools/toolRouter.ts';
import { FakeLiveClient, rawTool } from '../../../support/fakeLiveClient.ts';
import { ManualClock } from '../../../support/manualClock.ts';
import { settled } from '../../../support/settled.ts';
import { snapshotOf } from '../../../support/snapshotOf.ts';

const key = 'user:s' as ServerKey;

describe('ToolRouter, asking a person', () => {
  let client: FakeLiveClient;
  let calls: RecentCalls;
  /** What the manager keeps: rules, what the person knows, what they allowed. */
  let policies: Record<string, PolicyWord>;
  let changed: Map<string, ToolChange>;
  let granted: Set<string>;
  let questions: { readonly question: CallConfirmation; readonly answer: Deferred<CallAnswer> }[];
  let router: ToolRouter;
  let snapshot: CallServer['snapshot'];
  const offer = (annotations: JsonObject): void => {
    const raw = { ...rawTool('echo'), annotations };
    snapshot = snapshotOf({ tools: [checkTool(raw, { mirrors: false }).item!] });
  };

  beforeEach(() => {
    client = new FakeLiveClient({ 'tools/call': () => ({ content: [] }) });
    const clock = new ManualClock();
    calls = new RecentCalls(clock);
    policies = {};
    changed = new Map();
    granted = new Set();
    questions = [];
    offer({});
    const server = { key, id: 's', scope: { kind: 'user' } };
    const view = {
      key,
      server,
      policies: { personEntry: policies, changed, granted },
    } as unknown as CallServer['view'];
    router = new ToolRouter({
      clock,
      calls,
      use: () => Promise.resolve({ client, snapshot, view }),
      live: () => ({ client, snapshot, view }),
      barred: () => undefined,
      grant: (_, tool) => granted.add(tool.name),
      prompt: {
        confirm: (question) => {
          const answer = deferred<CallAnswer>();
          questions.push({ question, answer });
          return answer.promise;
        },
      },
      checker: { check: () => Promise.resolve({ kind: 'valid' }) },
    });
  });

  const call = (): Promise<JsonObject> =>
    router.call({ server: key, tool: 'echo', args: {}, caller: { kind: 'tree', name: 'MCP' } }, { validate: false });
  const sent = (): number => client.asked('tools/call');

  it('asks about a tool whose definition changed, whatever allows it, and says that it changed', async () => {
    policies['echo'] = 'allow';
    changed.set('echo', 'definition');
    const running = call();
    await settled();
    assert.equal(questions[0]?.question.change, 'definition');
    questions[0].answer.resolve('once');
    await running;
    assert.equal(sent(), 1);
  });

  it('sends nothing for the acceptance of changes alone, which says nothing of the call [POL-2d]', async () => {
    changed.set('echo', 'new');
    const refused = assert.rejects(call(), { code: 'toolNotConfirmed' });
    await settled();
    changed.clear();
    questions.pop()?.answer.resolve('accept' as never);
    await refused;
    assert.equal(sent(), 0);
  });

  it('asks again where what the tool says of its effects changed while it was asked about', async () => {
    policies['echo'] = 'ask';
    offer({ readOnlyHint: true });
    const running = call();
    await settled();
    offer({ destructiveHint: true });
    changed.set('echo', 'annotations');
    questions.pop()?.answer.resolve('once');
    await settled();
    assert.equal(sent(), 0);
    assert.equal(questions[0]?.question.change, 'annotations');
    questions.pop()?.answer.resolve('once');
    await running;
    assert.equal(sent(), 1);
  });

  it('asks once about a tool that is allowed for the window, until that is taken back or it is denied', async () => {
    policies['echo'] = 'ask';
    const first = call();
    await settled();
    questions.pop()?.answer.resolve('window');
    await first;
    await call();
    assert.deepEqual([sent(), questions.length], [2, 0]);
    assert.deepEqual(
      calls.calls.map(({ decision, answer }) => [decision, answer]),
      Array(2).fill(['ask', 'window']),
    );
    policies['echo'] = 'deny';
    await assert.rejects(call(), { code: 'toolDenied' });
    policies['echo'] = 'ask';
    granted.clear();
    const again = assert.rejects(call(), { code: 'toolNotConfirmed' });
    await settled();
    questions.pop()?.answer.resolve('deny');
    await again;
    assert.equal(sent(), 2);
  });
});
