// An input schema as the editor's own agent takes it (GATE-7), pure. The editor holds each schema to the metaschema of
// draft-07 and leaves a tool out where a word of it does not fit. Promises: what comes out fits, says `object` and has
// `properties`; a schema that fits already keeps every word but `$schema`; where something had to go, what is left allows no less than
// before, for the server looks at its arguments itself.
import { canonicalJson } from '../base/canonicalJson.ts';
import { isJsonObject, type JsonObject, type JsonValue } from '../contract/json.ts';

export function editorSchema(schema: JsonObject): JsonObject {
  const { properties, ...fitting } = repaired(withoutReference(schema));
  return { ...fitting, type: 'object', properties: isJsonObject(properties) ? properties : {} };
}

/** What a value has to be; undefined where the word has to go. */
type Fit = (value: JsonValue, beside: JsonObject) => JsonValue | undefined;

const text: Fit = (value) => (typeof value === 'string' ? value : undefined);
const reference: Fit = (value) => (value === '' ? undefined : text(value, {}));
const flag: Fit = (value) => (typeof value === 'boolean' ? value : undefined);
const number: Fit = (value) => (typeof value === 'number' ? value : undefined);
const count: Fit = (value) => (Number.isSafeInteger(value) && Number(value) >= 0 ? value : undefined);
const list: Fit = (value) => (Array.isArray(value) ? value : undefined);
const distinct: Fit = (value) =>
  Array.isArray(value) && value.length > 0
    ? [...new Map((value as readonly JsonValue[]).map((each) => [canonicalJson(each), each])).values()]
    : undefined;
const names: Fit = (value) =>
  Array.isArray(value) ? [...new Set(value.filter((each) => typeof each === 'string'))] : undefined;

/** The draft before said of a bound whether it is itself excluded. */
const excluded =
  (bound: 'minimum' | 'maximum'): Fit =>
  (value, beside) =>
    typeof value === 'number' ? value : value === true ? number(beside[bound] ?? null, beside) : undefined;

const schema: Fit = (value) => (typeof value === 'boolean' ? value : isJsonObject(value) ? repaired(value) : undefined);
/** Where less said inside would be more said outside: as it is, or not at all. */
const exact: Fit = (value) => (isSame(schema(value, {}), value) ? value : undefined);
const each =
  (fit: Fit): Fit =>
  (value) =>
    Array.isArray(value) && value.length > 0
      ? (value as readonly JsonValue[]).map((inner) => fit(inner, {}) ?? {})
      : undefined;
const eachExact: Fit = (value) => (isSame(each(schema)(value, {}), value) ? value : undefined);
const byName =
  (fit: Fit): Fit =>
  (value) =>
    isJsonObject(value)
      ? Object.fromEntries(Object.entries(value).map(([name, inner]) => [name, fit(inner ?? null, {}) ?? {}]))
      : undefined;

const simpleTypes: readonly JsonValue[] = ['array', 'boolean', 'integer', 'null', 'number', 'object', 'string'];
const types: Fit = (value) => {
  if (!Array.isArray(value)) return simpleTypes.includes(value) ? value : undefined;
  const all = value as readonly JsonValue[];
  return all.length > 0 && all.every((type) => simpleTypes.includes(type)) ? [...new Set(all)] : undefined;
};

/** All words of which the metaschema says something; any other one is nothing to it. */
const words: ReadonlyMap<string, Fit> = new Map(
  Object.entries({
    // The editor would hold the schema to the draft that is named here, or say that it cannot load it.
    $schema: () => undefined,
    $id: reference,
    $ref: reference,
    $comment: text,
    title: text,
    description: text,
    readOnly: flag,
    examples: list,
    multipleOf: (value) => (typeof value === 'number' && value > 0 ? value : undefined),
    maximum: number,
    exclusiveMaximum: excluded('maximum'),
    minimum: number,
    exclusiveMinimum: excluded('minimum'),
    maxLength: count,
    minLength: count,
    pattern: text,
    additionalItems: schema,
    items: (value, beside) => (Array.isArray(value) ? each(schema)(value, beside) : schema(value, beside)),
    maxItems: count,
    minItems: count,
    uniqueItems: flag,
    contains: schema,
    maxProperties: count,
    minProperties: count,
    required: names,
    additionalProperties: schema,
    definitions: byName(schema),
    properties: byName(schema),
    patternProperties: byName(schema),
    dependencies: byName((value, beside) => (Array.isArray(value) ? names(value, beside) : schema(value, beside))),
    propertyNames: schema,
    enum: distinct,
    type: types,
    format: text,
    contentMediaType: text,
    contentEncoding: text,
    if: exact,
    then: schema,
    else: schema,
    allOf: each(schema),
    anyOf: each(schema),
    oneOf: eachExact,
    not: exact,
  } satisfies Record<string, Fit>),
);

function repaired(whole: JsonObject): JsonObject {
  const fitting: [string, JsonValue][] = [];
  for (const [word, value] of Object.entries(whole)) {
    if (value === undefined) continue;
    const fit = words.get(word);
    const fitted = fit === undefined ? value : fit(value, whole);
    if (fitted !== undefined) fitting.push([word, fitted]);
  }
  const result = Object.fromEntries(fitting);
  // Without its condition each of the two would hold always, or never be looked at.
  return 'if' in whole && !('if' in result) ? without(result, ['then', 'else']) : result;
}

/** The object behind a reference that is all that the schema says: `properties` beside one would count for nothing. */
function withoutReference(whole: JsonObject): JsonObject {
  const shared = Object.fromEntries(Object.entries(whole).filter(([word]) => definitions.has(word)));
  let found = whole;
  for (let step = 0; step < mostSteps; step += 1) {
    const { $ref: to, ...rest } = found;
    const behind = typeof to === 'string' && Object.keys(rest).every(isSilent) ? pointed(whole, to) : undefined;
    if (behind === undefined) return found;
    found = { ...rest, ...behind, ...shared };
  }
  return found;
}

const definitions: ReadonlySet<string> = new Set(['definitions', '$defs']);
const silent: ReadonlySet<string> = new Set(['$schema', '$id', '$comment', 'title', 'description', 'type']);

function isSilent(word: string): boolean {
  return definitions.has(word) || silent.has(word);
}

const mostSteps = 8;

function pointed(whole: JsonObject, to: string): JsonObject | undefined {
  const [, group = '', name = ''] = /^#\/(definitions|\$defs)\/([^/]+)$/.exec(to) ?? [];
  const all = whole[group];
  const plain = name.replaceAll('~1', '/').replaceAll('~0', '~');
  const found = isJsonObject(all) && Object.hasOwn(all, plain) ? all[plain] : undefined;
  return isJsonObject(found) ? found : undefined;
}

function without(value: JsonObject, words: readonly string[]): JsonObject {
  return Object.fromEntries(Object.entries(value).filter(([word]) => !words.includes(word)));
}

function isSame(one: JsonValue | undefined, other: JsonValue): boolean {
  return one !== undefined && canonicalJson(one) === canonicalJson(other);
}
