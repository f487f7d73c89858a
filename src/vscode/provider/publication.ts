// What the editor's own agent is told of this window's servers (GATE-7): a definition each, over the window's gateway.
// Promises: the token is in a definition that the editor asked to be resolved and in no other, for it writes down what it
// was given; what changes is announced; no version changes while the editor is connected, for it would cut the connection
// with all calls on it, and hears of changed lists over it in any case.
import * as vscode from 'vscode';
import type { Clock } from '../../base/clock.ts';
import { type Disposable, DisposableStore } from '../../base/disposable.ts';
import type { Log } from '../../core/ports.ts';
import type { ServerManager } from '../../core/manager/serverManager.ts';
import type { EditorActivity } from '../../gateway/editorActivity.ts';
import { settings } from '../adapters/settings.ts';
import { settingIds } from '../contributions.ts';
import type { GatewayAccess } from '../gateway/gatewayAccess.ts';
import { t } from '../strings.ts';
import { CollisionNotes } from './collisionNotes.ts';
import { type PublishedServer, publishedServers } from './publishedServers.ts';
import { SurfaceVersions, type VersionMemory } from './surfaceVersions.ts';

export interface PublicationDeps {
  readonly manager: Pick<ServerManager, 'view' | 'onDidChange'>;
  readonly gateway: GatewayAccess;
  readonly activity: Pick<EditorActivity, 'isOpen' | 'onDidRest'>;
  /** Of the workspace. */
  readonly memory: VersionMemory;
  /** Ours in the person's profile. */
  readonly storage: vscode.Uri;
  readonly clock: Clock;
  readonly log: Log;
}

export class Publication implements Disposable {
  readonly #deps: PublicationDeps;
  readonly #changed: () => void;
  readonly #versions: SurfaceVersions;
  readonly #notes: CollisionNotes;
  readonly #disposables = new DisposableStore();
  #waiting: Disposable | undefined;
  /** What the editor was given last. */
  #told = '';

  /** @param changed tells the editor to ask again */
  constructor(deps: PublicationDeps, changed: () => void) {
    this.#deps = deps;
    this.#changed = changed;
    this.#versions = new SurfaceVersions(deps.memory, deps.clock);
    this.#notes = this.#disposables.add(new CollisionNotes(deps.log, deps.storage));
    const look = (): void => this.#lookSoon();
    this.#disposables.add(deps.manager.onDidChange(look));
    this.#disposables.add(deps.gateway.onDidChange(look));
    this.#disposables.add(deps.activity.onDidRest(look));
    this.#disposables.add(settings.onDidChange(settingIds.publishToEditor, look));
  }

  /** Without headers: the editor keeps these on disk. */
  async provide(): Promise<vscode.McpHttpServerDefinition[]> {
    await this.#deps.gateway.ready();
    const definitions = this.#definitions();
    this.#told = JSON.stringify(definitions);
    this.#notes.look(definitions.map(({ label }) => label));
    return definitions.map(
      ({ label, uri, version }) => new vscode.McpHttpServerDefinition(label, vscode.Uri.parse(uri, true), {}, version),
    );
  }

  /** With the token, and the address as it is now. Fails with a sentence for the person where it may not run any more. */
  async resolve({ label }: vscode.McpServerDefinition): Promise<vscode.McpHttpServerDefinition> {
    const address = await this.#deps.gateway.ready();
    const found = this.#definitions().find((definition) => definition.label === label);
    if (address === undefined || found === undefined) {
      throw new Error(t('MCP Roundhouse does not offer the server “{server}” now.', { server: label }));
    }
    const headers = { Authorization: `Bearer ${address.token}` };
    return new vscode.McpHttpServerDefinition(label, vscode.Uri.parse(found.uri, true), headers, found.version);
  }

  dispose(): void {
    this.#waiting?.dispose();
    this.#disposables.dispose();
  }

  #definitions(): readonly Definition[] {
    const { manager, gateway, activity } = this.#deps;
    const { address } = gateway;
    if (address === undefined || !settings.publishToEditor()) return [];
    const view = manager.view();
    const servers = publishedServers(view);
    const versions = this.#versions.take(
      servers.map(({ id, offer }) => ({ id, offer, held: activity.isOpen(id) })),
      new Set(view.servers.map(({ server }) => server.id)),
    );
    return servers.map((server) => definitionOf(server, address.url, versions.get(server.id) ?? 0));
  }

  #lookSoon(): void {
    this.#waiting ??= this.#deps.clock.after(lookAfter, () => {
      this.#waiting = undefined;
      if (JSON.stringify(this.#definitions()) !== this.#told) this.#changed();
    });
  }
}

/** Milliseconds: changes come in groups, and the editor asks about a changed list before it is to ask for another one. */
const lookAfter = 200;

interface Definition {
  readonly label: string;
  readonly uri: string;
  readonly version: string;
}

function definitionOf({ id, label }: PublishedServer, url: string, version: number): Definition {
  return { label, uri: `${url}/vscode/${id}`, version: String(version) };
}
