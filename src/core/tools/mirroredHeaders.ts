// The HTTP headers that repeat arguments of one call (SEP-2243; 2026-07-28, Streamable HTTP, "Value Encoding").
// Pure. Refuses what could not be sent exactly, before anything is sent (DISC-6).
import { isJsonObject, type JsonObject, type JsonValue } from '../../contract/json.ts';
import type { MirroredArgument } from '../discovery/headerDefinitions.ts';
import { ManagerError } from '../errors.ts';
import { limits } from '../limits.ts';

/**
 * Absent, null and structured values have no header; the server checks those against its schema.
 * Fails with unsafeInteger, or with argumentsInvalid where a value is too large for a header.
 */
export function mirroredHeaders(
  mirrored: readonly MirroredArgument[],
  call: { readonly server: string; readonly tool: string; readonly args: JsonObject },
): Readonly<Record<string, string>> {
  const { server, tool, args } = call;
  const headers: Record<string, string> = {};
  let total = 0;
  for (const { path, header } of mirrored) {
    const value = valueAt(args, path);
    if (typeof value === 'number' && Number.isInteger(value) && !Number.isSafeInteger(value)) {
      throw new ManagerError('unsafeInteger', { server, tool, field: path.join('.') });
    }
    if (typeof value !== 'string' && typeof value !== 'number' && typeof value !== 'boolean') continue;
    const text = headerText(String(value));
    total += header.length + text.length;
    if (text.length > limits.mirroredHeaders.value || total > limits.mirroredHeaders.total) {
      const detail = `${path.join('.')} is too long for its header ${header}`;
      throw new ManagerError('argumentsInvalid', { server, tool, detail });
    }
    headers[header] = text;
  }
  return headers;
}

/** Plain ASCII as it is; everything else, and what looks encoded already, as base64 between markers. */
export function headerText(value: string): string {
  const plain = /^[!-~](?:[\t -~]*[!-~])?$/.test(value) && !(value.startsWith('=?base64?') && value.endsWith('?='));
  return plain ? value : `=?base64?${Buffer.from(value, 'utf8').toString('base64')}?=`;
}

/** Undefined where the arguments have nothing there. */
export function valueAt(root: JsonObject, path: readonly string[]): JsonValue | undefined {
  let node: JsonValue | undefined = root;
  for (const key of path) {
    if (!isJsonObject(node) || !Object.hasOwn(node, key)) return undefined;
    node = node[key];
  }
  return node;
}
