import { readFile } from 'node:fs/promises';
import type { FilePosition } from '../../core/config/model.ts';
import { placeOfRule } from '../../core/config/placeOfRule.ts';
import { rulesWithoutTool } from '../../core/manager/rulesWithoutTool.ts';
import type { ServerView } from '../../core/manager/view.ts';
import type { App } from '../app.ts';
import type { Command } from './command.ts';
import { openAt } from './openAt.ts';
import { serverTarget } from './serverTarget.ts';

/** Opens the file at the server's entry; for the note of rules without a tool, at the first of these. */
export const editServer: Command = {
  name: 'server.edit',
  async run(app, target) {
    const server = await serverTarget(app, target);
    if (server === undefined) return;
    const rule = isRuleNote(target) ? await ruleOf(app, server) : undefined;
    const { file, position } = rule ?? server.server;
    await openAt(file, position);
  },
};

function isRuleNote(target: unknown): boolean {
  if (typeof target !== 'object' || target === null || !('note' in target)) return false;
  return (target.note as { readonly kind?: unknown } | null)?.kind === 'rulesWithoutTool';
}

/** A rule stands in the file of the entry, or in the person's own. */
async function ruleOf(
  app: App,
  view: ServerView,
): Promise<{ readonly file: string; readonly position: FilePosition } | undefined> {
  const tools = rulesWithoutTool(view);
  for (const file of new Set([app.config.userFile, view.server.file])) {
    const text = await readFile(file, 'utf8').catch(() => '');
    const position = placeOfRule(text, view.server.id, tools);
    if (position !== undefined) return { file, position };
  }
  return undefined;
}
