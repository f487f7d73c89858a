// Several messages in one POST, as clients of 2025-03-26 may send them: answered on one event stream, each request when its
// answer is there, so that a slow one holds up no other.
import type { ServerResponse } from 'node:http';
import type { Clock } from '../base/clock.ts';
import type { JsonObject } from '../contract/json.ts';
import { EventStream } from './eventStream.ts';
import type { LegacyMessage } from './inbound.ts';
import type { LegacySession } from './legacySession.ts';
import { answerParts } from './reply.ts';

export interface BatchParts {
  readonly messages: readonly LegacyMessage[];
  readonly session: LegacySession;
  readonly clock: Clock;
  /** Tells when the client is gone. */
  readonly gone: AbortSignal;
}

export async function answerBatch(
  response: ServerResponse,
  { messages, session, clock, gone }: BatchParts,
): Promise<void> {
  if (messages.every(({ kind }) => kind !== 'request')) {
    for (const message of messages) if (message.kind !== 'request') session.take(message);
    response.writeHead(202, { 'content-length': 0 }).end();
    return;
  }
  const stream = new EventStream(response, clock);
  const say = (message: JsonObject): boolean => {
    if (response.destroyed) return false;
    stream.send(JSON.stringify(message));
    return true;
  };
  // In their order: what cancels a request stands behind it.
  const answered = messages.map(async (message) => {
    if (message.kind !== 'request') {
      session.take(message);
      return;
    }
    const under = new AbortController();
    gone.addEventListener('abort', () => under.abort(), { once: true });
    stream.sendPieces(answerParts(message.id, await session.answer(message, { say }, under)));
  });
  await Promise.all(answered);
  stream.end();
}
