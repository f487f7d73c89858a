import * as vscode from 'vscode';
import { isJsonObject } from '../../contract/json.ts';
import { t } from '../strings.ts';
import type { Command } from './command.ts';
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
      void vscode.window.showErrorMessage(t('The arguments have to be a JSON object. Correct them, then run again.'));
      return;
    }
    await document.save();
    await runTool(app, draft, args);
  },
};

function parse(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}
