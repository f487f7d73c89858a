// The stream on which a modern agent hears of changes (`subscriptions/listen`), over the lives of several windows: it is
// acknowledged once and stays open until the agent ends it; each window that comes is asked anew, and what may have changed
// with it is told. It asks for nothing that runs, so it may be sent again.
import type { Clock } from '../../base/clock.ts';
import { isJsonObject, type JsonObject } from '../../contract/json.ts';
import { limits } from '../../core/limits.ts';
import { isAnswerTo, readObject, type RequestFrame } from './agentFrame.ts';
import type { Attachment } from './attachment.ts';
import type { LineOutput } from './lineOutput.ts';
import { isEndOfWindow } from './sentOutcome.ts';
import type { Stay, WindowSeeker } from './windowSeeker.ts';

export type ListenStay = Stay & Pick<Attachment, 'send' | 'over'>;

export interface ListenParts {
  readonly clock: Clock;
  readonly seeker: Pick<WindowSeeker<ListenStay>, 'attachment' | 'reach' | 'awaitOne' | 'lose'>;
  readonly output: Pick<LineOutput, 'write'>;
  /** The agent does not listen any more. */
  readonly signal: AbortSignal;
}

/** Resolves when the stream is over. */
export async function listenAtWindows(frame: RequestFrame, parts: ListenParts): Promise<void> {
  const { clock, seeker, output, signal } = parts;
  const asked = isJsonObject(frame.params['notifications']) ? frame.params['notifications'] : {};
  let isAcknowledged = false;
  let attachment = await seeker.reach(signal);
  const isUnheard = (): boolean => signal.aborted;
  while (!isUnheard()) {
    if (attachment === undefined) {
      if (!isAcknowledged) output.write(acknowledgement(frame, asked));
      isAcknowledged = true;
      attachment = await seeker.awaitOne(signal);
      continue;
    }
    const stay = attachment;
    const begun = clock.now();
    const stream = { isOver: false, isHeld: false };
    const sent = await stay.send(frame, {
      signal: AbortSignal.any([signal, stay.over]),
      onMessage: (message) => {
        if (isAnswerTo(frame.id, message)) {
          // A window that ends in order ends its streams: the agent's goes on. What honours nothing is over at once.
          stream.isOver = !stream.isHeld && !isEndOfWindow(message);
          if (stream.isOver) output.write(message);
          return;
        }
        const honoured = honouredIn(message);
        if (honoured === undefined || !isAcknowledged) output.write(message);
        if (honoured === undefined) return;
        if (isAcknowledged) for (const change of changesOf(frame, honoured)) output.write(change);
        isAcknowledged = true;
        stream.isHeld = Object.keys(honoured).length > 0;
      },
    });
    if (stream.isOver || isUnheard()) return;
    const body = sent.kind === 'answered' ? sent.body : undefined;
    if (body !== undefined && isAnswerTo(frame.id, body) && !isEndOfWindow(body)) {
      output.write(body);
      return;
    }
    // What surely does not serve is left; of all else the next try tells.
    const isGone = sent.kind === 'broken' ? sent.arrived === 'no' : sent.kind === 'answered' && sent.status !== 200;
    if (isGone) seeker.lose(stay, { avoid: true });
    else if (clock.now() - begun < limits.proxy.idleLook) {
      await new Promise<void>((resolve) => clock.after(limits.proxy.look, resolve));
    }
    attachment = isGone ? await seeker.reach(signal) : seeker.attachment;
  }
}

function acknowledgement({ id }: RequestFrame, notifications: JsonObject): Buffer {
  return notification(id, 'notifications/subscriptions/acknowledged', { notifications });
}

/** What an acknowledgement says that is honoured; undefined for every other message. */
function honouredIn(message: Buffer): JsonObject | undefined {
  const { method, params } = readObject(message) ?? {};
  if (method !== 'notifications/subscriptions/acknowledged' || !isJsonObject(params)) return undefined;
  return isJsonObject(params['notifications']) ? params['notifications'] : {};
}

function changesOf({ id }: RequestFrame, honoured: JsonObject): readonly Buffer[] {
  return ['tools', 'resources', 'prompts']
    .filter((of) => honoured[`${of}ListChanged`] === true)
    .map((of) => notification(id, `notifications/${of}/list_changed`, {}));
}

function notification(id: RequestFrame['id'], method: string, params: JsonObject): Buffer {
  const _meta = { 'io.modelcontextprotocol/subscriptionId': id };
  return Buffer.from(JSON.stringify({ jsonrpc: '2.0', method, params: { ...params, _meta } }));
}
