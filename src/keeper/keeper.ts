// The keeper from its election to its end (KEEP-1, KEEP-4). Must run under the lock of its place. Promises: nothing that
// another one left runs when it can be found; whoever finds it can reach it; it ends when it was told to, when nobody was here
// for as long as was said, or when the place is not its own any more; and then it stops every child before it lets go.
import { unlink } from 'node:fs/promises';
import { join } from 'node:path';
import { type Clock, systemClock } from '../base/clock.ts';
import type { Disposable } from '../base/disposable.ts';
import { type KeeperDescriptor, type KeeperStatus, keeperWire } from '../contract/keeperWire.ts';
import { writeDescriptor } from '../core/config/descriptorFile.ts';
import { ownIdentity } from '../core/config/processIdentity.ts';
import { OwnerGuard } from '../core/guard/ownerGuard.ts';
import { type KeeperFiles, readKeeper } from '../core/keeper/keeperFiles.ts';
import { limits } from '../core/limits.ts';
import type { Log } from '../core/ports.ts';
import { Gateway } from '../gateway/gateway.ts';
import { createToken } from '../gateway/token.ts';
import { Holds } from './holds.ts';
import { watchIdle } from './idleWatch.ts';
import { KeptServers } from './keptServers.ts';
import { watchPlace } from './placeWatch.ts';
import { keeperService } from './service.ts';

export interface KeeperOptions {
  /** The product's folder. */
  readonly home: string;
  readonly files: KeeperFiles;
  readonly build: string;
  /** The guard's program. */
  readonly guard: string;
  /** Milliseconds without holds and sessions until it ends; undefined: it does not. */
  readonly idle: number | undefined;
  /** It is to end. */
  readonly signal: AbortSignal;
  readonly clock?: Clock;
}

/** Resolves when nothing of it is left. Fails with an error of the system where it cannot be found or reached. */
export async function runKeeper(options: KeeperOptions): Promise<void> {
  const { home, files, build, idle, signal, clock = systemClock() } = options;
  const ended = new AbortController();
  const stop = (): void => ended.abort();
  if (signal.aborted) return;
  signal.addEventListener('abort', stop, { once: true });
  const owner = new OwnerGuard({ home, program: options.guard, log: silent, clock });
  const holds = new Holds(clock);
  const servers = new KeptServers({ clock, owner, holds, onGone: (surface) => gateway.drop(surface) });
  const [process, since, token] = [await ownIdentity(), clock.now(), createToken()];
  const status = (): KeeperStatus => ({
    wire: keeperWire,
    build,
    process,
    since,
    idleSeconds: idle === undefined ? null : idle / 1_000,
    holds: holds.size,
    sessions: gateway.sessions,
    servers: servers.all().map((server) => {
      const { key, id, file, fingerprint, state } = server;
      return { key, id, file, path: servers.pathOf(server), fingerprint, state, holds: holds.holdersOf(key) };
    }),
  });
  const gateway = new Gateway({
    clock,
    token,
    surface: (endpoint) => (endpoint.kind === 'server' ? servers.at(endpoint.id) : undefined),
    most: limits.keeper.sessions,
    service: keeperService({ holds, servers, status, end: stop, signal: ended.signal }),
  });
  let idleWatch: Disposable | undefined;
  let unwatch: (() => Promise<void>) | undefined;
  try {
    // What a keeper left that was killed ends first: no second copy of a server runs beside it.
    await owner.endLeftovers();
    const url = await gateway.listen();
    const socket = (await gateway.listenOnSocket(files.socket).catch(() => false)) ? files.socket : undefined;
    const descriptor: KeeperDescriptor = {
      version: 1,
      wire: keeperWire,
      build,
      process,
      url,
      token,
      ...(socket !== undefined && { socket }),
    };
    await writeDescriptor(files.folder, files.descriptor, descriptor);
    const isUsed = (): boolean => holds.size > 0 || gateway.isUsed;
    if (idle !== undefined) idleWatch = watchIdle({ clock, idle, isUsed, end: stop });
    unwatch = watchPlace({ files, descriptor, clock, end: stop });
    await aborted(ended.signal);
  } finally {
    signal.removeEventListener('abort', stop);
    ended.abort();
    idleWatch?.dispose();
    await unwatch?.();
    if ((await readKeeper(files))?.token === token)
      await unlink(join(files.folder, files.descriptor)).catch(() => undefined);
    holds.dispose();
    await gateway.close();
    await servers.dispose();
    owner.dispose();
  }
}

function aborted(signal: AbortSignal): Promise<void> {
  return new Promise((resolve) => {
    if (signal.aborted) resolve();
    else signal.addEventListener('abort', () => resolve(), { once: true });
  });
}

/** There is nobody to tell: what concerns a server is in its own log. */
const silent: Log = { info: () => undefined, warn: () => undefined, error: () => undefined };
