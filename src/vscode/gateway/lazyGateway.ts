import * as vscode from 'vscode';
import { systemClock } from '../../base/clock.ts';
import { DisposableStore } from '../../base/disposable.ts';
import { Emitter } from '../../base/event.ts';
import { SerialQueue } from '../../base/serialQueue.ts';
import type { ServerManager } from '../../core/manager/serverManager.ts';
import type { Log } from '../../core/ports.ts';
import type { ToolRouter } from '../../core/tools/toolRouter.ts';
import { settings } from '../adapters/settings.ts';
import { settingIds } from '../contributions.ts';
import type { GatewayAccess, GatewayAddress } from './gatewayAccess.ts';
import type { WindowGateway } from './windowGateway.ts';
import type { WindowAnnouncement, WindowState } from './windowAnnouncement.ts';
import type { EditorSurfaceFactory } from './windowSurfaces.ts';

export interface LazyGatewayDeps {
  /** The product's folder. */
  readonly home: string;
  readonly manager: ServerManager;
  readonly forward: () => Promise<ToolRouter['forward']>;
  /** What `/vscode/<id>` shows, loaded with the gateway; absent where nothing is published to the editor's agent. */
  readonly editor?: () => Promise<EditorSurfaceFactory>;
  readonly log: Log;
  /** The configuration was read: clients see no servers before that. */
  readonly loaded: Promise<unknown>;
}

/**
 * The window's gateway while it is wanted: turned on by the person, in a window that is trusted. An agent that works in a
 * folder may do what that folder says, so where the person has yet to trust it, no agent is served at all: there is no port
 * and no socket, and the descriptor says only that no other window serves there either (TRUST-1). Granting trust opens it at
 * once.
 */
export class LazyGateway implements GatewayAccess {
  readonly #deps: LazyGatewayDeps;
  readonly #queue = new SerialQueue();
  readonly #changed = new Emitter<void>();
  readonly #disposables = new DisposableStore();
  #loaded = false;
  #ended = false;
  #open: WindowGateway | undefined;
  #refusal: WindowAnnouncement | undefined;

  constructor(deps: LazyGatewayDeps) {
    this.#deps = deps;
    const settle = (): void => void this.#settle();
    this.#disposables.add(settings.onDidChange(settingIds.gatewayEnabled, settle));
    this.#disposables.add(vscode.workspace.onDidGrantWorkspaceTrust(settle));
    settle(); // In Restricted Mode nobody has to read anything before agents may know.
    void deps.loaded.then(() => {
      this.#loaded = true;
      return this.#settle();
    });
  }

  readonly onDidChange = this.#changed.event;

  get address(): GatewayAddress | undefined {
    return this.#open?.address;
  }

  async ready(): Promise<GatewayAddress | undefined> {
    await this.#deps.loaded;
    await this.#settle();
    return this.address;
  }

  /** Closed for good; answers when port and socket are free. */
  async end(): Promise<void> {
    this.#ended = true;
    this.#disposables.dispose();
    await this.#settle();
    this.#changed.dispose();
  }

  get #wanted(): boolean {
    return this.#loaded && !this.#ended && vscode.workspace.isTrusted && settings.gatewayEnabled();
  }

  /** Never rejects. */
  #settle(): Promise<void> {
    return this.#queue.run(async () => {
      await this.#settleRefusal();
      if (this.#wanted === (this.#open !== undefined)) return;
      const before = this.#open;
      this.#open = undefined;
      if (before === undefined) this.#open = await this.#start();
      else await before.close();
      this.#changed.fire();
    });
  }

  /** Whatever the person set: a gateway of another editor may be on. */
  async #settleRefusal(): Promise<void> {
    const isRestricted = !this.#ended && !vscode.workspace.isTrusted;
    if (isRestricted === (this.#refusal !== undefined)) return;
    const before = this.#refusal;
    this.#refusal = undefined;
    if (before === undefined) this.#refusal = await this.#refuse();
    else await before.end();
  }

  async #refuse(): Promise<WindowAnnouncement | undefined> {
    const { home, log } = this.#deps;
    try {
      const [{ WindowAnnouncement }, { ownIdentity }] = await Promise.all([
        import('./windowAnnouncement.ts'),
        import('../../core/config/processIdentity.ts'),
      ]);
      const process = await ownIdentity();
      const window = { state, onDidChange };
      const parts = { home, process, address: undefined, window, clock: systemClock(), log };
      const announcement = new WindowAnnouncement(parts);
      await announcement.update();
      return announcement;
    } catch (error) {
      log.error(`Agents cannot see that this window is in Restricted Mode: ${textOf(error)}`);
      return undefined;
    }
  }

  async #start(): Promise<WindowGateway | undefined> {
    const { manager, forward, home, log } = this.#deps;
    try {
      const [{ openWindowGateway }, call, editor] = await Promise.all([
        import('./windowGateway.ts'),
        forward(),
        this.#deps.editor?.(),
      ]);
      return await openWindowGateway({
        manager,
        forward: call,
        editor,
        home,
        log,
        clock: systemClock(),
        toolSearch: () => settings.gatewayToolSearch(),
        window: { state, onDidChange },
      });
    } catch (error) {
      log.error(`The gateway could not be opened: ${textOf(error)}`);
      return undefined;
    }
  }
}

function textOf(error: unknown): string {
  return error instanceof Error ? error.message : String(error);
}

function state(): WindowState {
  const folders = (vscode.workspace.workspaceFolders ?? []).filter(({ uri }) => uri.scheme === 'file');
  return { folders: folders.map(({ uri }) => uri.fsPath), focused: vscode.window.state.focused };
}

function onDidChange(listener: () => void): vscode.Disposable {
  return vscode.Disposable.from(
    vscode.workspace.onDidChangeWorkspaceFolders(listener),
    vscode.window.onDidChangeWindowState(({ focused }) => {
      if (focused) listener();
    }),
  );
}
