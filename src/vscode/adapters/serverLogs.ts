import type * as vscode from 'vscode';
import type { ServerKey } from '../../core/config/model.ts';
import type { ServerManager } from '../../core/manager/serverManager.ts';
import { lineChannel, type LineChannel } from '../surfaces/channels.ts';

/** One log channel per server, made when it is opened for the first time and fed from then on. */
export class ServerLogs implements vscode.Disposable {
  readonly #manager: ServerManager;
  readonly #channels = new Map<ServerKey, LineChannel>();
  readonly #subscription: { dispose(): void };

  constructor(manager: ServerManager) {
    this.#manager = manager;
    this.#subscription = manager.onDidLog(({ key, line }) => this.#channels.get(key)?.line(line));
  }

  show(key: ServerKey, name: string): void {
    const known = this.#channels.get(key);
    if (known !== undefined) {
      known.show();
      return;
    }
    const channel = lineChannel(`MCP: ${name}`);
    this.#channels.set(key, channel);
    for (const line of this.#manager.log(key)) channel.line(line);
    channel.show();
  }

  dispose(): void {
    this.#subscription.dispose();
    for (const channel of this.#channels.values()) channel.dispose();
    this.#channels.clear();
  }
}
