// Turns a raw `tools/call` result into what the result page shows. Pure. Unknown parts are summarised, never guessed;
// only four bitmap types count as images: an SVG is text, since it can hold scripts.
import { isJsonObject, type JsonObject, type JsonValue } from '../../contract/json.ts';
import type { ResultBlock, ResultView } from '../../contract/pageMessages.ts';
import { limits } from '../../core/limits.ts';
import { unusableContent } from '../../core/tools/unusableContent.ts';
import type { Translate } from '../translate.ts';
import { laidOutJson } from './laidOutJson.ts';

export interface CallFacts {
  readonly server: string;
  readonly tool: string;
  readonly milliseconds: number;
}

export function resultView(result: JsonObject, facts: CallFacts, t: Translate): ResultView {
  const content = Array.isArray(result['content']) ? (result['content'] as readonly JsonValue[]) : [];
  const blocks = [...malformed(result, t), ...shownBlocks(content, (part) => [blockOf(part, t)], t)];
  const structured = structuredText(result['structuredContent'], blocks, t);
  return {
    server: facts.server,
    tool: facts.tool,
    duration: durationText(facts.milliseconds, t),
    ...(result['isError'] === true ? { failure: failureText(facts, t) } : {}),
    // The copy of the structured content that servers put into text for older clients is shown once.
    blocks: blocks.filter((block) => block.kind !== 'text' || block.text !== structured),
    ...(structured === undefined ? {} : { structured }),
    words: wordsOf(t),
  };
}

/** The blocks of the first parts; the last one tells of those that are left out. */
export function shownBlocks<T>(
  parts: readonly T[],
  blocksOf: (part: T) => readonly ResultBlock[],
  t: Translate,
): readonly ResultBlock[] {
  const blocks: ResultBlock[] = [];
  for (const [at, part] of parts.entries()) {
    if (blocks.length >= limits.shownResult.parts) {
      const summary = t('“Open as JSON” shows all of them.');
      return [...blocks, { kind: 'other', type: t('Parts not shown: {count}', { count: parts.length - at }), summary }];
    }
    blocks.push(...blocksOf(part));
  }
  return blocks;
}

/** What a server sent in place of content, marked as such. */
function malformed(result: JsonObject, t: Translate): readonly ResultBlock[] {
  const unusable = unusableContent(result);
  if (unusable === undefined) return [];
  const fault =
    unusable.why === 'notAList'
      ? t('Malformed result: its content is not a list. The server sent:')
      : t('Malformed result: it has no content. The server sent:');
  return [other(fault, unusable.sent)];
}

/** Formatted; an image that is in the content as well is shown there and only named here. */
function structuredText(
  structured: JsonValue | undefined,
  blocks: readonly ResultBlock[],
  t: Translate,
): string | undefined {
  if (structured === undefined) return undefined;
  const images = new Set(blocks.flatMap((block) => (block.kind === 'image' ? [block.base64] : [])));
  const replace = (_: string, value: unknown): unknown =>
    typeof value === 'string' && images.has(value) ? t('(the image shown above)') : value;
  return JSON.stringify(structured, replace, 2);
}

/** TOOL-4: a failure names its tool and server; what the tool said of it stands below. */
function failureText({ server, tool }: CallFacts, t: Translate): string {
  return t('The tool {tool} of server “{server}” reported an error.', { tool, server });
}

export function durationText(milliseconds: number, t: Translate): string {
  if (milliseconds < 1000) return t('{count} ms', { count: Math.round(milliseconds) });
  return t('{count} s', { count: (milliseconds / 1000).toFixed(1) });
}

function blockOf(part: JsonValue, t: Translate): ResultBlock {
  if (!isJsonObject(part)) return other(t('Malformed: not a content block'), part);
  switch (part['type']) {
    case 'text':
      return typeof part['text'] === 'string' ? textBlock(part['text']) : other('text', part);
    case 'image':
      return imageBlock(part, t);
    case 'audio':
      return audioBlock(part, t);
    case 'resource_link':
      return {
        kind: 'link',
        uri: text(part['uri']),
        name: text(part['title'] ?? part['name']),
        description: text(part['description']),
      };
    case 'resource':
      return resourceBlock(part, t);
    default:
      return other(text(part['type']) || 'unknown', part);
  }
}

const jsonStart = /^\s*[[{]/;

/** Text that is a JSON object or list is laid out for reading; its values stay as the server wrote them. */
function textBlock(raw: string): ResultBlock {
  const laidOut = jsonStart.test(raw) && raw.length < limits.shownResult.laidOut ? laidOutJson(raw) : undefined;
  return laidOut === undefined
    ? { kind: 'text', text: raw, format: 'plain' }
    : { kind: 'text', text: laidOut, format: 'json' };
}

const imageTypes = ['image/png', 'image/jpeg', 'image/gif', 'image/webp'] as const;
const base64 = /^[A-Za-z0-9+/]*={0,2}$/;

function imageBlock(part: JsonObject, t: Translate): ResultBlock {
  const mimeType = imageTypes.find((type) => type === part['mimeType']);
  const data = part['data'];
  if (mimeType === undefined || typeof data !== 'string' || !base64.test(data)) return summary('image', part, t);
  return { kind: 'image', mimeType, base64: data };
}

function audioBlock(part: JsonObject, t: Translate): ResultBlock {
  const { mimeType, data } = { mimeType: text(part['mimeType']), data: part['data'] };
  if (!/^audio\/[\w.+-]+$/.test(mimeType) || typeof data !== 'string' || !base64.test(data))
    return summary('audio', part, t);
  return { kind: 'audio', mimeType, base64: data };
}

function resourceBlock(part: JsonObject, t: Translate): ResultBlock {
  const resource = part['resource'];
  if (!isJsonObject(resource)) return other('resource', part);
  const mimeType = text(resource['mimeType']);
  const image = imageTypes.find((type) => type === mimeType);
  const blob = resource['blob'];
  if (image !== undefined && typeof blob === 'string' && base64.test(blob))
    return { kind: 'image', mimeType: image, base64: blob };
  if (typeof resource['text'] === 'string') {
    return {
      kind: 'resource',
      uri: text(resource['uri']),
      mimeType,
      text: resource['text'],
      bytes: resource['text'].length,
    };
  }
  if (typeof blob !== 'string') return summary('resource', part, t);
  return { kind: 'resource', uri: text(resource['uri']), mimeType, bytes: Math.floor((blob.length * 3) / 4) };
}

/** Names the type and the size of something that is not shown. */
function summary(type: string, part: JsonObject, t: Translate): ResultBlock {
  const size = typeof part['data'] === 'string' ? Math.floor((part['data'].length * 3) / 4) : 0;
  const mimeType = text(part['mimeType']) || t('unknown type');
  return { kind: 'other', type, summary: t('{type}, {size} bytes, not shown here', { type: mimeType, size }) };
}

function other(type: string, part: JsonValue): ResultBlock {
  return { kind: 'other', type, summary: JSON.stringify(part, null, 2).slice(0, limits.shownResult.unknownPart) };
}

function text(value: JsonValue | undefined): string {
  return typeof value === 'string' ? value : '';
}

function wordsOf(t: Translate): ResultView['words'] {
  return {
    copy: t('Copy'),
    copied: t('Copied'),
    openAsJson: t('Open as JSON'),
    read: t('Read'),
    showAll: t('Show All'),
    structured: t('Structured Content'),
    empty: t('The tool returned nothing.'),
    imageAlt: t('Image from the tool'),
    audioLabel: t('Audio from the tool'),
  };
}
