// Runs the tools of ours (GATE-4): resources and prompts for agents that know nothing but tools, and the search for tools.
// Promises: what is wrong with a call is told as its result, so that a model can put it right; no answer is larger than a
// model can take.
import { isJsonObject, type JsonObject } from '../contract/json.ts';
import { argumentFault, promptArguments } from '../core/discovery/prompts.ts';
import { limits } from '../core/limits.ts';
import { boundForModel } from '../core/tools/modelOutput.ts';
import type { CatalogItem } from './aggregateCatalog.ts';
import type { AggregateLists } from './aggregateLists.ts';
import type { AggregateRequests, Named } from './aggregateRequests.ts';
import type { AggregateResults } from './aggregateResults.ts';
import { findTools } from './aggregateSearch.ts';
import type { OwnToolName } from './aggregateToolDefinitions.ts';
import { innerUri } from './aggregateUris.ts';
import { fitted, promptText, shownItem } from './aggregateWords.ts';
import { asValue } from './modernResult.ts';
import { RpcFailure } from './outcomes.ts';
import type { Outcome } from './reply.ts';
import type { ClientRequest } from './surface.ts';

export interface AggregateToolsDeps {
  readonly lists: AggregateLists;
  readonly requests: AggregateRequests;
  readonly results: AggregateResults;
  /** What names of tools and of prompts stand for. */
  readonly tool: (name: string) => Named;
  readonly prompt: (name: string) => Named;
}

export class AggregateTools {
  readonly #deps: AggregateToolsDeps;

  constructor(deps: AggregateToolsDeps) {
    this.#deps = deps;
  }

  async call(name: OwnToolName, request: ClientRequest): Promise<Outcome> {
    const { arguments: args = {} } = request.params;
    try {
      if (!isJsonObject(args)) throw new RpcFailure(-32602, 'Invalid params: arguments is no object.');
      const outcome = await this.#run(name, args, request);
      // A tool that was called answers for itself; a call that was given up has nothing for a model to put right.
      const isOurs = name !== 'call_tool' && !request.signal.aborted;
      return outcome.kind === 'error' && isOurs ? told(outcome.error.message) : outcome;
    } catch (error) {
      if (error instanceof RpcFailure) return told(error.message);
      throw error;
    }
  }

  #run(name: OwnToolName, args: JsonObject, request: ClientRequest): Promise<Outcome> | Outcome {
    switch (name) {
      case 'list_resources':
        return this.#list(args, 'resources', (catalog) => [
          ...catalog.list('resources'),
          ...catalog.list('resourceTemplates'),
        ]);
      case 'list_prompts':
        return this.#list(args, 'prompts', (catalog) => catalog.list('prompts'));
      case 'read_resource':
        return this.#read(args, request);
      case 'get_prompt':
        return this.#prompt(args, request);
      case 'find_tools':
        return this.#search(args, request);
      case 'call_tool': {
        const tool = textIn(args, 'name');
        const params = { ...request.params, name: tool, arguments: args['arguments'] ?? {} };
        // Its own headers are of the call of ours.
        const named = { ...request, params };
        delete named.header;
        return this.#deps.requests.callTool(named, this.#deps.tool(tool));
      }
    }
  }

  #list(
    args: JsonObject,
    field: string,
    itemsOf: (catalog: AggregateLists['catalog']) => readonly CatalogItem[],
  ): Outcome {
    const { cursor } = args;
    const { usual, most } = limits.aggregate.page;
    const { items, cursorAfter } = this.#deps.lists.slice(cursor, countIn(args, usual, most), (catalog) =>
      itemsOf(catalog).filter(isOf(args['server'])),
    );
    const shown = fitted(items.map(shownItem));
    const nextCursor = cursorAfter(shown.length);
    return answer(JSON.stringify({ [field]: shown, ...(nextCursor !== undefined && { nextCursor }) }));
  }

  async #read(args: JsonObject, request: ClientRequest): Promise<Outcome> {
    const uri = textIn(args, 'uri');
    const outcome = asValue(await this.#deps.requests.read(inner(request, 'resources/read', { uri }), uri));
    if (outcome.kind === 'error' || isQuestion(outcome)) return outcome;
    const { contents } = outcome.result;
    const content = (Array.isArray(contents) ? (contents as readonly JsonObject[]) : []).map((resource) => ({
      type: 'resource',
      resource,
    }));
    // A page of a result is kept already.
    if (innerUri(uri)?.kind === 'result') return { kind: 'value', result: boundForModel({ content }).result };
    return { kind: 'value', result: this.#deps.results.bound({ content }) };
  }

  async #prompt(args: JsonObject, request: ClientRequest): Promise<Outcome> {
    const name = textIn(args, 'name');
    const values = args['arguments'] ?? {};
    if (!isJsonObject(values)) throw new RpcFailure(-32602, 'Invalid params: arguments is no object.');
    const asked = inner(request, 'prompts/get', { name, arguments: values });
    const check = ({ raw }: CatalogItem): void => {
      const fault = argumentFault(promptArguments({ key: name, name, raw }), values);
      if (fault !== undefined) throw new RpcFailure(-32602, `The arguments do not fit the prompt: ${fault}.`);
    };
    const outcome = asValue(await this.#deps.requests.getPrompt(asked, this.#deps.prompt(name), check));
    if (outcome.kind === 'error' || isQuestion(outcome)) return outcome;
    return answer(promptText(outcome.result, () => this.#deps.results.keep(outcome.result)));
  }

  #search(args: JsonObject, { client }: ClientRequest): Outcome {
    const { usual, most } = limits.aggregate.found;
    const all = this.#deps.lists.catalog.list('tools');
    const { server } = args;
    // The index is of the whole list: it is made once.
    const found = findTools(textIn(args, 'query'), all, server === undefined ? countIn(args, usual, most) : all.length);
    const items = found.filter(isOf(server)).slice(0, countIn(args, usual, most));
    const tools = fitted(
      items.map(({ name, raw: { description, inputSchema } }) => ({
        name,
        ...(description !== undefined && { description }),
        inputSchema,
      })),
    );
    for (const { name, hash } of items.slice(0, tools.length)) if (hash !== undefined) client.seen.set(name, hash);
    return answer(JSON.stringify({ tools }));
  }
}

/** A request of ours in the place of the call of a tool of ours: what belongs to the client's wire stays. */
function inner(request: ClientRequest, method: string, params: JsonObject): ClientRequest {
  const wire = Object.entries(request.params).filter(([name]) => name !== 'name' && name !== 'arguments');
  return { ...request, method, params: { ...Object.fromEntries(wire), ...params } };
}

/** In place of a result: it belongs to the client's wire. */
function isQuestion({ era, result: { resultType = 'complete' } }: Extract<Outcome, { kind: 'value' }>): boolean {
  return era === 'modern' && resultType !== 'complete';
}

function answer(text: string): Outcome {
  return { kind: 'value', result: { content: [{ type: 'text', text }] } };
}

function told(text: string): Outcome {
  return { kind: 'value', result: { content: [{ type: 'text', text }], isError: true } };
}

function isOf(server: unknown): (item: CatalogItem) => boolean {
  return (item) => server === undefined || item.server.id === server;
}

function textIn(args: JsonObject, name: string): string {
  const value = args[name];
  if (typeof value === 'string' && value !== '') return value;
  throw new RpcFailure(-32602, `${name} is missing or no text.`);
}

function countIn({ limit }: JsonObject, usual: number, most: number): number {
  if (limit === undefined) return usual;
  if (typeof limit === 'number' && Number.isInteger(limit) && limit >= 1) return Math.min(limit, most);
  throw new RpcFailure(-32602, `limit is no whole number from 1 to ${most}.`);
}
