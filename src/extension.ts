import type * as vscode from 'vscode';
import type { RoundhouseApi } from './contract/publicApi.ts';
import { Container } from './vscode/container.ts';

let container: Container | undefined;

/** Reads the configuration in the background; what opens connections is loaded when the first one is opened. */
export function activate(context: vscode.ExtensionContext): RoundhouseApi {
  container = new Container(context);
  return container.api;
}

/** Ends every server of this window; the editor waits at most five seconds for it. */
export async function deactivate(): Promise<void> {
  await container?.dispose();
  container = undefined;
}
