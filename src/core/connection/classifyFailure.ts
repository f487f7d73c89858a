// Turns whatever the SDK, a transport or a server failed with into one ManagerError. Pure. HTTP failures are told by
// their status, never by the SDK's code, which is the same for all of them; what the code below does not know is
// `internal`, with the message kept.
import { ProtocolError, SdkError, SdkErrorCode, SdkHttpError, SseError } from '@modelcontextprotocol/client';
import { UnauthorizedError, InsufficientScopeError } from '@modelcontextprotocol/client';
import { truncate } from '../../base/sanitise.ts';
import { isJsonObject } from '../../contract/json.ts';
import type { ProtocolMode, ServerId } from '../../contract/serverConfig.ts';
import { ManagerError, type Outcome } from '../errors.ts';
import { limits } from '../limits.ts';
import { refusalData } from '../transport/refusal.ts';
import { transportErrorCode } from '../transport/transportError.ts';
import { RpcError } from './rpcError.ts';

export interface FailureContext {
  readonly server: ServerId;
  /** The request that failed; absent while connecting. */
  readonly method?: string;
  /** While connecting: the protocol that was asked for. */
  readonly protocol?: ProtocolMode;
}

export function classifyFailure(error: unknown, context: FailureContext): ManagerError {
  const ours = find(error, (link): link is ManagerError => link instanceof ManagerError);
  if (ours !== undefined) return withServer(ours, context);
  if (error instanceof UnauthorizedError) return failure('signInNeeded', context, {}, error, 'completed');
  if (error instanceof InsufficientScopeError) return failure('forbidden', context, {}, error, 'completed');
  const status = statusOf(error);
  if (status !== undefined) return ofStatus(status, error, context);
  if (error instanceof RpcError || error instanceof ProtocolError) return ofRpcError(error, context);
  if (error instanceof SdkError) return ofSdkError(error, context);
  return ofUntyped(error, context);
}

/** The HTTP status behind an error, or undefined where there is none. */
export function statusOf(error: unknown): number | undefined {
  const http = find(error, (link): link is SdkHttpError => link instanceof SdkHttpError);
  if (http !== undefined) return http.status;
  return error instanceof SseError && typeof error.code === 'number' ? error.code : undefined;
}

/** The text with which the server refused a request, as far as it was read. */
export function refusalText(error: unknown): string | undefined {
  return refusalField(error, 'text');
}

function refusalField(error: unknown, name: 'text' | 'retryAfter'): string | undefined {
  const field = find(error, (link): link is SdkHttpError => link instanceof SdkHttpError)?.data[name];
  return typeof field === 'string' ? field : undefined;
}

/** The number of the JSON-RPC error that a refusal's text holds, or NaN. */
function refusalCode(error: unknown): number {
  try {
    const body: unknown = JSON.parse(refusalText(error) ?? '');
    const refusal = isJsonObject(body) && isJsonObject(body['error']) ? body['error'] : {};
    return Number(refusal['code']);
  } catch {
    return Number.NaN;
  }
}

function ofStatus(status: number, error: unknown, context: FailureContext): ManagerError {
  if (status === 401) return failure('signInNeeded', context, {}, error, 'completed');
  const told = refusalData(refusalText(error), refusalField(error, 'retryAfter'));
  if (status === 403) return failure('forbidden', context, told, error, 'completed');
  const { protocol } = context;
  if (protocol !== undefined && eraRefusals.has(refusalCode(error))) return unsupported(error, protocol, context);
  // A 4xx is the server's refusal; behind a 5xx the request may have run.
  return failure('httpStatus', context, { status, ...told }, error, status < 500 ? 'completed' : 'unknown');
}

function ofRpcError(error: RpcError | ProtocolError, context: FailureContext): ManagerError {
  const found = transportErrorCode(error);
  if (found === 'frameTooLarge') {
    const limit = limits.stdio.frame / (1024 * 1024);
    return failure(found, context, { limit }, error, 'completed');
  }
  if (found === 'invalidResponse') {
    const data = { method: context.method ?? 'initialize', detail: error.message };
    return failure(found, context, data, error, 'completed');
  }
  const { protocol } = context;
  if (protocol !== undefined && (isPin(protocol) || eraRefusals.has(error.code)))
    return unsupported(error, protocol, context);
  const number = error.code;
  const method = context.method ?? 'initialize';
  return failure('protocolError', { ...context, method }, { number, detail: error.message }, error, 'completed');
}

function ofSdkError(error: SdkError, context: FailureContext): ManagerError {
  const detail = firstIssue(error.message);
  switch (error.code) {
    case SdkErrorCode.EraNegotiationFailed: {
      const cause: unknown = error.cause ?? (error.data as { cause?: unknown } | undefined)?.cause;
      if (cause !== undefined) return classifyFailure(cause, context);
      return unsupported(error, context.protocol ?? 'auto', context);
    }
    case SdkErrorCode.MethodNotSupportedByProtocolVersion:
    case SdkErrorCode.CapabilityNotSupported: {
      const data = { method: context.method ?? 'initialize', number: -32601, detail };
      return failure('protocolError', context, data, error, 'notSent');
    }
    case SdkErrorCode.ClientHttpUnexpectedContent:
      return failure('httpUnexpectedContent', context, { detail }, error, 'unknown');
    case SdkErrorCode.InvalidResult:
    case SdkErrorCode.UnsupportedResultType:
      return failure(
        'invalidResponse',
        context,
        { method: context.method ?? 'initialize', detail },
        error,
        'completed',
      );
    case SdkErrorCode.RequestTimeout:
      return failure('requestTimeout', context, { method: context.method ?? 'initialize' }, error, 'unknown');
    case SdkErrorCode.NotConnected:
      return failure('connectionClosed', context, {}, error, 'notSent');
    case SdkErrorCode.ConnectionClosed:
      return failure('connectionClosed', context, {}, error, 'unknown');
    default:
      return failure('internal', context, { detail }, error, 'unknown');
  }
}

/** The SDK's schema errors are lists of JSON: the first one in words, with its place. */
function firstIssue(message: string): string {
  const start = message.indexOf('[');
  if (start < 0) return message;
  try {
    const issues: unknown = JSON.parse(message.slice(start));
    const issue: unknown = Array.isArray(issues) ? issues[0] : undefined;
    const { path, message: words } = isJsonObject(issue) ? issue : {};
    return Array.isArray(path) && typeof words === 'string' ? `${path.join('.')}: ${words}` : message;
  } catch {
    return message;
  }
}

function ofUntyped(error: unknown, context: FailureContext): ManagerError {
  if (!(error instanceof Error)) return failure('internal', context, { detail: String(error) }, error, 'unknown');
  const version = /^Server's protocol version is not supported: (.{0,40})/.exec(error.message)?.[1];
  if (version !== undefined)
    return failure('protocolVersionUnsupported', context, { found: version }, error, 'notSent');
  const origin = /^Endpoint origin does not match connection origin: (.{0,400})/.exec(error.message)?.[1];
  if (origin !== undefined) {
    const data = { url: origin, endpoint: true, detail: 'the SSE endpoint is on another origin' };
    return failure('urlForbidden', context, data, error, 'notSent');
  }
  if (error instanceof SseError) {
    return failure('networkFailed', context, { detail: error.message.replace(/^SSE error: /, '') }, error, 'notSent');
  }
  if (error.name === 'SyntaxError' || error.name.endsWith('ZodError') || error.name === '$ZodError') {
    const detail = 'the answer is no JSON-RPC message';
    return failure('httpUnexpectedContent', context, { detail }, error, 'unknown');
  }
  if (error.message === 'Not connected') return failure('connectionClosed', context, {}, error, 'notSent');
  return failure('internal', context, { detail: error.message.slice(0, limits.http.errorBody) }, error, 'unknown');
}

/** The server did not offer the one protocol that was asked for. */
function unsupported(error: unknown, protocol: ProtocolMode, context: FailureContext): ManagerError {
  const wanted = protocol === 'auto' ? modernRevision : protocol;
  return failure('eraUnsupported', context, { wanted }, error, 'notSent');
}

export function isPin(protocol: ProtocolMode): boolean {
  return protocol !== 'auto' && protocol !== 'legacy';
}

export const modernRevision: ProtocolMode = '2026-07-28';
/** Answers to a handshake that speak of its era: no such version, no such method. */
const eraRefusals = new Set([-32022, -32601]);

function failure(
  code: ManagerError['code'],
  context: FailureContext,
  data: ManagerError['data'],
  cause: unknown,
  outcome: Outcome,
): ManagerError {
  const method = context.method === undefined ? {} : { method: context.method };
  return new ManagerError(code, { server: context.server, ...method, ...bounded(data) }, { cause, outcome });
}

/** What a server said is cut once, here, without a marker: a secret that lies over the cut is still known by its beginning. */
function bounded(data: ManagerError['data']): ManagerError['data'] {
  const most = limits.answer.errorText;
  return Object.fromEntries(
    Object.entries(data).map(([name, value]) => [name, typeof value === 'string' ? truncate(value, most, '') : value]),
  );
}

/** Parts below know no server ids. */
function withServer(error: ManagerError, context: FailureContext): ManagerError {
  if (error.data['server'] !== undefined) return error;
  const { cause, outcome, stderr } = error;
  // A sentence of its own names the request.
  const method = error.code === 'invalidResponse' ? { method: context.method ?? 'initialize' } : {};
  return new ManagerError(error.code, { server: context.server, ...method, ...error.data }, { cause, outcome, stderr });
}

/** The first error of a cause chain that fits; the SDK keeps some causes in `data`. */
function find<T extends Error>(error: unknown, fits: (link: unknown) => link is T): T | undefined {
  let link: unknown = error;
  for (let depth = 0; depth < 8 && link instanceof Error; depth += 1) {
    if (fits(link)) return link;
    const data: unknown = 'data' in link ? link.data : undefined;
    link = link.cause ?? (typeof data === 'object' && data !== null && 'cause' in data ? data.cause : undefined);
  }
  return undefined;
}
