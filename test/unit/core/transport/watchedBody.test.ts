import assert from 'node:assert/strict';
import { setImmediate } from 'node:timers/promises';
import { describe, it } from 'mocha';
import { limits } from '../../../../src/core/limits.ts';
import { StandaloneStream } from '../../../../src/core/transport/standaloneStream.ts';
import { watchedBody } from '../../../../src/core/transport/watchedBody.ts';
import { ManualClock } from '../../../support/manualClock.ts';

describe('a body that is watched', () => {
  const watch = (source: UnderlyingDefaultSource<Uint8Array>) => {
    const ends: string[] = [];
    return { ends, reader: watchedBody(new ReadableStream(source), () => ends.push('end')).getReader() };
  };

  it('tells its end once when it is given up during a read', async () => {
    const { ends, reader } = watch({});
    const read = reader.read();
    await setImmediate();
    await reader.cancel();
    assert.equal((await read).done, true);
    await setImmediate();
    assert.deepEqual(ends, ['end']);
  });

  it('tells its end once when it was read to its end, and when it broke', async () => {
    const whole = watch({ start: (controller) => controller.close() });
    assert.equal((await whole.reader.read()).done, true);
    await whole.reader.cancel();
    assert.deepEqual(whole.ends, ['end']);
    const broken = watch({ start: (controller) => controller.error(new Error('broken')) });
    await assert.rejects(broken.reader.read(), /broken/);
    await broken.reader.cancel().catch(() => undefined);
    assert.deepEqual(broken.ends, ['end']);
  });

  it('is opened again, as a stream of its own, after it was given up during a read', async () => {
    const clock = new ManualClock();
    let reopened = 0;
    const stream = new StandaloneStream(clock, () => {
      reopened += 1;
      return Promise.resolve();
    });
    const { body } = await stream.follow(() => Promise.resolve(new Response(new ReadableStream({}))));
    const reader = body!.getReader();
    const read = reader.read();
    await setImmediate();
    await reader.cancel();
    await read;
    await setImmediate();
    stream.check();
    clock.advance(limits.http.reopen);
    assert.equal(reopened, 1);
    stream.dispose();
  });
});
