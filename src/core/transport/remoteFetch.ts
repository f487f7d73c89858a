// The fetch of one remote server: what its transport and (later) its sign-in send goes through here. Promises: the
// configured headers reach the server's own origin and nothing else; a redirect to another origin loses every
// credential, and one to cleartext or into a network that is not the server's own is not followed (CONN-12, CONN-13).
// Name resolution of a supplied host is checked and pinned where this process resolves it; behind a proxy the proxy
// does, and only literal addresses and localhost are told.
import { lookup as dnsLookup, type LookupAddress, type LookupOptions } from 'node:dns';
import type { LookupFunction } from 'node:net';
import type { FetchLike } from '@modelcontextprotocol/client';
import { ManagerError } from '../errors.ts';
import { limits } from '../limits.ts';
import { isEventStream, NodeFetch } from './nodeFetch.ts';
import {
  type AddressRange,
  addressRange,
  addressRefusal,
  hostRange,
  shownUrl,
  suppliedUrlRefusal,
} from './urlRules.ts';

/** What is known of one request while it is under way; the transport makes it, the fetch fills it in. */
export interface Exchange {
  status?: number;
  /** The answer is an event stream. */
  stream?: boolean;
  /** When a refused request may be tried again, raw. */
  retryAfter?: string | undefined;
  /** Told why the body of the answer broke off. */
  fail?(failure: ManagerError): void;
}

export interface RemoteFetchOptions {
  readonly url: URL;
  readonly headers: Readonly<Record<string, string>>;
  /** Resolves host names; Node's own where it is absent. */
  readonly lookup?: typeof dnsLookup;
  /** The exchange of a number that came with a request in `exchangeHeader`. */
  readonly exchange?: (number: string) => Exchange | undefined;
}

/** Carries the number of an exchange from the transport to the fetch; it is never sent. */
export const exchangeHeader = 'x-roundhouse-exchange';

export class RemoteFetch {
  readonly #options: RemoteFetchOptions;
  readonly #node = new NodeFetch();
  /** Where the person's own server lies: told by the literal host, else by all answers for its name so far. */
  #home: AddressRange | undefined;

  constructor(options: RemoteFetchOptions) {
    this.#options = options;
    this.#home = hostRange(options.url.hostname);
  }

  readonly fetch: FetchLike = async (input, init = {}) => {
    const headers = new Headers(init.headers);
    const exchange = this.#options.exchange?.(headers.get(exchangeHeader) ?? '');
    headers.delete(exchangeHeader);
    const method = (init.method ?? 'GET').toUpperCase();
    const answer = await this.#follow(new URL(input), method, headers, init, exchange);
    if (exchange !== undefined) {
      exchange.status = answer.status;
      exchange.stream = isEventStream(answer.headers);
      exchange.retryAfter = answer.headers.get('retry-after') ?? undefined;
    }
    return answer;
  };

  dispose(): void {
    this.#node.dispose();
  }

  async #follow(
    start: URL,
    method: string,
    headers: Headers,
    init: RequestInit,
    exchange: Exchange | undefined,
  ): Promise<Response> {
    const { url: own, headers: configured } = this.#options;
    const body = typeof init.body === 'string' ? init.body : undefined;
    let url = start;
    if (url.origin === own.origin) addMissing(headers, configured);
    for (let hop = 0; ; hop += 1) {
      const answer = await this.#node.fetch(url, {
        method,
        headers,
        body,
        signal: init.signal ?? undefined,
        lookup: url.origin === own.origin ? this.#ownLookup : this.#suppliedLookup(url),
        onTooLarge: (fault) => unreadable(exchange, fault),
      });
      const location = redirects.has(answer.status) ? answer.headers.get('location') : null;
      if (location === null) return answer;
      await answer.body?.cancel();
      const target = this.#target(url, location, method, answer.status, hop);
      if (target.origin !== url.origin) dropCredentials(headers, configured);
      url = target;
    }
  }

  /** Where a redirect may be followed to. Fails with `redirectForbidden`. */
  #target(from: URL, location: string, method: string, status: number, hop: number): URL {
    const target = URL.canParse(location, from.href) ? new URL(location, from) : undefined;
    if (target === undefined) throw forbidden(location.slice(0, limits.http.location), 'it is no URL');
    const detail = this.#refusal(from, target, method, status, hop);
    if (detail !== undefined) throw forbidden(shownUrl(target), detail);
    return target;
  }

  #refusal(from: URL, target: URL, method: string, status: number, hop: number): string | undefined {
    if (hop >= limits.http.redirects) return `it comes after ${limits.http.redirects} others`;
    if (method !== 'GET' && status !== 307 && status !== 308) return 'it would change the method';
    if (target.origin === from.origin && target.username === '' && target.password === '') return undefined;
    // A server of this machine was allowed to get the arguments; a stranger that it names was not.
    const leaves = method !== 'GET' && this.#home === 'loopback' && hostRange(target.hostname) !== 'loopback';
    return leaves ? 'it would send the request away from this machine' : suppliedUrlRefusal(target, this.#suppliedHome);
  }

  /** Only what is known to be of the person's own network lets a server name others in it. */
  get #suppliedHome(): AddressRange {
    return this.#home ?? 'public';
  }

  /**
   * Notes where the person's own server lies; it may lie anywhere. One public address makes it public for good: its
   * name then cannot be made to stand for this machine or for a private network.
   */
  readonly #ownLookup: LookupFunction = (hostname, options, callback) => {
    this.#resolve(hostname, options, (error, addresses) => {
      // A proxy is looked up through here as well; it is not the server.
      if (hostname !== this.#options.url.hostname) {
        answerLookup(options, callback, error, addresses);
        return;
      }
      const home = widest([this.#home ?? 'loopback', ...addresses.map(({ address }) => addressRange(address))]);
      if (addresses.length > 0) this.#home = home;
      const usable = addresses.filter(({ address }) => addressRefusal(address, home) === undefined);
      const refused = addresses.length > 0 && usable.length === 0 ? this.#moved(home) : null;
      answerLookup(options, callback, error ?? refused, usable);
    });
  };

  #moved(home: AddressRange): ManagerError {
    const detail = `its name stood for a ${home} address before, and does not any more`;
    return new ManagerError('urlForbidden', { url: shownUrl(this.#options.url), detail }, { outcome: 'notSent' });
  }

  #resolve(
    hostname: string,
    options: LookupOptions,
    then: (error: Error | null, addresses: readonly LookupAddress[]) => void,
  ): void {
    const lookup = this.#options.lookup ?? dnsLookup;
    lookup(hostname, { ...options, all: true }, (error, addresses) => then(error, error === null ? addresses : []));
  }

  /** Refuses a name if any of its addresses is refused; the connection goes to the addresses that were checked. */
  #suppliedLookup(url: URL): LookupFunction {
    return (hostname, options, callback) => {
      this.#resolve(hostname, options, (error, addresses) => {
        const details = addresses.map(({ address }) => addressRefusal(address, this.#suppliedHome));
        const detail = details.find((found) => found !== undefined);
        const refused = detail === undefined ? null : forbidden(shownUrl(url), detail);
        answerLookup(options, callback, error ?? refused, addresses);
      });
    };
  }
}

const ranges: readonly AddressRange[] = ['loopback', 'private', 'public'];

function widest(found: readonly AddressRange[]): AddressRange {
  return ranges.findLast((range) => found.includes(range)) ?? 'public';
}

const redirects = new Set([301, 302, 303, 307, 308]);

/** Set by the transport, or not for a person's configuration to set. */
const transportHeaders = new Set([
  'accept',
  'accept-encoding',
  'connection',
  'content-length',
  'content-type',
  'host',
  'last-event-id',
  'mcp-method',
  'mcp-name',
  'mcp-protocol-version',
  'mcp-session-id',
  'transfer-encoding',
]);

const credentials = ['authorization', 'cookie', 'dpop', 'last-event-id', 'mcp-session-id', 'proxy-authorization'];

function addMissing(headers: Headers, configured: Readonly<Record<string, string>>): void {
  for (const [name, value] of Object.entries(configured)) {
    if (!transportHeaders.has(name.toLowerCase()) && !headers.has(name)) headers.set(name, value);
  }
}

function dropCredentials(headers: Headers, configured: Readonly<Record<string, string>>): void {
  for (const name of [...credentials, ...Object.keys(configured)]) {
    if (!bodyHeaders.has(name.toLowerCase())) headers.delete(name);
  }
}

/** Stay even if a configuration names them: without them the body is not understood. */
const bodyHeaders = new Set(['accept', 'content-type', 'mcp-protocol-version', 'mcp-method', 'mcp-name']);

function unreadable(exchange: Exchange | undefined, fault: string | undefined): ManagerError {
  const failure =
    fault === undefined
      ? new ManagerError('frameTooLarge', { limit: limits.http.body / (1024 * 1024) }, { outcome: 'completed' })
      : new ManagerError('invalidResponse', { detail: fault }, { outcome: 'completed' });
  exchange?.fail?.(failure);
  return failure;
}

function forbidden(url: string, detail: string): ManagerError {
  return new ManagerError('redirectForbidden', { url, detail }, { outcome: 'completed' });
}

function answerLookup(
  options: LookupOptions,
  callback: Parameters<LookupFunction>[2],
  error: Error | null,
  addresses: readonly LookupAddress[],
): void {
  const first = addresses[0];
  if (error !== null || first === undefined) callback(error ?? new Error('no address was found'), '');
  else if (options.all === true) callback(null, [...addresses]);
  else callback(null, first.address, first.family);
}
