// `doctor`: tries every enabled server step by step, all at once, and says what is wrong and what to do about it.
// Text comes server by server in the order of the file.
import { systemClock } from '../../base/clock.ts';
import type { ConfigProblem, ConfiguredServer } from '../../core/config/model.ts';
import { clientInfo } from '../../core/connection/clientInfo.ts';
import { diagnose } from '../../core/diagnostics/diagnose.ts';
import { exitCodes } from '../exitCodes.ts';
import { type Command, type Host, UsageError } from '../host.ts';
import { inOrder } from '../inOrder.ts';
import { disabledServer, type ExaminedServer, examinedServer, examinedText } from '../output/doctorReport.ts';
import { jsonText } from '../output/jsonText.ts';
import { line } from '../output/shownText.ts';
import { wordsOf } from '../output/words.ts';
import type { OpenServers, Servers } from '../servers.ts';
import { openWithCore, withServers } from '../withServers.ts';

export const doctorCommand: Command = { run: (argv, host) => runDoctor(argv, host, openWithCore) };

export function runDoctor(argv: readonly string[], real: Host, open: OpenServers): Promise<number> {
  return withServers('doctor', argv, real, reporting(open), async (servers, options, host) => {
    if (options.positionals.length > 0) throw new UsageError('doctor takes no arguments.');
    const dropped = { variables: servers.droppedVariables(), folders: servers.droppedFolders() };
    if (!options.json) host.out(heading(options.configFile, dropped));
    const examined = await inOrder(
      servers.configured,
      (server) => examine(server, servers, host.signal),
      (_server, result) => {
        if (!options.json && !host.signal.aborted) host.out(`\n${examinedText(result)}`);
      },
    );
    if (host.signal.aborted) return exitCodes.interrupted;
    if (options.json) {
      const config = { file: options.configFile, problems: [] };
      const { variables: droppedVariables, folders: droppedFolders } = dropped;
      host.out(`${jsonText({ ...platform(), config, droppedVariables, droppedFolders, servers: examined })}\n`);
    }
    return examined.every(({ healthy }) => healthy) ? exitCodes.ok : exitCodes.negative;
  });
}

/** What was asked about is told even of a refused configuration; its problems stand on stderr in both forms. */
function reporting(open: OpenServers): OpenServers {
  return async (options, host) => {
    const opened = await open(options, host);
    if (opened.kind === 'opened') return opened;
    if (options.json) {
      const config = { file: options.configFile, problems: opened.problems.map(problemEntry) };
      host.out(`${jsonText({ ...platform(), config, droppedVariables: [], droppedFolders: [], servers: [] })}\n`);
    } else host.out(heading(options.configFile, { variables: [], folders: [] }));
    return opened;
  };
}

function problemEntry({ code, data, position }: ConfigProblem) {
  const { server, field } = data;
  return { code, ...wordsOf({ code, data }), ...position, server, field };
}

async function examine(server: ConfiguredServer, servers: Servers, signal: AbortSignal): Promise<ExaminedServer> {
  if (!server.definition.enabled) return disabledServer(server.id);
  return examinedServer(await diagnose(server.id, servers.stepsFor(server), { clock: systemClock(), signal }));
}

function platform() {
  return { version: clientInfo.version, node: process.version, platform: `${process.platform} ${process.arch}` };
}

interface Dropped {
  readonly variables: readonly string[];
  readonly folders: readonly string[];
}

function heading(file: string, { variables, folders }: Dropped): string {
  const { version, node, platform: machine } = platform();
  const lines = [`mcp-roundhouse ${version}, Node ${node}, ${machine}`, `configuration: ${line(file)}`];
  if (folders.length > 0) {
    const shown = folders.map((folder) => line(folder, 200)).join(', ');
    lines.push(`folders of PATH that are not absolute, so not passed to servers: ${shown}`);
  }
  if (variables.length > 0) {
    lines.push(
      `not passed to servers: ${variables.map((name) => line(name, 100)).join(', ')}`,
      '  (put what a server needs into the env of its entry, such as "NAME": "${env:NAME}")',
    );
  }
  return `${lines.join('\n')}\n`;
}
