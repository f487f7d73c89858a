// A ServerConnection whose openings, clients and clock a test holds in its hands.
import { systemClock, type Clock } from '../../src/base/clock.ts';
import { deferred } from '../../src/base/deferred.ts';
import { Emitter } from '../../src/base/event.ts';
import type { ServerId } from '../../src/contract/serverConfig.ts';
import type { LiveClient } from '../../src/core/connection/liveClient.ts';
import { ServerConnection, type ConnectionSteps } from '../../src/core/connection/serverConnection.ts';
import type { Problem } from '../../src/core/connection/state.ts';
import type { Launch, LaunchFingerprint } from '../../src/core/transport/launch.ts';

export class HeldClient implements LiveClient {
  closed = 0;
  readonly negotiated = { era: 'legacy', revision: '2025-11-25', transport: 'stdio' } as const;
  readonly capabilities = {};
  readonly serverInfo = {};
  readonly #ended = new Emitter<Problem | undefined>();
  #hold = deferred<undefined>();
  onClose = this.#ended.event;
  onNotification = new Emitter<never>().event;

  constructor() {
    this.#hold.resolve(undefined);
  }
  request(): Promise<never> {
    return Promise.reject(new Error('not used'));
  }

  turn(): Promise<never> {
    return Promise.reject(new Error('not used'));
  }
  requestRaw(): Promise<never> {
    return Promise.reject(new Error('not used'));
  }
  notify(): Promise<void> {
    return Promise.resolve();
  }
  listen(): Promise<never> {
    return Promise.reject(new Error('not used'));
  }
  async close(): Promise<void> {
    this.closed += 1;
    await this.#hold.promise;
  }
  end(problem: Problem): void {
    this.#ended.fire(problem);
  }
  holdClose(): void {
    this.#hold = deferred();
  }
  releaseClose(): void {
    this.#hold.resolve(undefined);
  }
}

export function connectionWorld(overrides: Partial<ConnectionSteps> = {}, clock: Clock = systemClock()) {
  const pending: ReturnType<typeof deferred<LiveClient>>[] = [];
  const arrivals = [deferred<undefined>()];
  const steps: ConnectionSteps = {
    prepare: () => Promise.resolve(launch),
    open: () => {
      const answer = deferred<LiveClient>();
      pending.push(answer);
      arrivals.at(-1)?.resolve(undefined);
      arrivals.push(deferred());
      return answer.promise;
    },
    ...overrides,
  };
  return {
    connection: new ServerConnection(steps, clock),
    get opened() {
      return pending.length;
    },
    /** Resolves once the n-th opening began. */
    opening: (n: number) => arrivals[n - 1]!.promise,
    answer: () => {
      const client = new HeldClient();
      pending.at(-1)!.resolve(client);
      return client;
    },
    refuse: (error: Error) => pending.at(-1)!.reject(error),
  };
}

export const launch: Launch = {
  kind: 'stdio',
  id: 'a' as ServerId,
  protocol: 'legacy',
  timeouts: {},
  fingerprint: 'f' as LaunchFingerprint,
  command: 'a',
  args: [],
  env: {},
  cwd: '/',
};

/** Lets everything that needs no more input run. */
export async function turns(): Promise<void> {
  for (let i = 0; i < 20; i++) await Promise.resolve();
}
