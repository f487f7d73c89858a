// Which arguments of a tool a modern HTTP server wants mirrored into headers (SEP-2243; 2026-07-28, Streamable HTTP,
// "Custom Headers from Tool Parameters"). Pure. An illegal definition makes the tool unusable there (DISC-6): the
// scan names the first fault. The schema was bounded in size and depth before.
import { isJsonObject, type JsonObject } from '../../contract/json.ts';
import { limits } from '../limits.ts';

export interface MirroredArgument {
  /** Property names from the arguments' root. */
  readonly path: readonly string[];
  /** The whole header name, `Mcp-Param-…`. */
  readonly header: string;
}

export type HeaderDefinitions =
  | { readonly kind: 'legal'; readonly mirrored: readonly MirroredArgument[] }
  | { readonly kind: 'illegal'; readonly reason: string };

export function headerDefinitions(inputSchema: JsonObject): HeaderDefinitions {
  const scan: Scan = { mirrored: [], names: new Set() };
  const reason = visit(scan, inputSchema, [], true);
  return reason === undefined ? { kind: 'legal', mirrored: scan.mirrored } : { kind: 'illegal', reason };
}

/** Cheap first look on a schema's JSON text: most tools mirror nothing. */
export function mayMirror(schemaText: string): boolean {
  return schemaText.includes('"x-mcp-header"');
}

interface Scan {
  readonly mirrored: MirroredArgument[];
  readonly names: Set<string>;
}

/** Keywords below which a definition is not statically reachable, and so not allowed. */
const branches = [
  ...['items', 'prefixItems', 'contains', 'additionalItems', 'additionalProperties', 'unevaluatedItems'],
  ...['unevaluatedProperties', 'propertyNames', 'oneOf', 'anyOf', 'allOf', 'not', 'if', 'then', 'else'],
] as const;
/** The same, where the keyword holds schemas by name. */
const branchMaps = ['patternProperties', 'dependentSchemas', 'dependencies', '$defs', 'definitions'] as const;

/** RFC 9110, section 5.6.2. */
const token = /^[!#$%&'*+.^_`|~0-9A-Za-z-]+$/;

function visit(scan: Scan, node: unknown, path: readonly string[], reachable: boolean): string | undefined {
  if (Array.isArray(node)) return firstOf(node, (item) => visit(scan, item, path, reachable));
  if (!isJsonObject(node)) return undefined;
  if (Object.hasOwn(node, 'x-mcp-header')) {
    const fault = take(scan, node, path, reachable);
    if (fault !== undefined) return fault;
  }
  const properties = node['properties'];
  const ofProperties = isJsonObject(properties)
    ? firstOf(Object.entries(properties), ([key, child]) => visit(scan, child, [...path, key], reachable))
    : undefined;
  return (
    ofProperties ??
    firstOf(branches, (keyword) => visit(scan, node[keyword], [...path, keyword], false)) ??
    firstOf(branchMaps, (keyword) => {
      const map = node[keyword];
      return isJsonObject(map)
        ? firstOf(Object.values(map), (child) => visit(scan, child, [...path, keyword], false))
        : undefined;
    })
  );
}

/** Adds one definition, or says why it is illegal. */
function take(scan: Scan, node: JsonObject, path: readonly string[], reachable: boolean): string | undefined {
  const name = node['x-mcp-header'];
  const type = node['type'];
  const where = path.join('.').slice(0, 100) || 'the root';
  if (!reachable || path.length === 0) return `x-mcp-header at ${where} is not on a plain property`;
  if (typeof name !== 'string' || !token.test(name)) return `x-mcp-header at ${where} is not a header name`;
  if (type !== 'string' && type !== 'integer' && type !== 'boolean') {
    return `x-mcp-header at ${where} is not on a string, integer or boolean`;
  }
  const lower = name.toLowerCase();
  if (scan.names.has(lower)) return `x-mcp-header ${name.slice(0, 100)} is defined twice`;
  if (name.length > limits.discovery.name) return `x-mcp-header at ${where} is too long`;
  scan.names.add(lower);
  scan.mirrored.push({ path, header: `Mcp-Param-${name}` });
  const { count } = limits.mirroredHeaders;
  return scan.mirrored.length > count ? `more than ${count} x-mcp-header definitions` : undefined;
}

function firstOf<T>(items: readonly T[], find: (item: T) => string | undefined): string | undefined {
  for (const item of items) {
    const found = find(item);
    if (found !== undefined) return found;
  }
  return undefined;
}
