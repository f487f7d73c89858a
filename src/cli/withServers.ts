import { exitCodes } from './exitCodes.ts';
import type { CommandName } from './help.ts';
import type { Host } from './host.ts';
import { type CommandOptions, parseOptions } from './options.ts';
import type { OpenServers, Servers } from './servers.ts';
import { jsonText } from './output/jsonText.ts';
import { configProblemText, wordsOf } from './output/words.ts';

/**
 * The frame of a command: reads arguments and configuration, runs `body`, and ends every server whatever happened.
 * A refused configuration is told on stderr, problem by problem; as JSON its first problem is told on stdout too. `body`
 * gets a host that shows nothing of what servers were lent.
 */
export async function withServers(
  name: CommandName,
  argv: readonly string[],
  host: Host,
  open: OpenServers,
  body: (servers: Servers, options: CommandOptions, host: Host) => Promise<number>,
): Promise<number> {
  const options = parseOptions(argv, host);
  if (options === 'help') {
    const { commandHelp } = await import('./help.ts');
    host.out(commandHelp(name));
    return exitCodes.ok;
  }
  return withOpenServers(name, options, host, open, body);
}

/** The same for options that were read already. */
export async function withOpenServers(
  name: CommandName,
  options: CommandOptions,
  host: Host,
  open: OpenServers,
  body: (servers: Servers, options: CommandOptions, host: Host) => Promise<number>,
): Promise<number> {
  const opened = await open(name === 'serve' || name === 'proxy' ? { ...options, relayed: true } : options, host);
  if (opened.kind === 'refused') {
    const [first] = opened.problems;
    // `doctor` has reported it in a form of its own.
    if (options.json && name !== 'doctor' && first !== undefined) {
      const { code, data } = first;
      const outcome = name === 'call' ? { outcome: 'notSent' } : {};
      host.out(`${jsonText({ error: { code, ...wordsOf({ code, data }), ...outcome } })}\n`);
    }
    for (const problem of opened.problems) host.err(`${configProblemText(problem)}\n`);
    return exitCodes.configRefused;
  }
  try {
    return await body(opened.servers, options, withoutSecrets(host, opened.servers));
  } finally {
    await opened.servers.dispose();
  }
}

function withoutSecrets(host: Host, { secrets }: Servers): Host {
  const hiding: Pick<Host, 'out' | 'err'> = {
    out: (text) => host.out(secrets.content(text)),
    err: (text) => host.err(secrets.content(text)),
  };
  // Not a copy: what it answers may change while a command runs.
  return Object.assign(Object.create(host) as Host, hiding);
}

/** Opens with the real core, which is loaded only now. */
export const openWithCore: OpenServers = async (options, host) => {
  const { openServers } = await import('./openServers.ts');
  return openServers(options, host);
};
