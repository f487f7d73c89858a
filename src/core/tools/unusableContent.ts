// Tells a result that does not have the form of one, so that what the server sent is shown as it came, never as nothing.
import type { JsonObject, JsonValue } from '../../contract/json.ts';

/** What is wrong with a `tools/call` result, with the part to show; undefined where its content can be read. */
export function unusableContent(
  result: JsonObject,
): { readonly why: 'notAList' | 'missing'; readonly sent: JsonValue } | undefined {
  const { content, structuredContent } = result;
  if (Array.isArray(content)) return undefined;
  if (content !== undefined) return { why: 'notAList', sent: content };
  const rest = Object.fromEntries(Object.entries(result).filter(([name]) => name !== '_meta' && name !== 'isError'));
  return structuredContent !== undefined || Object.keys(rest).length === 0 ? undefined : { why: 'missing', sent: rest };
}
