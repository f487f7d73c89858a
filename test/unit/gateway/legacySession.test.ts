import assert from 'node:assert/strict';
import { describe, it } from 'mocha';
import { Emitter } from '../../../src/base/event.ts';
import { LegacySession } from '../../../src/gateway/legacySession.ts';
import type { Surface, SurfaceEvent } from '../../../src/gateway/surface.ts';

describe('LegacySession', () => {
  it('leaves other sessions the log level that they asked for', async () => {
    const levels: (string | undefined)[] = [];
    const surface = {
      onEvent: new Emitter<SurfaceEvent>().event,
      setLogLevel: (level: string | undefined) => Promise.resolve(void levels.push(level)),
    } as unknown as Surface;
    const open = () => new LegacySession(surface, { kind: 'request', id: 0, method: 'initialize', params: {} });
    const [one, two] = [open(), open()];
    const set = (session: LegacySession, level: string) =>
      session.answer(
        { kind: 'request', id: 1, method: 'logging/setLevel', params: { level } },
        { say: () => true },
        new AbortController().signal,
      );
    await set(one, 'debug');
    await set(two, 'error');
    one.dispose();
    two.dispose();
    assert.deepEqual(levels, ['debug', 'debug', 'error', undefined]);
  });
});
