// What tools of ours show of resources and prompts (GATE-4): pure. Short, and never more text than a model can take: what
// does not fit a page is on the next one, and what is cut of a prompt can be read whole.
import { truncate } from '../base/sanitise.ts';
import { sizeText } from '../base/sizeText.ts';
import { isJsonObject, type JsonObject, type JsonValue } from '../contract/json.ts';
import { promptArguments } from '../core/discovery/prompts.ts';
import { limits } from '../core/limits.ts';
import type { CatalogItem } from './aggregateCatalog.ts';

const most = limits.aggregate.text;
/** Of the text, for what stands around the items. */
const reserve = 1_000;
/** An item that is longer is shown by its name alone. */
const itemAtMost = 10_000;

/** As many as fit, from the first on; at least one. */
export function fitted(items: readonly JsonObject[]): readonly JsonObject[] {
  let left = most - reserve;
  const end = items.findIndex((item, index) => {
    left -= JSON.stringify(item).length + 1;
    return left < 0 && index > 0;
  });
  return end < 0 ? items : items.slice(0, end);
}

export function shownItem({ server, name, raw }: CatalogItem): JsonObject {
  const { uri, uriTemplate, title, description, mimeType, size } = raw;
  const isPrompt = uri === undefined && uriTemplate === undefined;
  const args = isPrompt ? promptArguments({ key: name, name, raw }) : [];
  const head = {
    ...(typeof uri === 'string' && { uri }),
    ...(typeof uriTemplate === 'string' && { uriTemplate }),
    ...(typeof raw['name'] === 'string' && { name: raw['name'] }),
    server: server.id,
  };
  const shown = {
    ...head,
    ...(typeof title === 'string' && { title: short(title) }),
    ...(typeof description === 'string' && { description: short(description) }),
    ...(typeof mimeType === 'string' && { mimeType: short(mimeType) }),
    ...(typeof size === 'number' && { size }),
    ...(args.length > 0 && {
      arguments: args.map(({ description: about, ...argument }) => ({
        ...argument,
        ...(about !== undefined && { description: short(about) }),
      })),
    }),
  };
  return JSON.stringify(shown).length > itemAtMost ? head : shown;
}

/** A prompt as JSON of at most 50,000 characters; `keep` gives the address of the whole where that is more. */
export function promptText(result: JsonObject, keep: () => string | undefined): string {
  const { description, messages } = result;
  const all = (Array.isArray(messages) ? (messages as readonly JsonValue[]) : []).map(withoutBinary);
  const about = typeof description === 'string' ? { description } : {};
  const whole = JSON.stringify({ ...about, messages: all });
  if (whole.length <= most) return whole;
  const link = keep();
  const cut = `Not all is shown.${link === undefined ? '' : ` The whole prompt: ${link}`}`;
  const head = { ...(typeof description === 'string' && { description: short(description) }), cut };
  const kept: JsonValue[] = [];
  let left = most - JSON.stringify({ ...head, messages: [] }).length;
  for (const message of all) {
    const length = JSON.stringify(message).length + 1;
    if (length > left) {
      const part = beginningOf(message, left);
      if (part !== undefined) kept.push(part);
      break;
    }
    left -= length;
    kept.push(message);
  }
  return JSON.stringify({ ...head, messages: kept });
}

/** As much of a message that is text as fits. */
function beginningOf(message: JsonValue, room: number): JsonValue | undefined {
  const content = isJsonObject(message) ? message['content'] : undefined;
  const text = isJsonObject(content) ? content['text'] : undefined;
  if (!isJsonObject(message) || !isJsonObject(content) || typeof text !== 'string') return undefined;
  // Written down, a character may be six.
  for (let length = Math.min(text.length, room); length > 0; length = Math.floor(length / 2)) {
    const part = { ...message, content: { ...content, text: truncate(text, length) } };
    if (JSON.stringify(part).length < room) return part;
  }
  return undefined;
}

/** Images, audio and blobs are told, not shown. */
function withoutBinary(message: JsonValue): JsonValue {
  const content = isJsonObject(message) ? message['content'] : undefined;
  if (!isJsonObject(message) || !isJsonObject(content)) return message;
  const { data, resource } = content;
  if (typeof data === 'string') return { ...message, content: { ...content, data: sizeOf(data) } };
  if (!isJsonObject(resource) || typeof resource['blob'] !== 'string') return message;
  return { ...message, content: { ...content, resource: { ...resource, blob: sizeOf(resource['blob']) } } };
}

function sizeOf(base64: string): string {
  return `[${sizeText(Math.floor((base64.length * 3) / 4))}, not shown]`;
}

function short(text: string): string {
  return truncate(text, limits.aggregate.description);
}
