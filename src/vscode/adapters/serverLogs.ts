import * as vscode from 'vscode';
import { stripTerminal, visibleText } from '../../base/sanitise.ts';
import type { ServerKey } from '../../core/config/model.ts';
import type { ServerManager } from '../../core/manager/serverManager.ts';

/** One log channel per server, made when it is opened for the first time and fed from then on. */
export class ServerLogs implements vscode.Disposable {
  readonly #manager: ServerManager;
  readonly #channels = new Map<ServerKey, vscode.OutputChannel>();
  readonly #subscription: { dispose(): void };

  constructor(manager: ServerManager) {
    this.#manager = manager;
    this.#subscription = manager.onDidLog(({ key, line }) => this.#channels.get(key)?.appendLine(harmless(line)));
  }

  show(key: ServerKey, name: string): void {
    const known = this.#channels.get(key);
    if (known !== undefined) {
      known.show(true);
      return;
    }
    const channel = vscode.window.createOutputChannel(`MCP: ${name}`, 'log');
    this.#channels.set(key, channel);
    for (const line of this.#manager.log(key)) channel.appendLine(harmless(line));
    channel.show(true);
  }

  dispose(): void {
    this.#subscription.dispose();
    for (const channel of this.#channels.values()) channel.dispose();
    this.#channels.clear();
  }
}

function harmless(line: string): string {
  return visibleText(stripTerminal(line));
}
