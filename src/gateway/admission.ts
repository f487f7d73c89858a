// Decides whether a request may come in, from its head alone: before a byte of its body is read and before anything is
// looked up or started (GATE-2). Pure. Refuses what a page in a browser could send: another Host, any Origin that is not
// the gateway's own address; and whoever does not know the token. There are no CORS headers and no answer to OPTIONS.
import type { IncomingHttpHeaders } from 'node:http';
import { visibleLine } from '../base/sanitise.ts';
import { limits } from '../core/limits.ts';

/** What a path names: one server (raw names), one server for the editor's own agent (GATE-7), or all of them. */
export type Endpoint =
  | { readonly kind: 'server'; readonly id: string }
  | { readonly kind: 'editor'; readonly id: string }
  /** `short` names for agents that put a prefix of their own before each; `search` in place of all tools. */
  | { readonly kind: 'all'; readonly plan: boolean; readonly short?: true; readonly search?: true };

/** What the person's own programs ask of the keeper besides MCP (KEEP-4). */
export interface ServicePath {
  readonly kind: 'service';
  readonly name: string;
}

export type HttpMethod = 'POST' | 'GET' | 'DELETE';

export interface RequestHead {
  readonly method?: string | undefined;
  /** Path and query. */
  readonly url?: string | undefined;
  readonly headers: IncomingHttpHeaders;
  /** Names and values as they came, by turns. */
  readonly rawHeaders?: readonly string[];
}

export interface AdmissionRules {
  /** Absent on the Unix socket, which has no address that a page could name. */
  readonly port: number | undefined;
  /** Compares in constant time. Absent only where a person gave the token up (`--insecure-no-token`). */
  readonly isToken: ((presented: string) => boolean) | undefined;
}

export type Admission =
  | { readonly kind: 'admitted'; readonly endpoint: Endpoint | ServicePath; readonly method: HttpMethod }
  | {
      readonly kind: 'refused';
      readonly status: number;
      /** For the person who reads the client's log; says nothing of what is behind. */
      readonly message: string;
      readonly headers?: Readonly<Record<string, string>>;
    };

export function admit(head: RequestHead, { port, isToken }: AdmissionRules): Admission {
  const { method, url = '', headers, rawHeaders = [] } = head;
  if (hasRepeated(rawHeaders)) return refused(400, 'A header is there twice.');
  if (port !== undefined && !isOwnHost(headers.host, port)) return refused(403, 'This Host is not served.');
  if (headers.origin !== undefined && !isOwnOrigin(headers.origin, port)) {
    return refused(403, 'This Origin is not served.');
  }
  if (isToken !== undefined && !isToken(bearer(headers.authorization))) {
    return refused(401, 'The bearer token is missing or wrong.', { 'www-authenticate': 'Bearer' });
  }
  const endpoint = endpointOf(url);
  if (endpoint === undefined) return refused(404, 'There is nothing at this path.');
  if (endpoint.kind === 'unclear') return refused(400, endpoint.fault);
  if (method !== 'POST' && method !== 'GET' && method !== 'DELETE') {
    return refused(405, 'Only POST, GET and DELETE are served.', { allow: 'POST, GET, DELETE' });
  }
  const refusal = method === 'POST' ? refusalOfBody(headers) : undefined;
  return refusal ?? { kind: 'admitted', endpoint, method };
}

function refusalOfBody(headers: IncomingHttpHeaders): Admission | undefined {
  const type = headers['content-type']?.split(';')[0]?.trim().toLowerCase();
  if (type !== 'application/json') return refused(415, 'The body must be application/json.');
  if (headers['content-encoding'] !== undefined) return refused(415, 'An encoded body is not served.');
  const length = headers['content-length'];
  return length !== undefined && Number(length) > limits.gateway.body ? tooLarge : undefined;
}

function refused(status: number, message: string, headers?: Readonly<Record<string, string>>): Admission {
  return { kind: 'refused', status, message, ...(headers && { headers }) };
}

/** The same for a body whose size was not told beforehand. */
export const tooLarge: Admission = refused(413, `The body is larger than ${limits.gateway.body} bytes.`);

/** Of two headers that decide something, whoever stands between may have read the other one (RFC 9112, 3.2). */
function hasRepeated(rawHeaders: readonly string[]): boolean {
  const seen: string[] = [];
  for (let index = 0; index < rawHeaders.length; index += 2) {
    const name = rawHeaders[index]?.toLowerCase() ?? '';
    if (!deciding.has(name)) continue;
    if (seen.includes(name)) return true;
    seen.push(name);
  }
  return false;
}

const deciding = new Set([
  ...['host', 'origin', 'authorization', 'content-type', 'content-length', 'content-encoding', 'transfer-encoding'],
  ...['mcp-session-id', 'mcp-protocol-version', 'mcp-method', 'mcp-name'],
]);

const ownNames = ['127.0.0.1', 'localhost'];

function isOwnHost(host: string | undefined, port: number): boolean {
  const said = host?.toLowerCase();
  return ownNames.some((name) => said === `${name}:${port}` || (port === 80 && said === name));
}

function isOwnOrigin(origin: string, port: number | undefined): boolean {
  return port !== undefined && ownNames.some((name) => origin === `http://${name}:${port}`);
}

function bearer(authorization: string | undefined): string {
  return /^Bearer +(\S+)$/i.exec(authorization ?? '')?.[1] ?? '';
}

/** A parameter that is not known, or not with this value. */
interface Unclear {
  readonly kind: 'unclear';
  readonly fault: string;
}

function endpointOf(url: string): Endpoint | ServicePath | Unclear | undefined {
  const [path = '', ...query] = url.split('?');
  const [, place, id, ...rest] = path.split('/');
  if (place === 'keeper' && rest.length === 0 && query.length === 0 && id !== undefined) {
    return /^[a-z]{1,20}$/.test(id) ? { kind: 'service', name: id } : undefined;
  }
  if (rest.length > 0 || (place !== 'mcp' && place !== 'vscode')) return undefined;
  if (id === undefined) {
    return place === 'mcp' ? allOf(new URLSearchParams(query.join('?'))) : undefined;
  }
  // Ids have no characters that a path would have to escape (CFG-6).
  if (query.length > 0 || !/^[A-Za-z0-9_-]+$/.test(id)) return undefined;
  return { kind: place === 'mcp' ? 'server' : 'editor', id };
}

/**
 * `/mcp`, with `mode=plan`, `names=short` and `tools=search` as they are wanted. Whoever asks for something else is not given
 * everything in its place: a mistyped `mode` would be none.
 */
function allOf(query: URLSearchParams): Endpoint | Unclear {
  for (const [name, value] of query) {
    const words = Object.hasOwn(parameters, name) ? parameters[name] : undefined;
    const fault =
      words === undefined
        ? `There is no parameter "${visibleLine(name, 40)}": there are ${Object.keys(parameters).join(', ')}.`
        : `The parameter ${name} is "${visibleLine(value, 40)}": it has to be ${words.join(' or ')}.`;
    if (words?.includes(value) !== true) return { kind: 'unclear', fault };
  }
  const wants = (name: string, value: string): boolean => query.getAll(name).includes(value);
  return {
    kind: 'all',
    plan: wants('mode', 'plan'),
    ...(wants('names', 'short') && { short: true }),
    ...(wants('tools', 'search') && { search: true }),
  };
}

const parameters: Readonly<Record<string, readonly string[]>> = {
  mode: ['act', 'plan'],
  names: ['full', 'short'],
  tools: ['all', 'search'],
};
