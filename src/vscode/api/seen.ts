// One text for what a caller saw of a tool: the life of its server and the hash of its definition (TOOL-2). Pure.
import type { Generation } from '../../core/connection/state.ts';
import type { OfferedTool } from '../../core/discovery/snapshot.ts';
import type { ToolBinding } from '../../core/tools/callTypes.ts';

export function seenOf(generation: Generation | undefined, { hash }: Pick<OfferedTool, 'hash'>): string {
  return `${generation ?? 0}.${hash}`;
}

/** What is no such text stands for nothing that there is. */
export function bindingOf(seen: string): ToolBinding {
  const dot = seen.indexOf('.');
  return { generation: Number(seen.slice(0, Math.max(dot, 0))) as Generation, hash: seen.slice(dot + 1) };
}
