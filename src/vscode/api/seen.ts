// One text for what a caller saw of a tool: the hash of its definition (TOOL-2), which a new connection leaves as it is. Pure.
import type { OfferedTool } from '../../core/discovery/snapshot.ts';
import type { ToolBinding } from '../../core/tools/callTypes.ts';

export function seenOf({ hash }: Pick<OfferedTool, 'hash'>): string {
  return hash;
}

/** What is no such text stands for nothing that there is. */
export function bindingOf(seen: string): ToolBinding {
  return { hash: seen };
}
