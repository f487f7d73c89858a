import { clientInfo } from '../core/connection/clientInfo.ts';
import { exitCodes } from './exitCodes.ts';
import { type Command, type Host, UsageError } from './host.ts';

/** Runs one command line and answers with the exit code; never throws. */
export async function runProgram(argv: readonly string[], host: Host): Promise<number> {
  const [name, ...rest] = argv;
  try {
    if (name === undefined || name === '--help' || name === '-h' || name === 'help') {
      const { programHelp } = await import('./help.ts');
      if (name === undefined) {
        host.err(programHelp());
        return exitCodes.usage;
      }
      host.out(programHelp());
      return exitCodes.ok;
    }
    if (name === '--version' || name === '-V') {
      host.out(`${clientInfo.version}\n`);
      return exitCodes.ok;
    }
    const load = commands.get(name);
    if (load === undefined) throw new UsageError(unknown(name));
    const code = await (await load(rest)).run(rest, host);
    return host.interruptedBy() ?? code;
  } catch (error) {
    const interrupted = host.interruptedBy();
    if (interrupted !== undefined) return interrupted;
    if (error instanceof UsageError) {
      host.err(`mcp-roundhouse: ${error.message}\nRun "mcp-roundhouse --help" to see how it is used.\n`);
      return exitCodes.usage;
    }
    const { failureText } = await import('./output/words.ts');
    host.err(`mcp-roundhouse: ${failureText(error)}\n`);
    return exitCodes.internal;
  }
}

const commands: ReadonlyMap<string, (argv: readonly string[]) => Promise<Command>> = new Map([
  ['list', async () => (await import('./commands/list.ts')).listCommand],
  ['call', async () => (await import('./commands/call.ts')).callCommand],
  ['serve', async () => (await import('./commands/serve.ts')).serveCommand],
  [
    'proxy',
    async (argv: readonly string[]) => {
      // An agent waits: what the command itself would load next is read beside it, not after it.
      const isAlone = argv.some((arg) => arg.startsWith('--config'));
      const [{ proxyCommand }] = await Promise.all([
        import('./commands/proxy.ts'),
        isAlone ? import('./proxy/standAlone.ts') : undefined,
      ]);
      return proxyCommand;
    },
  ],
  ['doctor', async () => (await import('./commands/doctor.ts')).doctorCommand],
]);

function unknown(name: string): string {
  const what = name.startsWith('-') ? 'option' : 'command';
  const shown = JSON.stringify(name.length > 60 ? `${name.slice(0, 60)}…` : name);
  return `unknown ${what} ${shown}; the commands are ${[...commands.keys()].join(', ')}.`;
}
