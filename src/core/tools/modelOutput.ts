// A tool's result as a model may see it (TOOL-5): pure. Text, images and blocks are bounded in all; audio, binary
// resources and what we do not know are described, not passed on; an image that comes in content and again in
// structured content is shown and counted once. What was cut says so, and where the whole is.
import { boundedCanonicalJson } from '../../base/canonicalJson.ts';
import { truncate } from '../../base/sanitise.ts';
import { sizeOf } from '../../base/sizeOf.ts';
import { sizeText } from '../../base/sizeText.ts';
import { isJsonObject, type JsonObject, type JsonValue } from '../../contract/json.ts';
import { limits } from '../limits.ts';
import type { ToolResult } from './callTypes.ts';

export interface ModelOutput {
  /** `content`, and `structuredContent` and `isError` where they are; nothing else of the result unless it is `whole`. */
  readonly result: JsonObject;
  /** Whether anything was left out. */
  readonly cut: boolean;
}

export interface ModelOutputOptions {
  /** For a client before the model: where nothing was cut or rewritten, the very result, with what else it holds. */
  readonly whole?: boolean;
  /** Where the whole result can be read, such as `roundhouse://result/…`; asked for only where something is cut. */
  readonly link?: () => string;
}

export function boundForModel(result: ToolResult, options: ModelOutputOptions = {}): ModelOutput {
  const output = new Output(options.link);
  const content: unknown = result['content'];
  for (const block of Array.isArray(content) ? (content as readonly unknown[]) : []) output.add(block);
  const structured = result['structuredContent'];
  const bounded = structured === undefined ? undefined : output.structured(structured);
  if (options.whole === true && output.isWhole(result)) return { result, cut: false };
  return {
    result: {
      content: output.finish(),
      ...(bounded !== undefined && { structuredContent: bounded }),
      ...(result['isError'] === true && { isError: true }),
    },
    cut: output.cut,
  };
}

const most = limits.modelOutput;
/** Of the text, kept free for at most three sentences about what was left out. */
const reserve = 1_200;
/** Of the blocks, for the same sentences. */
const reservedBlocks = 2;

/** As long as a number is written at most: what is not text weighs no less. */
const longestNumber = 24;

/** The blocks so far, and what is still free. */
class Output {
  cut = false;
  /** A block stands for others, or in another form than it came in. */
  #rewritten = false;
  readonly #blocks: JsonObject[] = [];
  readonly #images = new Set<string>();
  readonly #link: (() => string) | undefined;
  #text = most.text - reserve;
  #imageSize = most.imageBase64;
  #leftOut = 0;

  constructor(link: (() => string) | undefined) {
    this.#link = link;
  }

  add(block: unknown): void {
    const type = isJsonObject(block) ? block['type'] : undefined;
    this.#rewritten ||= !isJsonObject(block) || !isAsItShouldBe(block);
    if (!isJsonObject(block)) this.#describe('A block that is not an object');
    else if (type === 'text') this.#addText(textOf(block['text']));
    else if (type === 'image') this.#addImage(block);
    else if (type === 'audio') this.#describe(`Audio of type ${short(block['mimeType'])}, ${sizeIn(block['data'])}`);
    else if (type === 'resource') this.#addResource(block['resource']);
    else if (type === 'resource_link') this.#addLink(block);
    else this.#describe(`A block of type ${short(type)}`);
  }

  /** Structured content with its payloads taken out; undefined where it does not fit whole. */
  structured(value: JsonValue): JsonValue | undefined {
    // Each value costs two characters at least: what has more of them cannot fit, and is not walked to its end.
    const walk = { left: this.#text / 2 };
    const light = this.#lighten(value, 0, walk);
    const depth = limits.discovery.schemaDepth + 1;
    const json = walk.left < 0 ? undefined : boundedCanonicalJson(light, { length: this.#text, depth });
    if (json?.kind === 'text') {
      this.#text -= json.text.length;
      return light;
    }
    this.cut = true;
    this.#blocks.push(this.#sentence('Structured content was too large and was left out.'));
    return undefined;
  }

  /** Nothing of it was cut or rewritten, and what else it holds is no more than a model may get as text. */
  isWhole(result: ToolResult): boolean {
    if (this.cut || this.#rewritten || !Array.isArray(result['content'])) return false;
    const room = most.text + (most.imageBase64 - this.#imageSize);
    return sizeOf(result, room, longestNumber) <= room;
  }

  finish(): readonly JsonObject[] {
    if (this.#leftOut > 0) this.#blocks.push(this.#sentence(`${this.#leftOut} more blocks were left out.`));
    return this.#blocks;
  }

  #addText(text: string): void {
    if (text.length <= this.#text) {
      this.#put({ type: 'text', text }, text.length);
    } else if (this.#text === 0) {
      this.#leaveOut();
    } else {
      this.cut = true;
      const kept = truncate(text, this.#text, '');
      const cut = `[Cut: ${text.length - kept.length} of ${text.length} characters were left out.${this.#whole()}]`;
      this.#put({ type: 'text', text: `${kept}\n${cut}` }, this.#text);
    }
  }

  #addImage(block: JsonObject): void {
    const { data, mimeType } = block;
    if (typeof data !== 'string' || typeof mimeType !== 'string') {
      this.#describe('An image without data');
    } else if (this.#images.has(data)) {
      this.#rewritten = true; // Shown already: structured content repeats it.
    } else if (this.#images.size >= most.images || data.length > this.#imageSize) {
      this.#describe(`An image of type ${short(mimeType)}, ${sizeIn(data)}`);
    } else if (this.#put({ type: 'image', data, mimeType: short(mimeType) }, 0)) {
      this.#images.add(data);
      this.#imageSize -= data.length;
    }
  }

  #addResource(resource: JsonValue | undefined): void {
    const { uri, mimeType, text, blob } = isJsonObject(resource) ? resource : {};
    if (typeof text !== 'string') {
      this.#describe(`Resource ${short(uri)} of type ${short(mimeType)}, ${sizeIn(blob)}`);
      return;
    }
    const head = { uri: short(uri), ...(typeof mimeType === 'string' && { mimeType: short(mimeType) }) };
    const cost = JSON.stringify(head).length + text.length;
    if (cost <= this.#text) this.#put({ type: 'resource', resource: { ...head, text } }, cost);
    else this.#addText(`${short(uri)}:\n${text}`);
  }

  #addLink(block: JsonObject): void {
    const fields = linkFields.flatMap((field) => {
      const value = block[field];
      return typeof value === 'string'
        ? [[field, truncate(value, field === 'uri' ? most.linkUri : most.linkField)] as const]
        : [];
    });
    const link: JsonObject = { type: 'resource_link', ...Object.fromEntries(fields) };
    const cost = JSON.stringify(link).length;
    if (cost <= this.#text) this.#put(link, cost);
    else this.#leaveOut();
  }

  /** Says that something is there without passing it on. */
  #describe(what: string): void {
    this.cut = true;
    const block = this.#sentence(`${what}, is not shown.`);
    const cost = textOf(block['text']).length;
    if (cost <= this.#text) this.#put(block, cost);
    else this.#leaveOut();
  }

  /** @returns whether there was room for one more block */
  #put(block: JsonObject, cost: number): boolean {
    if (this.#blocks.length >= most.blocks - reservedBlocks) {
      this.#leaveOut();
      return false;
    }
    this.#text -= cost;
    this.#blocks.push(block);
    return true;
  }

  #leaveOut(): void {
    this.cut = true;
    this.#leftOut += 1;
  }

  #sentence(text: string): JsonObject {
    return { type: 'text', text: `[${text}${this.#whole()}]` };
  }

  #whole(): string {
    return this.#link === undefined ? '' : ` The whole result: ${this.#link().slice(0, 300)}`;
  }

  #lighten(value: JsonValue, depth: number, walk: { left: number }): JsonValue {
    walk.left -= 1;
    if (walk.left < 0) return null;
    if (depth > limits.discovery.schemaDepth) {
      this.cut = true;
      return '[too deep to be shown]';
    }
    if (Array.isArray(value))
      return (value as readonly JsonValue[]).map((item) => this.#lighten(item, depth + 1, walk));
    if (!isJsonObject(value)) return value;
    const { type, data, mimeType } = value;
    if (type === 'image' && typeof data === 'string' && typeof mimeType === 'string') {
      this.#rewritten = true;
      this.#addImage(value);
      return { type, mimeType: short(mimeType), data: '[see the images in the content]' };
    }
    const entries = Object.entries(value).map(([key, item]) => {
      const binary = typeof item === 'string' && (key === 'blob' || (key === 'data' && type === 'audio'));
      if (binary) this.cut = true;
      if (binary) return [key, `[${sizeIn(item)}, not shown]`] as const;
      return [key, item === undefined ? item : this.#lighten(item, depth + 1, walk)] as const;
    });
    return Object.fromEntries(entries);
  }
}

/** What a client of the protocol relies on; what lacks it is put right on the way. */
function isAsItShouldBe({ type, text, uri, name, resource }: JsonObject): boolean {
  if (type === 'text') return typeof text === 'string';
  if (type === 'resource_link') return typeof uri === 'string' && typeof name === 'string';
  return type !== 'resource' || (isJsonObject(resource) && typeof resource['uri'] === 'string');
}

const linkFields = ['uri', 'name', 'title', 'description', 'mimeType'] as const;

function textOf(value: JsonValue | undefined): string {
  return typeof value === 'string' ? value : '';
}

function short(value: JsonValue | undefined): string {
  return typeof value === 'string' ? truncate(value, 200) : 'unknown';
}

/** Decoded size of base64 text, in words. */
function sizeIn(base64: JsonValue | undefined): string {
  return sizeText(Math.floor((textOf(base64).length * 3) / 4));
}
