// Addresses of resources where several servers share one list (GATE-4): pure. The server stands in the authority, its own
// URI behind it as it is: `roundhouse://server.files/file:///a.txt`. So a template stays a template whatever its operators,
// and no `..` of a URI leads out of its server. The rule knows no other server and no order, and is reversible: a capital
// of an id is written `~a`, since clients may write an authority in small letters.
import { isJsonObject, type JsonObject, type JsonValue } from '../contract/json.ts';

export type InnerUri =
  | { readonly kind: 'server'; readonly server: string; readonly uri: string }
  /** A whole result that was cut towards a model (TOOL-5); pages count from 1. */
  | { readonly kind: 'result'; readonly id: string; readonly page: number };

/** Of a URI or of a URI template. */
export function outwardUri(server: string, uri: string): string {
  return `roundhouse://server.${server.replace(/[A-Z]/g, (capital) => `~${capital.toLowerCase()}`)}/${uri}`;
}

export function resultUri(id: string, page = 1): string {
  return `roundhouse://result/${id}${page === 1 ? '' : `/${page}`}`;
}

/** Undefined for what is none of ours. */
export function innerUri(outward: string): InnerUri | undefined {
  const [, authority, rest = ''] = /^roundhouse:\/\/([^/?#]+)\/(.+)$/is.exec(outward) ?? [];
  const [, server] = /^server\.([a-z0-9_~-]+)$/.exec(authority?.toLowerCase() ?? '') ?? [];
  if (server !== undefined) {
    return {
      kind: 'server',
      server: server.replace(/~([a-z])/g, (_, small: string) => small.toUpperCase()),
      uri: rest,
    };
  }
  const [, id, page = '1'] = /^([0-9a-f]{32})(?:\/([1-9]\d{0,6}))?$/.exec(rest) ?? [];
  return authority?.toLowerCase() === 'result' && id !== undefined
    ? { kind: 'result', id, page: Number(page) }
    : undefined;
}

/**
 * A result of a server with the addresses in it as they are known here: of `contents`, `content` and `messages`. The very
 * result where it holds none.
 */
export function withOutwardUris(server: string, result: JsonObject): JsonObject {
  const found = { any: false };
  const address = (value: JsonValue): JsonValue => {
    if (!isJsonObject(value) || typeof value['uri'] !== 'string') return value;
    found.any = true;
    return { ...value, uri: outwardUri(server, value['uri']) };
  };
  const block = (value: JsonValue): JsonValue => {
    if (!isJsonObject(value)) return value;
    const { type, resource } = value;
    if (type === 'resource_link') return address(value);
    return type === 'resource' && resource !== undefined ? { ...value, resource: address(resource) } : value;
  };
  const blocks = (value: JsonValue): JsonValue => (isList(value) ? value.map(block) : block(value));
  const message = (value: JsonValue): JsonValue =>
    isJsonObject(value) && value['content'] !== undefined ? { ...value, content: blocks(value['content']) } : value;
  const { contents, content, messages } = result;
  const outward = {
    ...result,
    ...(isList(contents) && { contents: contents.map(address) }),
    ...(isList(content) && { content: content.map(block) }),
    ...(isList(messages) && { messages: messages.map(message) }),
  };
  return found.any ? outward : result;
}

function isList(value: JsonValue | undefined): value is readonly JsonValue[] {
  return Array.isArray(value);
}
