// A tool's result for people: what can be read is printed, the rest is named with its type and size (TOOL-5).
import { isJsonObject, type JsonObject, type JsonValue } from '../../contract/json.ts';
import { unusableContent } from '../../core/tools/unusableContent.ts';
import { jsonText } from './jsonText.ts';
import { line, lines } from './words.ts';

/** The result's blocks, one after the other; ends with a line end unless it is empty. */
export function resultText(result: JsonObject): string {
  const { content, structuredContent } = result;
  const blocks = Array.isArray(content) ? (content as readonly JsonValue[]) : [];
  const parts = blocks.map(blockText);
  // Servers repeat structured content as text; without that text it is all there is.
  if (blocks.length === 0 && structuredContent !== undefined) parts.push(pretty(structuredContent));
  const unusable = unusableContent(result);
  if (unusable !== undefined) parts.push(`[${faults[unusable.why]}]\n${pretty(unusable.sent)}`);
  return parts.map((part) => (part.endsWith('\n') ? part : `${part}\n`)).join('');
}

const faults = { notAList: 'content is not a list', missing: 'no content' } as const;

function blockText(block: JsonValue): string {
  if (!isJsonObject(block)) return `[not a content block: ${line(jsonText(block), 200)}]`;
  switch (block['type']) {
    case 'text':
      return lines(textOf(block['text']));
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
  if (typeof text === 'string') return `[resource ${uri}]\n${lines(text)}`;
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

function pretty(value: JsonValue): string {
  return lines(JSON.stringify(value, undefined, 2));
}

function textOf(value: JsonValue | undefined): string {
  return typeof value === 'string' ? value : '';
}
