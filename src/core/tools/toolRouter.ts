// The one way to call a tool (TOOL-2): finds it, holds the call to what its caller saw, asks the policy, checks and
// sends once. Promises: `deny` never runs, `ask` without a yes never runs, what changed during a wait is looked at
// again before anything is sent, and every failure says how far it got. It never sends again and answers no questions.
import type { Clock } from '../../base/clock.ts';
import { withDeadline } from '../../base/deadline.ts';
import { isDeeperThan } from '../../base/jsonDepth.ts';
import { visibleLine } from '../../base/sanitise.ts';
import { sizeOf } from '../../base/sizeOf.ts';
import { isJsonObject, type JsonObject } from '../../contract/json.ts';
import type { PolicyWord } from '../../contract/serverConfig.ts';
import type { ServerKey } from '../config/model.ts';
import { type HeaderDefinitions, headerDefinitions } from '../discovery/headerDefinitions.ts';
import type { OfferedTool, ServerSnapshot } from '../discovery/snapshot.ts';
import { ManagerError } from '../errors.ts';
import { limits } from '../limits.ts';
import type { LiveServer } from '../manager/view.ts';
import { decide } from '../policy/decide.ts';
import type { CallPrompt, Log } from '../ports.ts';
import type { CallOptions, ToolBinding, ToolCall, ToolResult } from './callTypes.ts';
import { mirroredHeaders } from './mirroredHeaders.ts';
import type { CallRecord } from './recentCalls.ts';
import type { SchemaChecker, Verdict } from './schemaCheck.ts';

/** The part of a live server that calls need. */
export type CallServer = Pick<LiveServer, 'view' | 'client' | 'snapshot'>;

export interface ToolRouterDeps {
  /** The live server, started where it is not; never asks a person. */
  readonly use: (key: ServerKey, options: { signal?: AbortSignal }) => Promise<CallServer>;
  /** The same without starting or waiting: undefined unless it is ready now. */
  readonly live: (key: ServerKey) => CallServer | undefined;
  /** Absent where nobody can be asked: then every `ask` is a no. */
  readonly prompt?: CallPrompt;
  readonly checker: Pick<SchemaChecker, 'check'>;
  readonly calls: CallRecord;
  readonly clock: Clock;
  readonly log?: Log;
}

export class ToolRouter {
  readonly #deps: ToolRouterDeps;

  constructor(deps: ToolRouterDeps) {
    this.#deps = deps;
  }

  /** The raw result; one that says `isError` is a result. Fails with a ManagerError, its outcome set. */
  async call(call: ToolCall, options: CallOptions): Promise<ToolResult> {
    const { signal } = options;
    const live = await this.#deps.use(call.server, signal === undefined ? {} : { signal });
    let target = this.#find(live, call, call.binding);
    const seen: ToolBinding = { generation: live.snapshot.generation, hash: target.tool.hash };
    const again = (): Target => permitted(this.#find(this.#stillLive(call, target), call, seen));
    try {
      let confirmed = false;
      permitted(target);
      refuseDeep(target, call);
      if (options.validate) {
        await this.#checkArguments(target, call, options);
        target = again();
      }
      headersOf(target, call); // Refuses what cannot be sent before a person is asked about it.
      while (target.decision === 'ask' && !confirmed) {
        await this.#confirm(target, call, signal);
        confirmed = true;
        target = again();
      }
      if (signal?.aborted === true) throw new ManagerError('cancelled', {}, { cause: signal.reason });
    } catch (error) {
      this.#note(target, call)({ outcome: 'notSent', code: error instanceof ManagerError ? error.code : 'internal' });
      throw error;
    }
    return this.#send(target, call, options);
  }

  /** The tool as it is now, and what the policy says of it. Does not wait. */
  #find(live: CallServer, call: ToolCall, binding: ToolBinding | undefined): Target {
    const { snapshot, view } = live;
    const server = view.server.id;
    const stale = binding !== undefined && binding.generation !== snapshot.generation;
    const tool = toolOf(snapshot, call.tool);
    if (!stale && tool === undefined) throw missing(snapshot, server, call.tool);
    if (tool === undefined || stale || (binding !== undefined && binding.hash !== tool.hash)) {
      throw new ManagerError('staleTool', { server, tool: call.tool });
    }
    const decision = decide(tool.name, view.policies);
    return { live, server, tool, decision };
  }

  #stillLive(call: ToolCall, { server }: Target): CallServer {
    const live = this.#deps.live(call.server);
    if (live === undefined) throw new ManagerError('connectionClosed', { server });
    return live;
  }

  async #checkArguments({ tool, server }: Target, call: ToolCall, options: CallOptions): Promise<void> {
    const verdict = await this.#check(tool.raw['inputSchema'], call.args, options);
    if (verdict.kind === 'unchecked') this.#unchecked('arguments', server, tool.name, verdict.detail, options);
    if (verdict.kind !== 'invalid') return;
    throw new ManagerError('argumentsInvalid', { server, tool: tool.name, detail: verdict.errors.join('; ') });
  }

  /** Whether a person said yes to this very call. Silence, a broken prompt and no prompt are a no (POL-1). */
  async #confirm({ tool, live }: Target, call: ToolCall, signal: AbortSignal | undefined): Promise<void> {
    const { prompt, clock, log } = this.#deps;
    const { id } = live.view.server;
    const asking = new AbortController();
    const no = new ManagerError('toolNotConfirmed', { server: id, tool: tool.name });
    if (prompt === undefined) throw no;
    try {
      const question = { server: id, tool: tool.name, caller: call.caller, args: call.args };
      const answer: unknown = await withDeadline(prompt.confirm(question, asking.signal), {
        ms: limits.confirmation.answer,
        clock,
        signal,
        onTimeout: () => no,
      });
      // Anything but a plain yes is a no.
      if (answer !== true) throw no;
    } catch (error) {
      if (signal?.aborted === true) throw new ManagerError('cancelled', {}, { cause: signal.reason });
      if (error !== no) log?.warn(`The question about ${visibleLine(tool.name, 100)} failed: ${String(error)}`);
      throw no;
    } finally {
      asking.abort();
    }
  }

  async #send(target: Target, call: ToolCall, options: CallOptions): Promise<ToolResult> {
    const { live, tool } = target;
    const { signal, onProgress } = options;
    const headers = headersOf(target, call);
    const end = this.#note(target, call);
    try {
      const params = { ...call.extra, name: tool.name, arguments: call.args };
      const result = await live.client.request('tools/call', params, {
        kind: 'call',
        ...(signal && { signal }),
        ...(onProgress && { onProgress }),
        ...(headers && { headers }),
      });
      await this.#checkResult(target, call, result, options);
      end({ outcome: 'completed', isError: result['isError'] === true, resultSize: sizeOf(result, measured) });
      return result;
    } catch (error) {
      const failure =
        error instanceof ManagerError
          ? error
          : new ManagerError('internal', { detail: 'the call failed' }, { cause: error, outcome: 'unknown' });
      end({ outcome: failure.outcome, code: failure.code });
      throw failure;
    }
  }

  async #checkResult(target: Target, call: ToolCall, result: ToolResult, options: CallOptions): Promise<void> {
    const { live, server, tool } = target;
    const { resultType } = result;
    if (resultType === 'input_required') {
      // Only the gateway has somebody to hand the questions to (TOOL-4).
      if (call.caller.kind === 'gateway') return;
      throw new ManagerError('inputRequired', { server, tool: tool.name }, { outcome: 'completed' });
    }
    // 2026-07-28: what a client does not know is no result to it. "complete" is taken away by the connection.
    if (resultType !== undefined && live.client.negotiated.era === 'modern') {
      const detail = `its resultType is ${visibleLine(JSON.stringify(resultType).slice(0, 200), 60)}`;
      throw new ManagerError('invalidResponse', { server, method: 'tools/call', detail }, { outcome: 'completed' });
    }
    const schema = tool.raw['outputSchema'];
    if (!options.validate || result['isError'] === true || !isJsonObject(schema)) return;
    const verdict = await this.#check(schema, result['structuredContent'], options);
    if (verdict.kind === 'unchecked') this.#unchecked('result', server, tool.name, verdict.detail, options);
    if (verdict.kind !== 'invalid') return;
    const detail = verdict.errors.join('; ');
    throw new ManagerError(
      'resultInvalid',
      { server, tool: tool.name, detail },
      { cause: new ResultMismatch(result), outcome: 'completed' },
    );
  }

  async #check(schema: unknown, value: ToolResult[string], { signal }: CallOptions): Promise<Verdict> {
    if (value === undefined) return { kind: 'invalid', errors: ['structuredContent is missing'] };
    if (!isJsonObject(schema) || acceptsEveryObject(schema, value)) return { kind: 'valid' };
    return this.#deps.checker.check(schema, value, signal === undefined ? {} : { signal });
  }

  #unchecked(of: 'arguments' | 'result', server: string, tool: string, detail: string, options: CallOptions): void {
    this.#deps.log?.warn(`${server}: the ${of} of ${visibleLine(tool, 100)} could not be checked: ${detail}`);
    options.onUnchecked?.(of, detail);
  }

  #note({ live, tool, decision }: Target, { caller, args }: ToolCall): ReturnType<CallRecord['begin']> {
    const server = live.view.key;
    return this.#deps.calls.begin({ server, tool: tool.name, caller, decision, argumentSize: sizeOf(args, measured) });
  }
}

/** The cause of a `resultInvalid`: the result as it came, for those who want to look at it all the same. */
export class ResultMismatch extends Error {
  override readonly name = 'ResultMismatch';
  readonly result: ToolResult;

  constructor(result: ToolResult) {
    super('The result does not fit the output schema.');
    this.result = result;
  }
}

interface Target {
  readonly live: CallServer;
  readonly server: string;
  readonly tool: OfferedTool;
  readonly decision: PolicyWord;
}

/** Sizes are recorded up to here; what is larger is not walked to its end. */
const measured = 256 * 1024;

function permitted(target: Target): Target {
  if (target.decision !== 'deny') return target;
  throw new ManagerError('toolDenied', { server: target.server, tool: target.tool.name });
}

/** What is nested deeper than a result may be cannot be written down safely. */
function refuseDeep({ server, tool }: Target, { args, extra }: ToolCall): void {
  const most = limits.answer.depth;
  if (!isDeeperThan(args, most) && !isDeeperThan(extra, most)) return;
  const detail = `they are nested more than ${most} levels deep`;
  throw new ManagerError('argumentsInvalid', { server, tool: tool.name, detail });
}

const indexes = new WeakMap<ServerSnapshot, ReadonlyMap<string, OfferedTool>>();

function toolOf(snapshot: ServerSnapshot, name: string): OfferedTool | undefined {
  let index = indexes.get(snapshot);
  if (index === undefined) {
    index = new Map(snapshot.tools.map((tool) => [tool.name, tool]));
    indexes.set(snapshot, index);
  }
  return index.get(name);
}

/** A tool that the server does list, but in a form that cannot be used, is told apart from one that does not exist. */
function missing({ issues }: ServerSnapshot, server: string, tool: string): ManagerError {
  const issue = issues.find(({ kind, item }) => kind === 'tools' && item === tool);
  if (issue === undefined) return new ManagerError('unknownTool', { server, tool });
  return new ManagerError('toolLeftOut', { server, tool, detail: issue.reason });
}

const definitionsByTool = new WeakMap<OfferedTool, HeaderDefinitions>();

/** SEP-2243 headers of this call, on modern HTTP only (DISC-6). */
function headersOf({ live, server, tool }: Target, call: ToolCall): Readonly<Record<string, string>> | undefined {
  const { era, transport } = live.client.negotiated;
  const schema = tool.raw['inputSchema'];
  if (era !== 'modern' || transport !== 'streamable-http' || !isJsonObject(schema)) return undefined;
  const definitions = definitionsByTool.get(tool) ?? headerDefinitions(schema);
  definitionsByTool.set(tool, definitions);
  if (definitions.kind === 'illegal') throw new ManagerError('unknownTool', { server, tool: tool.name });
  const headers = mirroredHeaders(definitions.mirrored, { server, tool: tool.name, args: call.args });
  return Object.keys(headers).length === 0 ? undefined : headers;
}

/** Spares the schema thread for tools without arguments to speak of. */
function acceptsEveryObject(schema: JsonObject, value: unknown): boolean {
  const { type, properties, ...rest } = schema;
  const empty = properties === undefined || (isJsonObject(properties) && Object.keys(properties).length === 0);
  const silent = Object.keys(rest).every((key) => ['$schema', 'title', 'description'].includes(key));
  return isJsonObject(value) && type === 'object' && empty && silent;
}
