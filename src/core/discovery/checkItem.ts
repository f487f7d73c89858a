// One item of a server's list, looked at by itself (DISC-2): pure. What we rely on is checked, the rest of the item
// stays as it was sent. A bad item is told with its reason and costs nobody else anything.
import { createHash } from 'node:crypto';
import { boundedCanonicalJson } from '../../base/canonicalJson.ts';
import { isDeeperThan } from '../../base/jsonDepth.ts';
import { ownText } from '../../base/ownText.ts';
import { isJsonObject, type JsonObject, type JsonValue } from '../../contract/json.ts';
import { limits } from '../limits.ts';
import { headerDefinitions, mayMirror } from './headerDefinitions.ts';
import type { DiscoveryIssue, OfferedItem, OfferedTool, OfferKind } from './snapshot.ts';

type Fault = Pick<DiscoveryIssue, 'what' | 'reason'>;

/** `item` = taken (repaired where `fault` is there too); `fault` alone = left out. */
export interface Checked<T> {
  readonly item?: T;
  readonly fault?: Fault;
}

/** @param mirrors whether the connection mirrors arguments into headers (modern HTTP) */
export function checkTool(raw: unknown, options: { readonly mirrors: boolean }): Checked<OfferedTool> {
  if (!isJsonObject(raw)) return bad('is not an object');
  const { name, title, description, inputSchema, outputSchema } = raw;
  if (!isName(name)) return bad(nameRule);
  if (!isDescription(description)) return bad(descriptionRule);
  if (!isJsonObject(inputSchema)) return bad('inputSchema is missing or not an object');
  if (typeof inputSchema['type'] === 'string' && inputSchema['type'] !== 'object') {
    return bad('inputSchema does not describe an object');
  }
  if (outputSchema !== undefined && !isJsonObject(outputSchema)) return bad('outputSchema is not an object');

  const input = boundedCanonicalJson(inputSchema, schemaBounds);
  const output = boundedCanonicalJson(outputSchema, schemaBounds);
  if (input.kind !== 'text') return bad(`inputSchema is ${tooMuch[input.kind]}`);
  if (output.kind !== 'text') return bad(`outputSchema is ${tooMuch[output.kind]}`);
  if (options.mirrors && mayMirror(input.text)) {
    const definitions = headerDefinitions(inputSchema);
    if (definitions.kind === 'illegal') return { fault: { what: 'headerDefinition', reason: definitions.reason } };
  }

  const others = Object.fromEntries(Object.entries(raw).filter(([key]) => key !== 'annotations'));
  if (isDeeperThan(others, limits.discovery.itemDepth)) return bad(depthRule);
  const shown = JSON.stringify([name, description ?? null, ...(title === undefined ? [] : [title])]);
  const hash = sha256(`${shown}${input.text}${output.text}`);
  const annotations = boundedCanonicalJson(raw['annotations'], schemaBounds);
  if (raw['annotations'] === undefined || (isJsonObject(raw['annotations']) && annotations.kind === 'text')) {
    return { item: { name, raw, hash, annotationsHash: annotations.kind === 'text' ? sha256(annotations.text) : '' } };
  }
  // Strict clients refuse a whole list for one such tool: it goes on without them.
  return {
    item: { name, raw: others, hash, annotationsHash: sha256('null') },
    fault: { what: 'repaired', reason: 'annotations are not a usable object; it goes on without them' },
  };
}

/** Checks a resource, a resource template or a prompt. */
export function checkItem(kind: Exclude<OfferKind, 'tools'>, raw: unknown): Checked<OfferedItem> {
  if (!isJsonObject(raw)) return bad('is not an object');
  if (isDeeperThan(raw, limits.discovery.itemDepth)) return bad(depthRule);
  const { name } = raw;
  if (!isName(name)) return bad(nameRule);
  if (!isDescription(raw['description'])) return bad(descriptionRule);
  if (kind === 'prompts') {
    const fault = promptFault(raw);
    return fault === undefined ? { item: { key: name, name, raw } } : bad(fault);
  }
  const field = kind === 'resources' ? 'uri' : 'uriTemplate';
  const key = raw[field];
  if (typeof key !== 'string' || key === '' || key.length > limits.discovery.description || unprintable.test(key)) {
    return bad(`${field} is missing, too long or holds control characters`);
  }
  return { item: { key, name, raw } };
}

/** What to call an item in a report: its name or URI where they can be read, else its position (from 1). */
export function itemLabel(raw: unknown, position: number): string {
  if (isJsonObject(raw)) {
    for (const value of [raw['uri'], raw['uriTemplate'], raw['name']]) {
      if (typeof value === 'string' && value !== '') return ownText(value, limits.discovery.name);
    }
  }
  return `#${position}`;
}

const schemaBounds = { length: limits.discovery.schemaBytes, depth: limits.discovery.schemaDepth };
const tooMuch = {
  tooLong: `larger than ${limits.discovery.schemaBytes / 1024} KiB`,
  tooDeep: `deeper than ${limits.discovery.schemaDepth} levels`,
} as const;
const depthRule = `is nested deeper than ${limits.discovery.itemDepth} levels`;
const nameRule = `name is not a string of 1 to ${limits.discovery.name} characters without control characters`;
const descriptionRule = `description is not a string of at most ${limits.discovery.description} characters`;
/** Controls and surrogates that stand alone: they have no UTF-8 form, so two names could become one. */
const unprintable = /[\p{Cc}\p{Cs}]/u;

function isName(value: JsonValue | undefined): value is string {
  return typeof value === 'string' && value !== '' && value.length <= limits.discovery.name && !unprintable.test(value);
}

function isDescription(value: JsonValue | undefined): value is string | undefined {
  return value === undefined || (typeof value === 'string' && value.length <= limits.discovery.description);
}

function promptFault(raw: JsonObject): string | undefined {
  const list = raw['arguments'];
  if (list === undefined) return undefined;
  if (!Array.isArray(list)) return 'arguments are not a list';
  return list.every((argument: unknown) => isJsonObject(argument) && isName(argument['name']))
    ? undefined
    : 'an argument has no usable name';
}

function bad(reason: string): { readonly fault: Fault } {
  return { fault: { what: 'badItem', reason } };
}

function sha256(text: string): string {
  return createHash('sha256').update(text).digest('hex');
}
