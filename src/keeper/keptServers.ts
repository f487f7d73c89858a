// The servers that the keeper runs, one for each definition (scope and id, KEEP-1). Promises: the same launch of the same
// definition is shared; another launch takes the place of one that nobody else holds, once that one is gone, and is refused as
// a conflict where somebody does. A server stays when those go that launched it.
import { createHash } from 'node:crypto';
import { SerialQueue } from '../base/serialQueue.ts';
import type { KeptState, Launched, LaunchRequest } from '../contract/keeperWire.ts';
import { ManagerError } from '../core/errors.ts';
import type { Surface } from '../gateway/surface.ts';
import type { Holds } from './holds.ts';
import { KeptServer, type KeptServerDeps } from './keptServer.ts';

export interface KeptServersDeps extends Pick<KeptServerDeps, 'clock' | 'owner'> {
  readonly holds: Holds;
  /** There is nothing behind this surface any more. */
  readonly onGone: (surface: Surface) => void;
}

export class KeptServers {
  readonly #deps: KeptServersDeps;
  /** By the last part of their paths. */
  readonly #servers = new Map<string, KeptServer>();
  readonly #queues = new Map<string, SerialQueue>();
  #told = 0;
  #isOver = false;

  constructor(deps: KeptServersDeps) {
    this.#deps = deps;
  }

  all(): readonly KeptServer[] {
    return [...this.#servers.values()];
  }

  /** What a path shows; undefined where there is no such server. */
  at(name: string): Surface | undefined {
    return this.#servers.get(name)?.surface;
  }

  pathOf({ key }: Pick<KeptServer, 'key'>): string {
    return `/mcp/${nameOf(key)}`;
  }

  async launch(request: LaunchRequest, signal: AbortSignal): Promise<Launched> {
    const { key, hold } = request;
    if (hold !== undefined && !this.#deps.holds.has(hold))
      throw new ManagerError('cancelled', { server: request.launch.id });
    if (hold !== undefined) this.#deps.holds.take(hold, key);
    try {
      const server = await this.#serverFor(request);
      const state = await server.ready(signal);
      return { path: this.pathOf(server), state, at: this.#told };
    } catch (error) {
      if (hold !== undefined) this.#deps.holds.release(hold, key);
      throw error;
    }
  }

  async stop(key: string): Promise<void> {
    await this.#get(key).stop();
  }

  async restart(key: string, signal: AbortSignal): Promise<void> {
    await this.#get(key).restart(signal);
  }

  /** Ends all of them at the same time; resolves when nothing of them is left. */
  async dispose(): Promise<void> {
    this.#isOver = true;
    // One that is being replaced is in nobody's table.
    await Promise.all([...this.#queues.values()].map((queue) => queue.run(() => Promise.resolve())));
    await Promise.all(this.all().map((server) => server.dispose()));
    this.#servers.clear();
  }

  /** One after the other for each definition: of two that differ, one is first. */
  #serverFor(request: LaunchRequest): Promise<KeptServer> {
    const name = nameOf(request.key);
    const queue = this.#queues.get(name) ?? new SerialQueue();
    this.#queues.set(name, queue);
    return queue.run(async () => {
      const known = this.#servers.get(name);
      if (known?.fingerprint === request.launch.fingerprint) {
        known.take(request);
        return known;
      }
      if (known !== undefined) await this.#replace(name, known, request);
      if (this.#isOver) throw new ManagerError('connectionClosed', { server: request.launch.id });
      const { clock, owner, holds } = this.#deps;
      const server = new KeptServer(request, {
        clock,
        owner,
        onState: (key, state) => this.#tell(key, state),
        onLog: (key, line) => holds.tell({ kind: 'log', key, line }),
      });
      this.#servers.set(name, server);
      return server;
    });
  }

  async #replace(name: string, known: KeptServer, { key, hold, launch }: LaunchRequest): Promise<void> {
    if (this.#deps.holds.holdersOf(key, hold) > 0) {
      throw new ManagerError('blockedConflict', { server: launch.id, other: known.file });
    }
    this.#servers.delete(name);
    this.#deps.onGone(known.surface);
    await known.dispose();
  }

  #tell(key: string, state: KeptState): void {
    this.#told += 1;
    this.#deps.holds.tell({ kind: 'state', key, state, at: this.#told });
  }

  #get(key: string): KeptServer {
    const server = this.#servers.get(nameOf(key));
    if (server === undefined) throw new ManagerError('unknownServer', { server: key });
    return server;
  }
}

/** In a path: keys hold folders. */
function nameOf(key: string): string {
  return createHash('sha256').update(key).digest('hex').slice(0, 24);
}
