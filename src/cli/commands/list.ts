// `list`: starts all enabled servers at once. Text comes server by server in the order of the file, JSON all together.
import type { ConfiguredServer } from '../../core/config/model.ts';
import { problemOf } from '../../core/connection/failureState.ts';
import type { Problem } from '../../core/connection/state.ts';
import { exitCodes } from '../exitCodes.ts';
import { type Command, type Host, UsageError } from '../host.ts';
import { inOrder } from '../inOrder.ts';
import { jsonText } from '../output/jsonText.ts';
import { type ListedServer, listedServer, listText } from '../output/listReport.ts';
import { wordsOf } from '../output/words.ts';
import type { OpenServers, Servers } from '../servers.ts';
import { openWithCore, withServers } from '../withServers.ts';

export const listCommand: Command = { run: (argv, host) => runList(argv, host, openWithCore) };

export function runList(argv: readonly string[], real: Host, open: OpenServers): Promise<number> {
  return withServers('list', argv, real, open, async (servers, { json, positionals }, host) => {
    if (positionals.length > 0) throw new UsageError('list takes no arguments.');
    const problems = await inOrder(
      servers.configured,
      (server) => start(server, servers, host.signal),
      ({ key }, problem) => {
        if (!json && !host.signal.aborted) host.out(listText(servers.view(key), problem));
      },
    );
    if (host.signal.aborted) return exitCodes.interrupted;
    if (json) {
      const listed = servers.configured.map(({ key }, index) =>
        jsonOf(listedServer(servers.view(key), problems[index])),
      );
      host.out(`{"servers":[${listed.join(',')}]}\n`);
    } else if (servers.configured.length === 0) host.out('No servers are configured.\n');
    return exitCodes.ok;
  });
}

/** A server whose items cannot be written costs the others nothing. */
function jsonOf(listed: ListedServer): string {
  try {
    return jsonText(listed);
  } catch (error) {
    const detail = `the items of this server cannot be written as JSON: ${error instanceof Error ? error.message : ''}`;
    const words = wordsOf({ code: 'internal', data: { detail } });
    const empty = { tools: [], resources: [], resourceTemplates: [], prompts: [] };
    return jsonText({ ...listed, ...empty, error: { code: 'internal', ...words } } satisfies ListedServer);
  }
}

/** What kept the server from being used; undefined when it is up, or is not meant to be. */
async function start(server: ConfiguredServer, servers: Servers, signal: AbortSignal): Promise<Problem | undefined> {
  if (!server.definition.enabled) return undefined;
  try {
    await servers.use(server.key, { signal });
    return undefined;
  } catch (error) {
    const problem = problemOf(error);
    return { ...problem, data: { server: server.id, ...problem.data } };
  }
}
