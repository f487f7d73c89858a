// A result that says `isError`, as a failure for people (TOOL-4): tree, API, runner and command line. The gateway
// passes such results on as they are.
import { visibleText } from '../../base/sanitise.ts';
import { isJsonObject } from '../../contract/json.ts';
import { ManagerError } from '../errors.ts';
import { limits } from '../limits.ts';
import type { ToolResult } from './callTypes.ts';

/** The failure that the result tells of; undefined for a good one. */
export function toolFailure(server: string, tool: string, result: ToolResult): ManagerError | undefined {
  if (result['isError'] !== true) return undefined;
  const text = visibleText(textOf(result), limits.toolFailureText);
  const detail = text.trim() === '' ? 'without a message' : text;
  return new ManagerError('toolFailed', { server, tool, detail }, { outcome: 'completed' });
}

function textOf(result: ToolResult): string {
  const content: unknown = result['content'];
  if (!Array.isArray(content)) return '';
  const texts = (content as readonly unknown[]).flatMap((block) => {
    const text = isJsonObject(block) ? block['text'] : undefined;
    return typeof text === 'string' ? [text.slice(0, limits.toolFailureText)] : [];
  });
  return texts.slice(0, limits.modelOutput.blocks).join('\n');
}
