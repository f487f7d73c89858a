import * as vscode from 'vscode';
import { isJsonObject } from '../../contract/json.ts';
import { ManagerError } from '../../core/errors.ts';
import type { App } from '../app.ts';
import { commandId } from '../contributions.ts';
import type { Draft } from '../input/draft.ts';
import { shownLine } from '../shownText.ts';
import { t } from '../strings.ts';
import { tell } from '../surfaces/tell.ts';
import type { Command } from './command.ts';
import type { ItemTarget } from './itemOfNode.ts';
import { runTool } from './runTool.ts';

/** Runs the tool whose arguments are open as JSON; what is not an object yet stays in the editor, with the reason. */
export const runArguments: Command = {
  name: 'tool.runArguments',
  async run(app, target) {
    const uri = target instanceof vscode.Uri ? target : vscode.window.activeTextEditor?.document.uri;
    const draft = uri === undefined ? undefined : app.drafts.get(uri);
    if (uri === undefined || draft === undefined) return;
    const document = await vscode.workspace.openTextDocument(uri);
    const args = parse(document.getText());
    if (!isJsonObject(args)) {
      void tell.error(t('The arguments have to be a JSON object. Correct them, then run again.'));
      return;
    }
    await document.save();
    await runTool(app, draft, args).catch(async (error: unknown) => {
      if (!(await renew(app, uri, draft, error))) throw error;
    });
  },
};

/**
 * Arguments that were written for an older definition: nothing was run (TOOL-2). The editor is bound to the present
 * one, and the person is told to look at it and to run again. False where the failure is another one.
 */
async function renew(app: App, uri: vscode.Uri, { key, tool }: Draft, error: unknown): Promise<boolean> {
  if (!(error instanceof ManagerError) || error.code !== 'staleTool') return false;
  const item = app.manager.live(key)?.snapshot.tools.find(({ name }) => name === tool);
  if (item === undefined) return false;
  app.drafts.bind(uri, { key, tool, hash: item.hash });
  const show = t('Show Definition');
  const message = t(
    '{tool} may have changed since these arguments were written, so nothing was run. Check them against its present definition, then run again.',
    { tool: shownLine(tool, 100) },
  );
  if ((await tell.warn(message, show)) === show) {
    const target: ItemTarget & { readonly kind: 'item' } = { kind: 'item', key, offer: 'tools', item };
    await vscode.commands.executeCommand(commandId('tool.showDefinition'), target);
  }
  return true;
}

function parse(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}
