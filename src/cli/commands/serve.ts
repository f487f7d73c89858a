// `serve`: the gateway without an editor, until the program is ended (GATE-5).
import { once } from 'node:events';
import { systemClock } from '../../base/clock.ts';
import { Aggregate } from '../../gateway/aggregate.ts';
import { createToken } from '../../gateway/token.ts';
import { Gateway } from '../../gateway/gateway.ts';
import { ServerSurface } from '../../gateway/serverSurface.ts';
import type { Surface } from '../../gateway/surface.ts';
import type { Endpoint } from '../../gateway/admission.ts';
import { exitCodes } from '../exitCodes.ts';
import { type Command, UsageError } from '../host.ts';
import { tellFailures } from '../tellFailures.ts';
import { openWithCore, withServers } from '../withServers.ts';

export const serveCommand: Command = {
  run: (argv, host) =>
    withServers('serve', argv, host, openWithCore, async (servers, options, shown) => {
      if (options.positionals.length > 0) throw new UsageError('serve takes no arguments.');
      const token = options.insecureNoToken ? undefined : createToken();
      const surfaces = new Map(
        servers.configured.map(({ id }) => [String(id), new ServerSurface(id, servers.gateway)]),
      );
      const tell = (text: string): void => shown.err(`${text}\n`);
      const troubles = tellFailures(servers, tell);
      const aggregate = new Aggregate({
        ...servers.gateway,
        log: { info: () => undefined, warn: tell, error: tell },
      });
      const surface = (endpoint: Endpoint): Surface | undefined =>
        endpoint.kind === 'all' ? aggregate.at(endpoint) : surfaces.get(endpoint.id);
      const gateway = new Gateway({ clock: systemClock(), token, surface });
      const url = await gateway.listen(options.port).catch((error: unknown) => {
        throw isTaken(error)
          ? new UsageError(`port ${options.port} is in use: choose another, or leave it out.`)
          : error;
      });
      if (token === undefined)
        tell('No token is asked for: every program and person on this machine can call every tool.');
      host.out(
        `${JSON.stringify({ url, mcp: `${url}/mcp`, ...(token === undefined ? {} : { token }), pid: process.pid })}\n`,
      );
      if (!host.signal.aborted) await once(host.signal, 'abort');
      troubles.dispose();
      await gateway.close();
      aggregate.dispose();
      for (const each of surfaces.values()) each.dispose();
      return exitCodes.interrupted;
    }),
};

function isTaken(error: unknown): boolean {
  return error instanceof Error && 'code' in error && error.code === 'EADDRINUSE';
}
