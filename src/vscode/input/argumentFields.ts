// Reads a tool's input schema as a list of plain questions, for quick input. Pure. What cannot be asked plainly is a
// field of kind `json`; a schema that is a choice between objects, or not an object, is left to the JSON editor.
import { isJsonObject, type JsonObject, type JsonValue } from '../../contract/json.ts';

export interface ArgumentField {
  readonly name: string;
  readonly title: string;
  readonly description: string;
  readonly required: boolean;
  readonly kind: 'text' | 'number' | 'integer' | 'boolean' | 'choice' | 'choices' | 'json';
  /** Of `choice` and `choices`. */
  readonly options: readonly JsonValue[];
  readonly initial?: JsonValue;
}

/** The fields in the schema's order, required ones first; undefined where only JSON can express the arguments. */
export function argumentFields(schema: JsonValue | undefined): readonly ArgumentField[] | undefined {
  if (!isJsonObject(schema)) return undefined;
  const root = resolve(schema, schema);
  if (root['oneOf'] !== undefined || root['anyOf'] !== undefined || root['allOf'] !== undefined) return undefined;
  const properties = root['properties'];
  if (properties === undefined) return [];
  if (!isJsonObject(properties)) return undefined;
  const required = new Set(Array.isArray(root['required']) ? (root['required'] as readonly JsonValue[]) : []);
  const entries = Object.entries(properties);
  if (entries.length > 50) return undefined;
  const fields = entries.map(([name, property]) => fieldOf(name, property, required.has(name), schema));
  return [...fields.filter((field) => field.required), ...fields.filter((field) => !field.required)];
}

export type Parsed =
  | { readonly kind: 'value'; readonly value: JsonValue }
  | { readonly kind: 'wrong'; readonly why: 'number' | 'integer' | 'json' };

/** What a typed answer means; text is taken as it is, an empty one too. */
export function parseAnswer(kind: ArgumentField['kind'], answer: string): Parsed {
  switch (kind) {
    case 'number':
    case 'integer': {
      const value = Number(answer);
      if (answer.trim() === '' || !Number.isFinite(value)) return { kind: 'wrong', why: kind };
      if (kind === 'integer' && !Number.isInteger(value)) return { kind: 'wrong', why: 'integer' };
      return { kind: 'value', value };
    }
    case 'json':
      try {
        return { kind: 'value', value: JSON.parse(answer) as JsonValue };
      } catch {
        return { kind: 'wrong', why: 'json' };
      }
    default:
      return { kind: 'value', value: answer };
  }
}

/** An object to begin with in the JSON editor: remembered arguments, else defaults and the required names. */
export function draftArguments(schema: JsonValue | undefined, remembered: JsonObject | undefined): JsonObject {
  const fields = argumentFields(schema) ?? [];
  const proposed = fields
    .filter((field) => field.required || field.initial !== undefined)
    .map((field): [string, JsonValue] => [field.name, field.initial ?? emptyValue(field)]);
  // At the top of a JSON document this name makes the editor fetch the URL behind it: only a person writes it there.
  const entries = remembered === undefined ? proposed : Object.entries(remembered);
  return Object.fromEntries(entries.filter(([name]) => name !== '$schema'));
}

function emptyValue({ kind, options }: ArgumentField): JsonValue {
  switch (kind) {
    case 'number':
    case 'integer':
      return 0;
    case 'boolean':
      return false;
    case 'choice':
      return options[0] ?? '';
    case 'choices':
      return [];
    case 'text':
      return '';
    case 'json':
      return null;
  }
}

function fieldOf(name: string, property: JsonValue | undefined, required: boolean, root: JsonObject): ArgumentField {
  const schema = isJsonObject(property) ? resolve(property, root) : {};
  const effective = withoutNull(schema, root);
  const initial = schema['default'] ?? effective['default'];
  return {
    name,
    title: stringOr(schema['title'], name),
    description: stringOr(schema['description'], stringOr(effective['description'], '')),
    required,
    ...kindOf(effective, root),
    ...(initial === undefined ? {} : { initial }),
  };
}

function kindOf(schema: JsonObject, root: JsonObject): Pick<ArgumentField, 'kind' | 'options'> {
  const options = enumOf(schema);
  if (options !== undefined) return { kind: 'choice', options };
  switch (schema['type']) {
    case 'string':
      return { kind: 'text', options: [] };
    case 'number':
    case 'integer':
    case 'boolean':
      return { kind: schema['type'], options: [] };
    case 'array': {
      const items = isJsonObject(schema['items']) ? enumOf(resolve(schema['items'], root)) : undefined;
      return items === undefined ? { kind: 'json', options: [] } : { kind: 'choices', options: items };
    }
    default:
      return { kind: 'json', options: [] };
  }
}

/** The values of `enum`, of `const`, or of a `oneOf` of constants; not too many to pick from. */
function enumOf(schema: JsonObject): readonly JsonValue[] | undefined {
  if (Array.isArray(schema['enum'])) return (schema['enum'] as readonly JsonValue[]).slice(0, 1000);
  if (schema['const'] !== undefined) return [schema['const']];
  const variants = schema['oneOf'];
  if (!Array.isArray(variants)) return undefined;
  const constants = (variants as readonly JsonValue[]).map((variant) =>
    isJsonObject(variant) ? variant['const'] : undefined,
  );
  const known = constants.filter((value) => value !== undefined);
  return known.length === constants.length && known.length > 0 ? known : undefined;
}

/** `anyOf` of something and null, or a type list with null, is that something. */
function withoutNull(schema: JsonObject, root: JsonObject): JsonObject {
  if (Array.isArray(schema['type'])) {
    const types = (schema['type'] as readonly JsonValue[]).filter((type) => type !== 'null');
    return types.length === 1 && types[0] !== undefined ? { ...schema, type: types[0] } : schema;
  }
  const variants = schema['anyOf'];
  if (!Array.isArray(variants)) return schema;
  const objects = (variants as readonly JsonValue[]).filter(isJsonObject).map((variant) => resolve(variant, root));
  const rest = objects.filter((variant) => variant['type'] !== 'null');
  return rest.length === 1 && rest[0] !== undefined ? rest[0] : schema;
}

const referenceDepth = 16;

/** Follows local references; one that leads nowhere, elsewhere or round in circles stays as it is. */
function resolve(schema: JsonObject, root: JsonObject): JsonObject {
  let current = schema;
  for (let depth = 0; depth < referenceDepth; depth++) {
    const reference = current['$ref'];
    if (typeof reference !== 'string' || !reference.startsWith('#/')) return current;
    const target = reference
      .slice(2)
      .split('/')
      .reduce<JsonValue | undefined>((node, part) => stepInto(node, part), root);
    if (!isJsonObject(target)) return current;
    current = { ...target, ...without(current, '$ref') };
  }
  return schema;
}

function stepInto(node: JsonValue | undefined, part: string): JsonValue | undefined {
  const name = decodeURIComponentSafely(part).replaceAll('~1', '/').replaceAll('~0', '~');
  return isJsonObject(node) && Object.hasOwn(node, name) ? node[name] : undefined;
}

function decodeURIComponentSafely(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    return text;
  }
}

function without(object: JsonObject, name: string): JsonObject {
  return Object.fromEntries(Object.entries(object).filter(([key]) => key !== name));
}

function stringOr(value: JsonValue | undefined, fallback: string): string {
  return typeof value === 'string' && value !== '' ? value : fallback;
}
