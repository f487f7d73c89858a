// A tool's result for people: what can be read is printed, the rest is named with its type and size (TOOL-5).
import { isJsonObject, type JsonObject, type JsonValue } from '../../contract/json.ts';
import { limits } from '../../core/limits.ts';
import { unusableContent } from '../../core/tools/unusableContent.ts';
import { jsonText } from './jsonText.ts';
import { line, lines } from './shownText.ts';

/** The result's blocks, one after the other; ends with a line end unless it is empty. */
export function resultText(result: JsonObject): string {
  const { content, structuredContent } = result;
  const blocks = Array.isArray(content) ? (content as readonly JsonValue[]) : [];
  const parts = blocks.map((block) => () => blockText(block));
  // Servers repeat structured content as text; without that text it is all there is.
  if (blocks.length === 0 && structuredContent !== undefined) parts.push(() => pretty(structuredContent));
  const unusable = unusableContent(result);
  if (unusable !== undefined) parts.push(() => `[${faults[unusable.why]}]\n${pretty(unusable.sent)}`);
  return printed(parts);
}

/** What was sent can grow to ten times its length when what is hidden in it is shown, so printing ends in time. */
function printed(parts: readonly (() => string)[]): string {
  const shown: string[] = [];
  let left: number = limits.shownResult.text;
  for (const part of parts) {
    const text = part();
    const kept = text.slice(0, left);
    shown.push(kept, kept.endsWith('\n') ? '' : '\n');
    left -= text.length;
    if (left < 0)
      return [...shown, `[not all of it is printed: --json has all ${parts.length} parts whole]\n`].join('');
  }
  return shown.join('');
}

const faults = { notAList: 'content is not a list', missing: 'no content' } as const;

function blockText(block: JsonValue): string {
  if (!isJsonObject(block)) return `[not a content block: ${line(jsonText(block), 200)}]`;
  switch (block['type']) {
    case 'text':
      return whole(textOf(block['text']));
    case 'image':
    case 'audio':
      return `[${block['type']}${mediaText(block['mimeType'], block['data'])}]`;
    case 'resource':
      return embeddedText(block['resource']);
    case 'resource_link':
      return `[resource ${line(textOf(block['uri']))}${labelled(block['title'] ?? block['name'])}]`;
    default:
      return `[${line(textOf(block['type']) || 'unknown', 60)}: ${line(jsonText(block), 200)}]`;
  }
}

function embeddedText(resource: JsonValue | undefined): string {
  if (!isJsonObject(resource)) return '[resource without content]';
  const uri = line(textOf(resource['uri']));
  const { text } = resource;
  if (typeof text === 'string') return `[resource ${uri}]\n${whole(text)}`;
  return `[resource ${uri}${mediaText(resource['mimeType'], resource['blob'])}]`;
}

/** `, image/png, 1,234 bytes`; base64 needs four characters for three bytes. */
function mediaText(mimeType: JsonValue | undefined, base64: JsonValue | undefined): string {
  const type = typeof mimeType === 'string' ? `, ${line(mimeType, 100)}` : '';
  if (typeof base64 !== 'string') return type;
  const padding = /={0,2}$/.exec(base64)?.[0].length ?? 0;
  return `${type}, ${Math.max(0, Math.floor((base64.length * 3) / 4) - padding)} bytes`;
}

function labelled(label: JsonValue | undefined): string {
  return typeof label === 'string' && label !== '' ? `, ${line(label, 200)}` : '';
}

/** One unit more than is printed, which tells that there is more. */
function whole(text: string): string {
  return lines(text, limits.shownResult.text + 1);
}

function pretty(value: JsonValue): string {
  return whole(JSON.stringify(value, undefined, 2));
}

function textOf(value: JsonValue | undefined): string {
  return typeof value === 'string' ? value : '';
}
