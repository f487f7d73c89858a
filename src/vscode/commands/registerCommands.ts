import * as vscode from 'vscode';
import type { Disposable } from '../../base/disposable.ts';
import type { ServerKey } from '../../core/config/model.ts';
import type { App } from '../app.ts';
import { commandId, type CommandName, commandNames } from '../contributions.ts';

/** Registers every command; their code is loaded at first use. What fails is told to the person in words. */
export function registerCommands(app: App): Disposable {
  const registered = commandNames.map((name) =>
    vscode.commands.registerCommand(commandId(name), (target: unknown) => run(app, name, target)),
  );
  return vscode.Disposable.from(...registered);
}

async function run(app: App, name: CommandName, target: unknown): Promise<void> {
  const [{ allCommands }, { reportFailure }] = await Promise.all([
    import('./allCommands.ts'),
    import('../adapters/reportFailure.ts'),
  ]);
  try {
    await allCommands.find((command) => command.name === name)?.run(app, target);
  } catch (error) {
    // Not awaited: the message stays for as long as the person leaves it there.
    void reportFailure(error, keyOf(app, target));
  }
}

/** The server that the command was about, for the buttons of the message. */
function keyOf(app: App, target: unknown): ServerKey | undefined {
  const name = typeof target === 'object' && target !== null && 'key' in target ? target.key : target;
  if (typeof name !== 'string') return undefined;
  return app.model.server(name as ServerKey)?.key ?? app.manager.keyOf(name);
}
