// `call`: starts one server and calls one tool of it, through the same router and policy as every other caller.
import { alteredNumber, repeatedKey } from '../../base/jsonFaults.ts';
import { nearest } from '../../base/nearest.ts';
import { isJsonObject, type JsonObject } from '../../contract/json.ts';
import { problemOf } from '../../core/connection/failureState.ts';
import { ManagerError } from '../../core/errors.ts';
import { limits } from '../../core/limits.ts';
import { toolFailure } from '../../core/tools/toolFailure.ts';
import { exitCodes } from '../exitCodes.ts';
import { type Command, type Host, UsageError } from '../host.ts';
import { jsonText } from '../output/jsonText.ts';
import { progressLine } from '../output/progressLine.ts';
import { resultText } from '../output/resultText.ts';
import { line } from '../output/shownText.ts';
import { wordsOf } from '../output/words.ts';
import type { CommandOptions } from '../options.ts';
import type { OpenServers, Servers } from '../servers.ts';
import { openWithCore, withServers } from '../withServers.ts';

export const callCommand: Command = { run: (argv, host) => runCall(argv, host, openWithCore) };

export function runCall(argv: readonly string[], real: Host, open: OpenServers): Promise<number> {
  return withServers('call', argv, real, open, async (servers, options, host) => {
    const [id, tool, json, ...more] = options.positionals;
    if (id === undefined || tool === undefined) throw new UsageError('call needs SERVER and TOOL.');
    if (more.length > 0) throw new UsageError('call takes SERVER, TOOL and one JSON object.');
    try {
      const args = await readArguments(json, { id, tool }, host);
      const result = await callTool(servers, { id, tool, args }, host);
      // As JSON a result is data for whoever called, and stays what the server sent.
      if (options.json) real.out(`${jsonText(result)}\n`);
      return show(servers.secrets.content(result), { id, tool, json: options.json }, host);
    } catch (error) {
      const interrupted = host.interruptedBy();
      if (interrupted !== undefined) return interrupted;
      if (error instanceof UsageError) throw error;
      return showFailure(error, options, host);
    }
  });
}

async function readArguments(
  text: string | undefined,
  { id, tool }: Pick<Wanted, 'id' | 'tool'>,
  host: Host,
): Promise<JsonObject> {
  if (text === undefined) return {};
  // Files of some editors begin with a byte order mark.
  const source = (text === '-' ? await readStdin(host) : text).replace(/^\uFEFF/, '');
  let value: unknown;
  try {
    value = JSON.parse(source);
  } catch (error) {
    throw new UsageError(`the arguments are not JSON: ${line(error instanceof Error ? error.message : '', 200)}`);
  }
  if (!isJsonObject(value)) throw new UsageError('the arguments must be a JSON object.');
  const repeated = repeatedKey(source);
  if (repeated !== undefined) throw new UsageError(`the arguments hold the key "${line(repeated, 100)}" twice.`);
  const field = alteredNumber(source);
  if (field !== undefined) throw new ManagerError('unsafeInteger', { field, tool, server: id });
  return value;
}

async function readStdin(host: Host): Promise<string> {
  try {
    return await host.readInput(limits.stdio.frame);
  } catch (error) {
    throw new UsageError(`the arguments cannot be read: ${readingFault(error)}`);
  }
}

function readingFault(error: unknown): string {
  if (error instanceof TypeError) return 'they are not UTF-8 text.';
  return line(error instanceof Error ? error.message : '', 200);
}

interface Wanted {
  readonly id: string;
  readonly tool: string;
  readonly args: JsonObject;
}

async function callTool(servers: Servers, { id, tool, args }: Wanted, host: Host): Promise<JsonObject> {
  const server = servers.configured.find((candidate) => candidate.id === id);
  if (server === undefined) {
    const ids = servers.configured.map((candidate) => candidate.id);
    throw new ManagerError('unknownServer', { server: id, near: nearest(id, ids), known: ids.join(', ') });
  }
  if (!server.definition.enabled) throw new ManagerError('serverDisabled', { server: id });
  const call = {
    server: server.key,
    tool,
    args,
    caller: { kind: 'commandLine', name: 'mcp-roundhouse call' },
  } as const;
  const progress = progressLine(host);
  try {
    return await servers.call(call, {
      signal: host.signal,
      validate: true,
      onUnchecked: (of, detail) =>
        host.err(`note: the ${of} could not be checked against the schema: ${line(detail)}\n`),
      ...(progress === undefined ? {} : { onProgress: progress.show }),
    });
  } catch (error) {
    if (!(error instanceof ManagerError) || error.code !== 'unknownTool') throw error;
    const names = servers.view(server.key).snapshot?.tools.map(({ name }) => name) ?? [];
    throw new ManagerError(
      error.code,
      { ...error.data, near: nearest(tool, names) },
      { cause: error, outcome: error.outcome },
    );
  } finally {
    progress?.clear();
  }
}

/** A tool's own error stands on stderr in text, in the result as JSON, and in the exit code in both (TOOL-4). */
function show(result: JsonObject, { id, tool, json }: { id: string; tool: string; json: boolean }, host: Host): number {
  const failure = toolFailure(id, tool, result);
  if (!json && failure === undefined) host.out(resultText(result));
  else if (!json) host.err(`Tool ${line(tool, 200)} of server "${line(id)}" reported an error:\n${resultText(result)}`);
  return failure === undefined ? exitCodes.ok : exitCodes.negative;
}

function showFailure(error: unknown, { json }: CommandOptions, host: Host): number {
  const problem = problemOf(error);
  const words = wordsOf(problem);
  if (json) {
    const outcome = error instanceof ManagerError ? error.outcome : 'unknown';
    host.out(`${jsonText({ error: { code: problem.code, ...words, outcome } })}\n`);
  }
  host.err(`${words.message}\n${words.remedy}\n`);
  for (const text of problem.stderr ?? []) host.err(`| ${line(text)}\n`);
  return exitCodes.callFailed;
}
