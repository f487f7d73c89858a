import assert from 'node:assert/strict';
import { beforeEach, describe, it } from 'mocha';
import { type Deferred, deferred } from '../../../src/base/deferred.ts';
import { Emitter } from '../../../src/base/event.ts';
import type { JsonObject } from '../../../src/contract/json.ts';
import { ManagerError } from '../../../src/core/errors.ts';
import { LegacySession } from '../../../src/gateway/legacySession.ts';
import { failed, windowClosed } from '../../../src/gateway/outcomes.ts';
import type { Outcome } from '../../../src/gateway/reply.ts';
import type { ClientRequest, Surface, SurfaceEvent } from '../../../src/gateway/surface.ts';
import { UnclaimedLog } from '../../../src/gateway/unclaimedLog.ts';
import { settled } from '../../support/settled.ts';

describe('LegacySession', () => {
  let events: Emitter<SurfaceEvent>;
  let levels: (string | undefined)[];
  let asked: string[];
  let subscribing: Deferred<undefined>[];
  let answer: (request: ClientRequest) => Promise<Outcome>;
  let surface: Surface;
  beforeEach(() => {
    [events, levels, asked, subscribing] = [new Emitter<SurfaceEvent>(), [], [], []];
    answer = () => Promise.resolve({ kind: 'value', result: {} });
    surface = {
      onEvent: events.event,
      hello: () => Promise.reject(new Error('not asked')),
      answer: (request) => answer(request),
      setLogLevel: (level) => Promise.resolve(void levels.push(level)),
      subscribe: (uri) => {
        asked.push(`subscribe ${uri}`);
        const subscribed = deferred<undefined>();
        subscribing.push(subscribed);
        return subscribed.promise;
      },
      unsubscribe: (uri) => Promise.resolve(void asked.push(`unsubscribe ${uri}`)),
    };
  });

  const open = () => new LegacySession(surface, { kind: 'request', id: 0, method: 'initialize', params: {} });
  let id = 0;
  const ask = (session: LegacySession, method: string, params: JsonObject = {}): Promise<Outcome> =>
    session.answer({ kind: 'request', id: (id += 1), method, params }, { say: () => true });
  const done: Outcome = { kind: 'value', result: {} };
  const uri = 'a:b';
  /** What came on its own stream. */
  const heard = (session: LegacySession): string[] => {
    const lines: string[] = [];
    session.attach({ send: (json) => void lines.push(json), end: () => undefined });
    return lines;
  };

  it('leaves other sessions the log level that they asked for', async () => {
    const [one, two] = [open(), open()];
    await ask(one, 'logging/setLevel', { level: 'debug' });
    await ask(two, 'logging/setLevel', { level: 'error' });
    one.dispose();
    two.dispose();
    assert.deepEqual(levels, ['debug', 'debug', 'error', undefined]);
  });

  it('hears on its own stream that a server was started again, else with its next answer, once, and only where it wants warnings', async () => {
    const [listening, silent, loud] = [open(), open(), open()];
    const lines = heard(listening);
    await ask(loud, 'logging/setLevel', { level: 'error' });
    events.fire({ kind: 'restarted', server: 'one' });
    assert.match(
      lines.join(),
      /^\{"jsonrpc":"2.0","method":"notifications\/message".*"level":"warning".*\\"one\\" was started again/,
    );
    const said: string[] = [];
    const answered = async (session: LegacySession): Promise<number> => {
      said.length = 0;
      const say = (message: JsonObject): boolean => said.push(JSON.stringify(message)) > 0;
      await session.answer({ kind: 'request', id: (id += 1), method: 'tools/list', params: {} }, { say });
      return said.length;
    };
    assert.deepEqual([await answered(silent), await answered(silent)], [1, 0]);
    assert.deepEqual([await answered(listening), await answered(loud)], [0, 0]);
    assert.equal(lines.length, 1);
  });

  it('subscribes once to what its client asks for several times at once, and gives it back once', async () => {
    const session = open();
    const all = [1, 2, 3].map(() => ask(session, 'resources/subscribe', { uri }));
    await settled();
    assert.deepEqual(asked, [`subscribe ${uri}`]);
    subscribing[0]?.resolve(undefined);
    assert.deepEqual(await Promise.all(all), [done, done, done]);
    assert.deepEqual(await ask(session, 'resources/unsubscribe', { uri }), done);
    session.dispose();
    await settled();
    assert.deepEqual(asked, [`subscribe ${uri}`, `unsubscribe ${uri}`]);
  });

  it('asks again where the first time failed, for whoever waited for it, and gives back what never came', async () => {
    const session = open();
    const [first, second] = [1, 2].map(() => ask(session, 'resources/subscribe', { uri }));
    subscribing[0]?.reject(new ManagerError('unknownResource'));
    assert.equal((await first)?.kind, 'error');
    await settled();
    subscribing[1]?.reject(new ManagerError('unknownResource'));
    assert.equal((await second)?.kind, 'error');
    session.dispose();
    await settled();
    assert.deepEqual(asked, [`subscribe ${uri}`, `subscribe ${uri}`]);
  });

  it('gives back what it still waited for when it ended, once that came', async () => {
    const session = open();
    void ask(session, 'resources/subscribe', { uri });
    session.dispose();
    await settled();
    assert.deepEqual(asked, [`subscribe ${uri}`]);
    subscribing[0]?.resolve(undefined);
    await settled();
    assert.deepEqual(asked, [`subscribe ${uri}`, `unsubscribe ${uri}`]);
  });

  for (const outcome of ['unknown', 'notSent'] as const) {
    it(`tells a request under which the window closes so, and how far it came: ${outcome} [GATE-5e]`, async () => {
      const under = deferred<undefined>();
      answer = async ({ signal }) => {
        signal.addEventListener('abort', () => under.resolve(undefined));
        await under.promise;
        return failed(new ManagerError('cancelled', {}, { outcome }));
      };
      const session = open();
      const answered = ask(session, 'tools/call');
      session.dispose(windowClosed());
      const told = await answered;
      assert.ok(told.kind === 'error');
      assert.deepEqual(told.error.data, { code: 'windowClosed', outcome });
      assert.equal(told.error.message.includes('tools/call may have run'), outcome === 'unknown');
    });
  }

  it('says that a request was cancelled where it was, and passes on an answer that came at the very end', async () => {
    answer = ({ params, signal }) =>
      new Promise((resolve) => {
        const result: Outcome = params['answers'] === true ? done : failed(new ManagerError('cancelled'));
        signal.addEventListener('abort', () => resolve(result));
      });
    const [one, two] = [open(), open()];
    const [cancelled, answered] = [ask(one, 'tools/call'), ask(two, 'tools/call', { answers: true })];
    one.dispose();
    two.dispose(windowClosed());
    const told = await cancelled;
    assert.deepEqual(told.kind === 'error' && told.error.data, { code: 'cancelled', outcome: 'notSent' });
    assert.deepEqual(await answered, done);
  });

  it('hears a log line of no request where it alone follows the server, and where another one does too, neither hears it', async () => {
    const line = { level: 'info', data: 'of somebody’s call' };
    const fire = async (): Promise<void> => {
      events.fire({ kind: 'log', params: line, of: new UnclaimedLog() });
      await settled();
    };
    const one = open();
    const first = heard(one);
    await fire();
    assert.deepEqual(
      first.map((json) => (JSON.parse(json) as JsonObject)['params']),
      [line],
    );
    const two = open();
    const second = heard(two);
    await fire();
    assert.deepEqual([first.length, second.length], [1, 0]);
    one.dispose();
    await fire();
    assert.deepEqual([first.length, second.length], [1, 1]);
  });
});
