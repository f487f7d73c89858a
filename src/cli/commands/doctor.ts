// `doctor`: tries every enabled server step by step, all at once, and says what is wrong and what to do about it. The
// verdict over all of them comes first, so text waits for the last one, with a line of progress where a person looks on.
import { systemClock } from '../../base/clock.ts';
import type { ConfigProblem, ConfiguredServer } from '../../core/config/model.ts';
import { clientInfo } from '../../core/connection/clientInfo.ts';
import { diagnose } from '../../core/diagnostics/diagnose.ts';
import { exitCodes } from '../exitCodes.ts';
import { type Command, type Host, UsageError } from '../host.ts';
import {
  disabledServer,
  type ExaminedServer,
  examinedServer,
  examinedText,
  verdictText,
} from '../output/doctorReport.ts';
import { jsonText } from '../output/jsonText.ts';
import { progressLine } from '../output/progressLine.ts';
import { processesText } from '../output/processReport.ts';
import { line } from '../output/shownText.ts';
import { wordsOf } from '../output/words.ts';
import type { OpenServers, Servers } from '../servers.ts';
import { openWithCore, withServers } from '../withServers.ts';

export const doctorCommand: Command = { run: (argv, host) => runDoctor(argv, host, openWithCore) };

export function runDoctor(argv: readonly string[], real: Host, open: OpenServers): Promise<number> {
  return withServers('doctor', argv, real, reporting(open), async (servers, options, host) => {
    if (options.positionals.length > 0) throw new UsageError('doctor takes no arguments.');
    const examined = await examineAll(servers, host);
    if (host.signal.aborted) return exitCodes.interrupted;
    const { configFile: file } = options;
    const [droppedVariables, droppedFolders] = [servers.droppedVariables(), servers.droppedFolders()];
    const processes = await servers.processes();
    if (options.json) {
      const config = { file, problems: [] };
      const told = { config, droppedVariables, droppedFolders, servers: examined, processes };
      host.out(`${jsonText({ ...platform(), ...told })}\n`);
    } else {
      const parts = [
        `${verdictText(examined)}\n${heading(file)}`,
        ...examined.map(examinedText),
        processesText(processes),
      ];
      host.out([...parts, ...droppedText(droppedVariables, droppedFolders)].join('\n'));
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
    } else host.out(`The configuration is refused; stderr says why.\n${heading(options.configFile)}`);
    return opened;
  };
}

function problemEntry({ code, data, position }: ConfigProblem) {
  const { server, field } = data;
  return { code, ...wordsOf({ code, data }), ...position, server, field };
}

async function examineAll(servers: Servers, host: Host): Promise<readonly ExaminedServer[]> {
  const { configured } = servers;
  const progress = progressLine(host);
  const waiting = new Set(configured.map(({ id }) => id));
  const tell = (): void => {
    if (waiting.size === 0) return;
    const done = configured.length - waiting.size;
    progress?.show({ progress: done, total: configured.length, message: `waiting for ${[...waiting].join(', ')}` });
  };
  tell();
  try {
    return await Promise.all(
      configured.map(async (server) => {
        const examined = await examine(server, servers, host.signal);
        waiting.delete(server.id);
        tell();
        return examined;
      }),
    );
  } finally {
    progress?.clear();
  }
}

async function examine(server: ConfiguredServer, servers: Servers, signal: AbortSignal): Promise<ExaminedServer> {
  if (!server.definition.enabled) return disabledServer(server.id);
  return examinedServer(await diagnose(server.id, servers.stepsFor(server), { clock: systemClock(), signal }));
}

function platform() {
  return { version: clientInfo.version, node: process.version, platform: `${process.platform} ${process.arch}` };
}

function heading(file: string): string {
  const { version, node, platform: machine } = platform();
  return `mcp-roundhouse ${version}, Node ${node}, ${machine}\nconfiguration: ${line(file)}\n`;
}

/** What servers do not get of the environment: mostly as it should be, so it comes last. */
function droppedText(variables: readonly string[], folders: readonly string[]): readonly string[] {
  const lines: string[] = [];
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
  return lines.length === 0 ? [] : [`${lines.join('\n')}\n`];
}
