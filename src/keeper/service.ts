// What the person's windows and programs ask of the keeper besides MCP (KEEP-1, KEEP-4). The gateway let the request in: its
// sender holds the token. Everything it says is checked all the same, and what is not a launch of a process here is refused.
import type { ServerResponse } from 'node:http';
import * as z from 'zod/mini';
import {
  type keeperFailure,
  type KeeperStatus,
  launchRequest,
  releaseRequest,
  serverRequest,
} from '../contract/keeperWire.ts';
import { ManagerError } from '../core/errors.ts';
import type { Service, ServiceRequest } from '../gateway/gateway.ts';
import type { Holds } from './holds.ts';
import { plain } from './keptServer.ts';
import type { KeptServers } from './keptServers.ts';

export interface KeeperServiceDeps {
  readonly holds: Holds;
  readonly servers: KeptServers;
  readonly status: () => KeeperStatus;
  /** Everything is to end. */
  readonly end: () => void;
  /** Of this service; no wait lasts longer. */
  readonly signal: AbortSignal;
}

export function keeperService(deps: KeeperServiceDeps): Service {
  return async (asked, response) => {
    const gone = new AbortController();
    response.once('close', () => gone.abort(new ManagerError('cancelled')));
    // Whoever comes now finds the next one.
    if (deps.signal.aborted) {
      reply(response, 503, { error: 'The keeper is ending.' });
      return;
    }
    if (asked.name === 'hold' && asked.method === 'GET') {
      deps.holds.open(response);
      return;
    }
    try {
      const answer = await answerTo(asked, deps, AbortSignal.any([gone.signal, deps.signal]));
      if (answer === undefined) reply(response, 404, { error: 'There is nothing at this path.' });
      else reply(response, 200, answer);
    } catch (error) {
      if (error instanceof Malformed) reply(response, 400, { error: error.message });
      else reply(response, 409, failureOf(error));
    }
    if (asked.name === 'end' && asked.method === 'POST') deps.end();
  };
}

/** Undefined for what is not asked like this. */
async function answerTo(
  { name, method, body }: ServiceRequest,
  { holds, servers, status }: KeeperServiceDeps,
  signal: AbortSignal,
): Promise<object | undefined> {
  if (method === 'GET') return name === 'status' ? status() : undefined;
  if (body === undefined) return undefined;
  switch (name) {
    case 'launch':
      return servers.launch(read(launchRequest, body), signal);
    case 'release': {
      const { hold, key } = read(releaseRequest, body);
      holds.release(hold, key);
      return {};
    }
    case 'stop':
      await servers.stop(read(serverRequest, body).key);
      return {};
    case 'restart':
      await servers.restart(read(serverRequest, body).key, signal);
      return {};
    case 'end':
      read(z.strictObject({}), body);
      return {};
    default:
      return undefined;
  }
}

/** Says which field is wrong and never what stood there, which may be a secret. */
class Malformed extends Error {}

function read<T>(form: z.ZodMiniType<T>, body: Buffer): T {
  let value: unknown;
  try {
    value = JSON.parse(body.toString('utf8'));
  } catch {
    throw new Malformed('The body is not JSON.');
  }
  const parsed = z.safeParse(form, value);
  if (parsed.success) return parsed.data;
  const where = parsed.error.issues[0]?.path.map(String).join('.').slice(0, 200);
  throw new Malformed(
    `The body is not what this path takes${where === undefined || where === '' ? '' : ` (${where})`}.`,
  );
}

function failureOf(error: unknown): z.infer<typeof keeperFailure> {
  const known = error instanceof ManagerError ? error : new ManagerError('internal', { detail: 'the request failed' });
  return { error: { ...plain(known), outcome: known.outcome } };
}

function reply(response: ServerResponse, status: number, body: object): void {
  if (response.headersSent || response.destroyed) return;
  const text = JSON.stringify(body);
  response.writeHead(status, { 'content-type': 'application/json', 'content-length': Buffer.byteLength(text) });
  response.end(text);
}
