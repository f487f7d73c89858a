// The one way to call a tool (TOOL-2): finds it, holds the call to what its caller saw, asks the policy, checks and
// sends once. Promises: `deny` never runs, `ask` without a yes never runs, what changed during a wait is looked at
// again before anything is sent, and every failure says how far it got. It never sends again and answers no questions.
import type { Clock } from '../../base/clock.ts';
import { isDeeperThan } from '../../base/jsonDepth.ts';
import { visibleLine } from '../../base/sanitise.ts';
import { sizeOf } from '../../base/sizeOf.ts';
import type { JsonObject } from '../../contract/json.ts';
import type { PolicyWord, ServerId } from '../../contract/serverConfig.ts';
import type { ServerKey } from '../config/model.ts';
import type { RawResult, RequestOptions } from '../connection/liveClient.ts';
import type { OfferedTool, ServerSnapshot } from '../discovery/snapshot.ts';
import { ManagerError } from '../errors.ts';
import { limits } from '../limits.ts';
import type { LiveServer } from '../manager/view.ts';
import { explain, isLiftable } from '../policy/decide.ts';
import type { CallPrompt, Consent, Log } from '../ports.ts';
import { headersOf } from './callHeaders.ts';
import { CallSchemas } from './callSchemas.ts';
import { CallConfirmer } from './callConfirmer.ts';
import type { CallOptions, ToolBinding, ToolCall, ToolResult } from './callTypes.ts';
import type { CallEnding, CallRecord, CallStart } from './recentCalls.ts';
import type { SchemaChecker } from './schemaCheck.ts';

/** The part of a live server that calls need. */
export type CallServer = Pick<LiveServer, 'view' | 'client' | 'snapshot'>;

export interface ToolRouterDeps {
  /** The live server, started where it is not; never asks a person. */
  readonly use: (key: ServerKey, options: { signal?: AbortSignal }) => Promise<CallServer>;
  /** The same without starting or waiting: undefined unless it is ready now. */
  readonly live: (key: ServerKey) => CallServer | undefined;
  /** Why a server that is not live may not run; undefined where it only has no connection now. */
  readonly barred: (key: ServerKey) => ManagerError | undefined;
  /** Absent where nobody can be asked: then every `ask` is a no. */
  readonly prompt?: CallPrompt;
  /** A person allowed this tool for this window, as it is defined here. */
  readonly grant: (key: ServerKey, tool: OfferedTool) => void;
  readonly checker: Pick<SchemaChecker, 'check'>;
  readonly calls: CallRecord;
  readonly clock: Clock;
  readonly log?: Log;
}

export class ToolRouter {
  readonly #deps: ToolRouterDeps;
  readonly #confirmer: CallConfirmer;
  readonly #schemas: CallSchemas;

  constructor(deps: ToolRouterDeps) {
    this.#deps = deps;
    this.#schemas = new CallSchemas(deps);
    this.#confirmer = new CallConfirmer({
      ...deps,
      grant: ({ question, tool }) => deps.grant(question.key, tool),
    });
  }

  /** Something changed at this server, or at any: a call that may go out no more waits for no person (CFG-13). */
  lookAgain(key?: ServerKey): void {
    this.#confirmer.lookAgain(key);
  }

  /** The raw result; one that says `isError` is a result. Fails with a ManagerError, its outcome set. */
  call(call: ToolCall, options: CallOptions): Promise<ToolResult> {
    return this.#run(call, options, async (target, params, request) => {
      const result = await target.live.client.request('tools/call', params, request);
      assertResultKind(target, call, result);
      await this.#schemas.checkResult(target, result, options);
      return { result, isError: result['isError'] === true, size: sizeOf(result, measured) };
    });
  }

  /** The same for whoever sends the result on as it is: unread where that can be, checked against no schema (TOOL-3). */
  forward(call: ToolCall, options: Omit<CallOptions, 'validate'>): Promise<RawResult> {
    return this.#run<RawResult>(call, { ...options, validate: false }, ({ live }, params, request) =>
      live.client.requestRaw('tools/call', params, request).then(sentOn),
    );
  }

  async #run<T>(call: ToolCall, options: CallOptions, send: Send<T>): Promise<T> {
    const { signal } = options;
    const live = await this.#deps.use(call.server, signal === undefined ? {} : { signal });
    let target = this.#find(live, call, call.binding);
    const seen: ToolBinding = { generation: live.snapshot.generation, hash: target.tool.hash };
    const look = (): Target => this.#find(this.#stillLive(call, target), call, seen);
    const lookAgain = (): void => {
      target = look();
      permitted(target);
    };
    let answer: CallStart['answer'];
    /** The annotations that the answer is about: they may change meanwhile (POL-2). */
    let about: string | undefined;
    let end: CallEnding | undefined;
    try {
      permitted(target);
      refuseDeep(target, call);
      if (options.validate) {
        await this.#schemas.checkArguments(target, call, options);
        lookAgain();
      }
      headersOf(target.live, target.tool, call); // Refuses what cannot be sent before a person is asked about it.
      // Asked about, then noted (POL-3); whatever waits is followed by another look, and the last look by the wire.
      for (;;) {
        if (signal?.aborted === true) throw new ManagerError('cancelled', {}, { cause: signal.reason });
        if (runs[target.decision] === 'asked' && !isConsent(answer, about, target)) {
          about = target.tool.annotationsHash;
          answer = target.granted ? 'window' : await this.#confirm(target, call, () => permitted(look()), signal);
        } else if (end !== undefined) {
          break;
        } else {
          const begun = this.#deps.calls.begin(startOf(target, call, answer));
          if (!(begun instanceof Promise)) {
            end = begun;
            break;
          }
          const noted = await begun;
          end = (ended) => noted({ ...ended, decision: target.decision, ...(answer && { answer }) });
        }
        lookAgain();
      }
    } catch (error) {
      const refused = { outcome: 'notSent', code: error instanceof ManagerError ? error.code : 'internal' } as const;
      if (end === undefined) this.#deps.calls.refuse(startOf(target, call, answer), refused);
      else end(refused);
      throw error;
    }
    // No wait between the last look and the wire.
    return await this.#send(target, call, options, end, send);
  }

  /** The tool as it is now, and what the policy says of it. Does not wait. */
  #find(live: CallServer, call: ToolCall, binding: ToolBinding | undefined): Target {
    const { snapshot, view } = live;
    const server = view.server.id;
    const stale = binding?.generation !== undefined && binding.generation !== snapshot.generation;
    const tool = toolOf(snapshot, call.tool);
    if (!stale && tool === undefined) throw missing(snapshot, server, call.tool);
    if (tool === undefined || stale || (binding !== undefined && binding.hash !== tool.hash)) {
      throw new ManagerError('staleTool', { server, tool: call.tool });
    }
    const decided = explain(tool.name, view.policies);
    // Allowed for the window is a standing answer to a policy that asks.
    const granted = decided.by.kind === 'window';
    const decision = granted ? 'ask' : decided.word;
    return { live, server, tool, decision, granted, eachTime: !granted && !isLiftable(decided) };
  }

  #stillLive(call: ToolCall, { server }: Target): CallServer {
    const live = this.#deps.live(call.server);
    if (live === undefined) throw this.#deps.barred(call.server) ?? new ManagerError('connectionClosed', { server });
    return live;
  }

  /** What a person said to this very call; no yes is a failure (POL-1). */
  async #confirm(
    { tool, live, server, eachTime }: Target,
    { caller, args, extra }: ToolCall,
    check: () => void,
    signal: AbortSignal | undefined,
  ): Promise<Consent> {
    const { key, policies } = live.view;
    const { generation } = live.snapshot;
    const change = policies.changed?.get(tool.name);
    const common = { key, server, tool: tool.name, caller, args };
    const question = { ...common, ...(change && { change }), ...(eachTime && { eachTime }) };
    return this.#confirmer.ask({ question, tool, generation, check, ...(extra && { extra }) }, signal);
  }

  async #send<T>(target: Target, call: ToolCall, options: CallOptions, end: CallEnding, send: Send<T>): Promise<T> {
    try {
      const { result, isError, size } = await send(target, paramsOf(target, call), requestOf(target, call, options));
      end({ outcome: 'completed', isError, resultSize: size });
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
}

function paramsOf({ tool }: Target, { extra, args }: ToolCall): JsonObject {
  return { ...extra, name: tool.name, arguments: args };
}

function requestOf(
  { live, tool }: Target,
  call: ToolCall,
  { signal, onProgress, onLog, asker }: CallOptions,
): RequestOptions {
  const headers = headersOf(live, tool, call);
  return {
    kind: 'call',
    ...(signal && { signal }),
    ...(onProgress && { onProgress }),
    ...(onLog && { onLog }),
    ...(asker && { asker }),
    ...(headers && { headers }),
  };
}

/** A result that is sent on, and what is noted of it. */
function sentOn(result: RawResult): Came<RawResult> {
  if (result.kind === 'value')
    return { result, isError: result.result['isError'] === true, size: sizeOf(result.result, measured) };
  const { frame, resultFrom, resultTo } = result.answer;
  return { result, isError: frame.includes('"isError":true', resultFrom, 'latin1'), size: resultTo - resultFrom };
}

/** Sends an admitted call; what comes back, and what is noted of it. */
type Send<T> = (target: Target, params: JsonObject, request: RequestOptions) => Promise<Came<T>>;

interface Came<T> {
  readonly result: T;
  readonly isError: boolean;
  readonly size: number;
}

interface Target {
  readonly live: CallServer;
  readonly server: ServerId;
  readonly tool: OfferedTool;
  readonly decision: PolicyWord;
  /** The person allowed it for this window. */
  readonly granted: boolean;
  /** What allows it for the window would not hold. */
  readonly eachTime: boolean;
}

/** Whether a call may go out under each of the words. */
const runs: Readonly<Record<PolicyWord, 'freely' | 'asked' | 'never'>> = {
  allow: 'freely',
  ask: 'asked',
  deny: 'never',
};

const { measured } = limits.recentCalls;

/** What is noted of a call before it goes out: no arguments (POL-3). */
function startOf({ live, tool, decision }: Target, { caller, args }: ToolCall, answer?: Consent): CallStart {
  const { key: server, server: configured } = live.view;
  const start: CallStart = {
    server,
    serverId: configured.id,
    scope: configured.scope,
    tool: tool.name,
    caller,
    decision,
    argumentSize: sizeOf(args, measured),
  };
  return answer === undefined ? start : { ...start, answer };
}

/** A yes for the window holds as long as that is there, and none holds for other annotations than it was about. */
function isConsent(answer: CallStart['answer'], about: string | undefined, { granted, tool }: Target): boolean {
  return about === tool.annotationsHash && (answer === 'once' || (answer === 'window' && granted));
}

function permitted(target: Target): Target {
  if (runs[target.decision] !== 'never') return target;
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

/** Refuses what is no result of a call. */
function assertResultKind({ live, server, tool }: Target, { caller }: ToolCall, { resultType }: ToolResult): void {
  if (resultType === 'input_required') {
    // Only the gateway has somebody to hand the questions to (TOOL-4).
    if (caller.kind === 'gateway') return;
    throw new ManagerError('inputRequired', { server, tool: tool.name }, { outcome: 'completed' });
  }
  // 2026-07-28: what a client does not know is no result to it. "complete" is taken away by the connection.
  if (resultType === undefined || live.client.negotiated.era === 'legacy') return;
  const detail = `its resultType is ${visibleLine(JSON.stringify(resultType).slice(0, 200), 60)}`;
  throw new ManagerError('invalidResponse', { server, method: 'tools/call', detail }, { outcome: 'completed' });
}
