// A fixture server, connected, listed and watched by the real parts, with a router over it: what a manager would hold
// for one server, without configuration and trust.
import { afterEach } from 'mocha';
import { type Clock, systemClock } from '../../src/base/clock.ts';
import type { JsonObject } from '../../src/contract/json.ts';
import type { PolicyWord, ProtocolMode, TimeoutOverrides } from '../../src/contract/serverConfig.ts';
import type { ConfigScope } from '../../src/contract/serverConfig.ts';
import type { ServerKey } from '../../src/core/config/model.ts';
import type { LiveClient, ServerRequestHandlers } from '../../src/core/connection/liveClient.ts';
import { openClient } from '../../src/core/connection/openClient.ts';
import type { Generation } from '../../src/core/connection/state.ts';
import type { OfferSource } from '../../src/core/discovery/offerSource.ts';
import type { ServerSnapshot } from '../../src/core/discovery/snapshot.ts';
import { ManagerError } from '../../src/core/errors.ts';
import type { CallPrompt } from '../../src/core/ports.ts';
import { OfferWatch, type OfferWatchOptions } from '../../src/core/subscriptions/offerWatch.ts';
import type { CallOptions, ToolCall, ToolResult } from '../../src/core/tools/callTypes.ts';
import { RecentCalls } from '../../src/core/tools/recentCalls.ts';
import { SchemaChecker } from '../../src/core/tools/schemaCheck.ts';
import { type CallServer, ToolRouter } from '../../src/core/tools/toolRouter.ts';
import { type FixtureLog, fixtureCommand, fixtureLog, type Overrides, startHttpFixture } from './fixtureServer.ts';
import { opening, remoteLaunch, stdioLaunch } from './openOptions.ts';
import { patience } from './patience.ts';

export interface ConnectOptions {
  readonly over?: 'stdio' | 'http';
  readonly protocol?: ProtocolMode;
  readonly overrides?: Overrides;
  readonly timeouts?: TimeoutOverrides;
  readonly handlers?: ServerRequestHandlers;
  readonly pace?: OfferWatchOptions['pace'];
  /** Of what the lists and subscriptions wait for; requests keep the system's. */
  readonly clock?: Clock;
  /** Milliseconds that the check of a schema with patterns may take. */
  readonly patternTime?: number;
  /** toolPolicies of the definition, and where it stands. */
  readonly policies?: Record<string, PolicyWord>;
  readonly scope?: ConfigScope;
  readonly prompt?: CallPrompt;
  /** Whether this connection still owns the server; it does unless told otherwise. */
  readonly isCurrent?: () => boolean;
}

export interface Connected {
  readonly client: LiveClient;
  readonly watch: OfferWatch;
  readonly log: FixtureLog;
  readonly router: ToolRouter;
  readonly calls: RecentCalls;
  /** Every snapshot that was published. */
  readonly published: readonly ServerSnapshot[];
  readonly snapshot: ServerSnapshot;
  readonly source: OfferSource;
  /** Calls through the router, schemas checked unless told otherwise. */
  readonly call: (tool: string, args?: JsonObject, options?: Partial<CallOptions & ToolCall>) => Promise<ToolResult>;
  readonly close: () => Promise<void>;
}

/** Gives a describe block its `connect`, and closes what that opened after each test. */
export function useFixtures(
  defaults: ConnectOptions = {},
): (name: string, options?: ConnectOptions) => Promise<Connected> {
  const open: Connected[] = [];
  afterEach(async () => {
    await Promise.all(open.splice(0).map((server) => server.close()));
  });
  return async (name, options) => {
    const server = await connectFixture(name, { ...defaults, ...options });
    open.push(server);
    return server;
  };
}

async function connectFixture(name: string, options: ConnectOptions = {}): Promise<Connected> {
  const { client, log, stop } = await open(name, options);
  const clock = options.clock ?? systemClock();
  const watch = new OfferWatch({
    client,
    clock,
    generation: 1 as Generation,
    firstRevision: 1,
    isCurrent: options.isCurrent ?? (() => true),
    ...(options.pace && { pace: options.pace }),
  });
  const published: ServerSnapshot[] = [];
  watch.onDidPublish((snapshot) => published.push(snapshot));
  const checker = new SchemaChecker({
    worker: new URL('./schemaWorker.mjs', import.meta.url),
    time: patience,
    patternTime: options.patternTime ?? patience,
  });
  const calls = new RecentCalls(clock);
  let gone = false;
  client.onClose(() => (gone = true));
  const live = (): CallServer | undefined => {
    const { snapshot } = watch;
    return gone || snapshot === undefined ? undefined : { client, snapshot, view: viewOf(options) };
  };
  const use = (): Promise<CallServer> => {
    const server = live();
    return server === undefined
      ? Promise.reject(new ManagerError('connectionClosed', { server: 'fixture' }))
      : Promise.resolve(server);
  };
  const { prompt } = options;
  const router = new ToolRouter({
    clock,
    calls,
    checker,
    live,
    barred: () => undefined,
    use,
    grant: () => undefined,
    ...(prompt && { prompt }),
  });
  const close = async (): Promise<void> => {
    watch.dispose();
    checker.dispose();
    await client.close();
    await stop();
  };
  try {
    await watch.start();
  } catch (error) {
    await close();
    throw error;
  }
  return {
    client,
    watch,
    log,
    router,
    calls,
    published,
    close,
    get snapshot() {
      return watch.snapshot!;
    },
    get source() {
      return { id: 'fixture', client, snapshot: watch.snapshot! };
    },
    call: (tool, args = {}, more = {}) => {
      const { signal, onProgress, onUnchecked, validate = true, ...call } = more;
      return router.call(
        { server: key, tool, args, caller: { kind: 'tree', name: 'test' }, ...call },
        { validate, ...(signal && { signal }), ...(onProgress && { onProgress }), ...(onUnchecked && { onUnchecked }) },
      );
    },
  };
}

const key = 'user:fixture' as ServerKey;

interface Opened {
  readonly client: LiveClient;
  readonly log: FixtureLog;
  readonly stop: () => Promise<void>;
}

async function open(name: string, options: ConnectOptions): Promise<Opened> {
  const { over = 'stdio', protocol = 'legacy', timeouts = {}, handlers = {}, overrides } = options;
  if (over === 'http') {
    const fixture = await startHttpFixture(name, overrides);
    const client = await openClient(remoteLaunch(fixture.url, { protocol, timeouts }), opening({ handlers })).catch(
      async (error: unknown) => {
        await fixture.stop();
        throw error;
      },
    );
    return { client, log: fixture.log, stop: () => fixture.stop() };
  }
  const log = fixtureLog();
  const launch = stdioLaunch(fixtureCommand(name, overrides, log), { protocol, timeouts });
  const stop = (): Promise<void> => {
    log.dispose();
    return Promise.resolve();
  };
  return { client: await openClient(launch, opening({ handlers })), log, stop };
}

function viewOf({ policies = {}, scope = { kind: 'user' } }: ConnectOptions): CallServer['view'] {
  // What the router reads of a view, and no more.
  return {
    key,
    server: { key, id: 'fixture', scope },
    policies: scope.kind === 'user' ? { personEntry: policies } : { project: policies },
  } as unknown as CallServer['view'];
}
