// The client that the official conformance suite drives: our connection layer and discovery, and nothing of the SDK's
// own. It connects, lists, calls, reads and gets whatever it is offered, as an agent would, and answers every question.
// Usage: node client.js URL, with the scenario and its context in the suite's environment variables.
import { systemClock } from '../../src/base/clock.ts';
import { isJsonObject, type JsonObject, type JsonValue } from '../../src/contract/json.ts';
import type { ServerId } from '../../src/contract/serverConfig.ts';
import { openClient } from '../../src/core/connection/openClient.ts';
import type { LiveClient } from '../../src/core/connection/liveClient.ts';
import { VerdictCache } from '../../src/core/connection/verdictCache.ts';
import { discover, type ListOutcome } from '../../src/core/discovery/discover.ts';
import { headerDefinitions } from '../../src/core/discovery/headerDefinitions.ts';
import type { OfferedTool } from '../../src/core/discovery/snapshot.ts';
import { mirroredHeaders } from '../../src/core/tools/mirroredHeaders.ts';
import type { LaunchFingerprint } from '../../src/core/transport/launch.ts';

const [url = ''] = process.argv.slice(2);
const revision = process.env['MCP_CONFORMANCE_PROTOCOL_VERSION'] ?? '2025-11-25';
const context = parse(process.env['MCP_CONFORMANCE_CONTEXT']);
const signal = AbortSignal.timeout(15_000);

const sampled: JsonObject = { model: 'none', role: 'assistant', content: { type: 'text', text: 'answer' } };

/** The suite's servers may ask a few times in a row; one that never stops has to fail. */
const rounds = 10;

const client = await openClient(
  {
    kind: 'remote',
    id: 'conformance' as ServerId,
    protocol: revision >= '2026' ? 'auto' : 'legacy',
    timeouts: {},
    fingerprint: 'conformance' as LaunchFingerprint,
    url,
    transport: 'streamable-http',
    headers: {},
  },
  {
    signal,
    clock: systemClock(),
    handlers: { elicit: (params) => Promise.resolve(elicit(params)), sample: () => Promise.resolve(sampled) },
    verdicts: new VerdictCache(systemClock()),
    environment: { base: {}, inherit: [] },
    log: { info: console.error, warn: console.error, error: console.error },
    onStderr: () => undefined,
    onNoise: () => undefined,
    onInstalling: () => undefined,
  },
);
try {
  await use(client);
} finally {
  await client.close();
}

async function use(live: LiveClient): Promise<void> {
  const found = await discover(live, { signal });
  const tools = itemsOf(found.tools);
  for (const [name, args] of callsFor(tools)) {
    const tool = tools.find((each) => each.name === name);
    await attempt(() => callTool(live, name, args, tool));
  }
  for (const { key } of itemsOf(found.resources)) {
    await attempt(() => live.request('resources/read', { uri: key }, { kind: 'request', signal }));
  }
  for (const { name } of itemsOf(found.prompts)) {
    await attempt(() => live.request('prompts/get', { name, arguments: {} }, { kind: 'request', signal }));
  }
}

/** A failing item is the suite's to judge; the next one is tried all the same. */
async function attempt(work: () => Promise<unknown>): Promise<void> {
  try {
    await work();
  } catch (error) {
    console.error(error);
  }
}

async function callTool(
  live: LiveClient,
  name: string,
  args: JsonObject,
  tool: OfferedTool | undefined,
): Promise<void> {
  const params = { name, arguments: args };
  const headers = live.negotiated.era === 'modern' && tool !== undefined ? headersFor(tool, args) : {};
  let result = await live.request('tools/call', params, { kind: 'call', signal, headers });
  for (let round = 0; round < rounds && result['resultType'] === 'input_required'; round += 1) {
    const { inputRequests, requestState } = result;
    const inputResponses = answersTo(isJsonObject(inputRequests) ? inputRequests : {});
    const retry = { ...params, inputResponses, ...(requestState === undefined ? {} : { requestState }) };
    result = await live.request('tools/call', retry, { kind: 'call', signal, headers });
  }
}

function headersFor(tool: OfferedTool, args: JsonObject): Readonly<Record<string, string>> {
  const schema = tool.raw['inputSchema'];
  const definitions = headerDefinitions(isJsonObject(schema) ? schema : {});
  return definitions.kind === 'legal'
    ? mirroredHeaders(definitions.mirrored, { server: 'conformance', tool: tool.name, args })
    : {};
}

function answersTo(questions: JsonObject): JsonObject {
  return Object.fromEntries(
    Object.entries(questions).map(([key, question]) => {
      const { method, params } = isJsonObject(question) ? question : {};
      if (method === 'elicitation/create') return [key, elicit(isJsonObject(params) ? params : {})];
      return [key, method === 'roots/list' ? { roots: [] } : sampled];
    }),
  );
}

/** The calls that the scenario names; else each tool once. */
function callsFor(tools: readonly OfferedTool[]): (readonly [string, JsonObject])[] {
  const named = context['toolCalls'];
  if (Array.isArray(named)) {
    return (named as readonly JsonObject[]).map((call) => [call['name'] as string, objectOf(call['arguments'])]);
  }
  return tools.map((tool) => [tool.name, argumentsFor(tool, tools)]);
}

/** A value for each argument; an argument named `schema` gets the first tool's schema, to show that it came whole. */
function argumentsFor(tool: OfferedTool, tools: readonly OfferedTool[]): JsonObject {
  const properties = objectOf(objectOf(tool.raw['inputSchema'])['properties']);
  return Object.fromEntries(
    Object.entries(properties).map(([name, schema]) => [
      name,
      name === 'schema' ? objectOf(tools[0]?.raw['inputSchema']) : valueFor(objectOf(schema)),
    ]),
  );
}

/** Accepts with the defaults of the form (SEP-1034), and with any value where there is none. */
function elicit(params: JsonObject): JsonObject {
  const properties = objectOf(objectOf(params['requestedSchema'])['properties']);
  const content = Object.entries(properties).map(([name, schema]) => [name, valueFor(objectOf(schema))]);
  return { action: 'accept', content: Object.fromEntries(content) as JsonObject };
}

function valueFor(schema: JsonObject): JsonValue {
  if (schema['default'] !== undefined) return schema['default'];
  switch (schema['type']) {
    case 'number':
    case 'integer':
      return 1;
    case 'boolean':
      return true;
    case 'object':
      return {};
    case 'array':
      return [];
    default:
      return Array.isArray(schema['enum']) ? ((schema['enum'] as readonly JsonValue[])[0] ?? '') : 'text';
  }
}

function itemsOf<T>(outcome: ListOutcome<T> | undefined): readonly T[] {
  return outcome?.kind === 'listed' ? outcome.items : [];
}

function objectOf(value: unknown): JsonObject {
  return isJsonObject(value) ? value : {};
}

function parse(text: string | undefined): JsonObject {
  return text === undefined ? {} : objectOf(JSON.parse(text));
}
