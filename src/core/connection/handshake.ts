// Runs the SDK's handshake over a wire and tells what it settled. The era and everything shown come from an answer of
// the peer at the other end of this very wire: a verdict given beforehand is confirmed by a `server/discover` (CONN-2).
import { type Client, type PriorDiscovery, SERVER_INFO_META_KEY } from '@modelcontextprotocol/client';
import type { Clock } from '../../base/clock.ts';
import { withDeadline } from '../../base/deadline.ts';
import { ownText } from '../../base/ownText.ts';
import { isJsonObject, type JsonObject } from '../../contract/json.ts';
import type { ServerId } from '../../contract/serverConfig.ts';
import { ManagerError } from '../errors.ts';
import { limits } from '../limits.ts';
import { RpcError } from './rpcError.ts';
import { modernEnvelope } from './sdkClient.ts';
import type { Negotiated } from './state.ts';
import type { Questions } from './questions.ts';
import type { Wire } from './wire.ts';

/** The SDK's own time-outs never decide: every handshake is raced against its attempt. */
export const noTimeout = 2 ** 31 - 1;

export interface HandshakeParts {
  readonly id: ServerId;
  readonly client: Client;
  readonly wire: Wire;
  readonly questions: Questions;
  readonly transport: Negotiated['transport'];
  /** Asked after the start. */
  readonly pid?: () => number | null;
  /** A verdict that saves the SDK its probe. */
  readonly prior?: PriorDiscovery | undefined;
  /** How long the peer may take to confirm a modern verdict; without it, as long as the attempt has. */
  readonly confirmWithin?: { readonly ms: number; readonly clock: Clock } | undefined;
}

export interface Handshaken {
  readonly negotiated: Negotiated;
  readonly capabilities: JsonObject;
  /** What the server says of itself, raw. */
  readonly serverInfo: JsonObject;
  readonly envelope: JsonObject | undefined;
}

export async function handshake(parts: HandshakeParts): Promise<Handshaken> {
  const { client, wire, prior } = parts;
  await client.connect(wire, { timeout: noTimeout, ...(prior === undefined ? {} : { prior }) });
  const revision = client.getNegotiatedProtocolVersion();
  const era = client.getProtocolEra();
  if (revision === undefined || era === undefined) {
    throw new ManagerError('internal', { detail: 'the handshake ended without a revision' });
  }
  const envelope = era === 'modern' ? modernEnvelope(revision, parts.questions) : undefined;
  const answer = prior?.kind === 'modern' ? await confirm(parts, revision, envelope) : (wire.handshake ?? {});
  const capabilities = answer['capabilities'];
  return {
    negotiated: describe(parts, era, revision, answer),
    capabilities: isJsonObject(capabilities) ? capabilities : {},
    serverInfo: infoIn(era, answer),
    envelope,
  };
}

/** Asks the actual peer what the verdict said of it. */
async function confirm(parts: HandshakeParts, revision: string, envelope: JsonObject | undefined): Promise<JsonObject> {
  const { confirmWithin: within, id: server } = parts;
  const asked = parts.wire.exchange('server/discover', { _meta: envelope }).answer;
  const onTimeout = (): Error => new ManagerError('requestTimeout', { server, method: 'server/discover' });
  const read = within === undefined ? await asked : await withDeadline(asked, { ...within, onTimeout });
  const answer = read.kind === 'value' ? read.result : undefined;
  const supported = isJsonObject(answer) ? answer['supportedVersions'] : undefined;
  if (isJsonObject(answer) && Array.isArray(supported) && supported.includes(revision)) return answer;
  throw new RpcError(-32022, `The server does not offer ${revision} any more.`);
}

function describe(parts: HandshakeParts, era: Negotiated['era'], revision: string, answer: JsonObject): Negotiated {
  const { name, version } = infoIn(era, answer);
  const most = limits.serverInfo;
  const instructions = answer['instructions'];
  const pid = parts.pid?.();
  return {
    era,
    revision,
    transport: parts.transport,
    ...(typeof pid === 'number' ? { pid } : {}),
    ...(typeof name === 'string' ? { serverName: ownText(name, most.name) } : {}),
    ...(typeof version === 'string' ? { serverVersion: ownText(version, most.version) } : {}),
    ...(typeof instructions === 'string' ? { instructions: ownText(instructions, most.instructions) } : {}),
  };
}

function infoIn(era: Negotiated['era'], answer: JsonObject): JsonObject {
  const meta = isJsonObject(answer['_meta']) ? answer['_meta'] : {};
  const info = era === 'modern' ? meta[SERVER_INFO_META_KEY] : answer['serverInfo'];
  return isJsonObject(info) ? info : {};
}
