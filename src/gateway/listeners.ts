// What the gateway listens on (GATE-1): a port of 127.0.0.1, and a socket that is the person's alone. Promises: bounded in
// connections and in time, also for those who know no token; when it closes, answers under way get a moment to go out.
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import type { Clock } from '../base/clock.ts';
import { limits } from '../core/limits.ts';
import { canBeSocket, freeSocket, protectSocket } from './socketFile.ts';

export interface ListenersOptions {
  readonly clock: Clock;
  /** That the port, and the socket, hold open at once; others are closed as they come. */
  readonly connections?: number;
}

/** `port`: undefined on the socket. */
type Serve = (request: IncomingMessage, response: ServerResponse, port: number | undefined) => Promise<void>;

export class Listeners {
  readonly #options: ListenersOptions;
  readonly #serve: Serve;
  readonly #servers: Server[] = [];

  constructor(options: ListenersOptions, serve: Serve) {
    this.#options = options;
    this.#serve = serve;
  }

  async onPort(port: number): Promise<string> {
    // Requests come only once it listens, and the port is known by then.
    let own = 0;
    const server = await this.#open(
      (server) => server.listen(port, '127.0.0.1'),
      () => own,
    );
    own = (server.address() as AddressInfo).port;
    return `http://127.0.0.1:${own}`;
  }

  async onSocket(path: string): Promise<boolean> {
    if (!canBeSocket(path) || !(await freeSocket(path, this.#options.clock))) return false;
    await this.#open(
      (server) => server.listen(path),
      () => undefined,
    );
    await protectSocket(path);
    return true;
  }

  async close(): Promise<void> {
    const closed = Promise.all(
      this.#servers.map((server) => new Promise<void>((resolve) => server.close(() => resolve()))),
    );
    const late = this.#options.clock.after(limits.gateway.farewell, () => {
      for (const server of this.#servers) server.closeAllConnections();
    });
    await closed;
    late.dispose();
  }

  async #open(listen: (server: Server) => void, port: () => number | undefined): Promise<Server> {
    const { head, request, idleConnection, look } = limits.gateway;
    const serve = (asked: IncomingMessage, response: ServerResponse): void =>
      void this.#serve(asked, response, port()).catch(() => response.destroy());
    const server = createServer(
      {
        noDelay: true,
        headersTimeout: head,
        requestTimeout: request,
        keepAliveTimeout: idleConnection,
        connectionsCheckingInterval: look,
      },
      serve,
    );
    // Without this the body would be invited before anybody looked at the head.
    server.on('checkContinue', serve);
    // Also of those who know no token, whose heads are waited for.
    server.maxConnections = this.#options.connections ?? limits.gateway.connections;
    await new Promise<void>((resolve, reject) => {
      server.once('error', reject);
      server.once('listening', resolve);
      listen(server);
    });
    this.#servers.push(server);
    return server;
  }
}
