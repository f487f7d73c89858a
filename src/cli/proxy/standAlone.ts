// `proxy` with a configuration of its own (GATE-5): all its servers as one, run by this process, for the one agent that
// started it. The handshake is answered before any server is up; the servers start at once then, and end with it.
import { systemClock } from '../../base/clock.ts';
import { limits } from '../../core/limits.ts';
import { Aggregate } from '../../gateway/aggregate.ts';
import { exitCodes } from '../exitCodes.ts';
import type { Host } from '../host.ts';
import { openServers } from '../openServers.ts';
import type { CommandOptions } from '../options.ts';
import { tellFailures } from '../tellFailures.ts';
import { withOpenServers } from '../withServers.ts';
import { LineOutput } from './lineOutput.ts';
import { LineServer } from './lineServer.ts';
import { lastWords, wireLoop } from './wireLoop.ts';

export function runStandAlone(options: CommandOptions, real: Host): Promise<number> {
  return withOpenServers('proxy', options, real, openServers, async (servers, _, host) => {
    const clock = systemClock();
    const output = new LineOutput(real.wire.output);
    const tell = (text: string): void => host.err(`mcp-roundhouse: ${text}\n`);
    const troubles = tellFailures(servers, tell);
    const aggregate = new Aggregate({ ...servers.gateway, log: { info: () => undefined, warn: tell, error: tell } });
    const server = new LineServer(aggregate.at({ kind: 'all', plan: false }), {
      write: (...pieces) => output.write(...pieces),
      get isFull() {
        return output.unread > limits.proxy.unread;
      },
    });
    await wireLoop({ host: real, clock, output, server });
    troubles.dispose();
    server.dispose();
    await lastWords({ host: real, clock, output });
    aggregate.dispose();
    return exitCodes.ok;
  });
}
