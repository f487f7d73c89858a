import assert from 'node:assert/strict';
import { beforeEach, describe, it } from 'mocha';
import { RestartNotices } from '../../../src/gateway/restartNotices.ts';
import type { ClientRequest } from '../../../src/gateway/surface.ts';

describe('the notices of restarts', () => {
  let notices: RestartNotices;
  let told: string[];
  beforeEach(() => {
    notices = new RestartNotices();
    told = [];
  });

  function ask(
    name: string,
    { era = 'modern', logLevel = 'info' }: { era?: 'legacy' | 'modern'; logLevel?: string | null } = {},
  ): void {
    notices.tell({
      client: {
        era,
        caller: { kind: 'gateway', name },
        capabilities: {},
        logLevel: logLevel ?? undefined,
        seen: new Map(),
      },
      tell: (method: string, { data }: { data?: unknown }) =>
        told.push(`${name} ${method} ${String(data).split('"')[1] ?? ''}`),
    } as unknown as ClientRequest);
  }

  it('tell each modern caller once, of every server that was started again since it asked last', () => {
    ask('one');
    ask('other');
    for (const server of ['a', 'b', 'a']) notices.note(server);
    ask('one');
    ask('one');
    ask('other');
    assert.deepEqual(told, [
      'one notifications/message a',
      'one notifications/message b',
      'other notifications/message a',
      'other notifications/message b',
    ]);
  });

  it('tell nobody of what was before them', () => {
    notices.note('a');
    ask('new');
    assert.deepEqual(told, []);
    notices.note('b');
    ask('new');
    assert.deepEqual(told, ['new notifications/message b']);
  });

  it('tell nobody who wants no log lines, or only louder ones, nor a session, which has its own stream', () => {
    for (const logLevel of [null, 'error']) {
      ask('one', { logLevel });
      notices.note('a');
      ask('one', { logLevel });
    }
    ask('session', { era: 'legacy' });
    notices.note('a');
    ask('session', { era: 'legacy' });
    assert.deepEqual(told, []);
  });

  it('forget whoever was away longest, and not who comes again and again', () => {
    ask('often');
    ask('once');
    for (let caller = 0; caller < 62; caller += 1) ask(`caller ${caller}`);
    ask('often');
    ask('one more');
    notices.note('a');
    ask('often');
    ask('once');
    assert.deepEqual(told, ['often notifications/message a']);
  });
});
