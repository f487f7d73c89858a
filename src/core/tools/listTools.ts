// The one list of the tools that may be called now, of all servers, each with its category. Plan mode leaves out what may
// do anything, and that is every tool of a configured server (TOOL-6).
import type { OfferedTool } from '../discovery/snapshot.ts';
import type { ServerView } from '../manager/view.ts';
import { configuredCategory, isOffered, type ToolCategory, type ToolMode } from './category.ts';

export interface ListedTool {
  readonly server: ServerView;
  readonly tool: OfferedTool;
  readonly category: ToolCategory;
}

export interface ListToolsOptions {
  readonly mode?: ToolMode | undefined;
  /** A composition's own, stricter word on a tool; anything else that it says changes nothing. */
  readonly choose?: ((server: ServerView, tool: OfferedTool) => ToolCategory | undefined) | undefined;
}

export function listTools(
  servers: readonly ServerView[],
  { mode, choose }: ListToolsOptions = {},
): readonly ListedTool[] {
  return servers
    .filter(({ role }) => role === 'serving' || role === 'standIn')
    .flatMap((server) => (server.snapshot?.tools ?? []).map((tool) => ({ server, tool })))
    .map(({ server, tool }) => ({ server, tool, category: configuredCategory(choose?.(server, tool)) }))
    .filter(({ category }) => isOffered(category, mode));
}
