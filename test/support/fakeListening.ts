// The listen streams of a fake modern server: each one that is opened can be ended by the test.
import { type Deferred, deferred } from '../../src/base/deferred.ts';
import type { JsonObject } from '../../src/contract/json.ts';
import type { LiveSubscription } from '../../src/core/connection/liveClient.ts';
import type { Listen } from './fakeLiveClient.ts';

export interface FakeStream {
  readonly filter: JsonObject;
  readonly closed: Deferred<'local' | 'graceful' | 'remote'>;
  open: boolean;
}

export interface FakeListening {
  readonly listen: Listen;
  readonly streams: FakeStream[];
  /** What the next streams are acknowledged with; an error refuses them. */
  answer: (filter: JsonObject) => JsonObject | Promise<JsonObject>;
}

export function fakeListening(): FakeListening {
  const fake: FakeListening = {
    streams: [],
    answer: (filter) => filter,
    listen: async (filter, { signal }): Promise<LiveSubscription> => {
      const stream: FakeStream = { filter, closed: deferred(), open: true };
      fake.streams.push(stream);
      const close = (): void => {
        stream.open = false;
        stream.closed.resolve('local');
      };
      signal?.addEventListener('abort', close, { once: true });
      const honoured = await fake.answer(filter);
      return { honoured, closed: stream.closed.promise, close };
    },
  };
  return fake;
}
