// Builds the parts of one window and ties them together. It is the only place that knows them all; what opens
// connections is behind `import()` and is loaded when the first connection is opened.
import * as vscode from 'vscode';
import { systemClock } from '../base/clock.ts';
import { withDeadline } from '../base/deadline.ts';
import { DisposableStore } from '../base/disposable.ts';
import type { RoundhouseApi } from '../contract/publicApi.ts';
import { checkServerUrl } from '../contract/urlRule.ts';
import type { ConfiguredServer, ServerKey } from '../core/config/model.ts';
import { createManager } from '../core/manager/createManager.ts';
import { ManagerError } from '../core/errors.ts';
import { limits } from '../core/limits.ts';
import type { OwnerGuard } from '../core/guard/ownerGuard.ts';
import type { ServerManager } from '../core/manager/serverManager.ts';
import type { Log } from '../core/ports.ts';
import { editorSettingIds } from '../core/policy/editorSettings.ts';
import type { RecentCalls } from '../core/tools/recentCalls.ts';
import type { ToolRouter } from '../core/tools/toolRouter.ts';
import type { Circumstances } from '../core/trust/barOf.ts';
import { EditorActivity } from '../gateway/editorActivity.ts';
import { ConfigFiles } from './adapters/configFiles.ts';
import { KeptOffers } from './adapters/keptOffers.ts';
import { StoredKnownTools } from './adapters/storedKnownTools.ts';
import { JournalSwitch } from './adapters/journalSwitch.ts';
import { LazyToolCalls } from './adapters/lazyToolCalls.ts';
import { LaunchSurroundings } from './adapters/launchSurroundings.ts';
import { closeLostDocuments } from './adapters/lostDocuments.ts';
import { MemoryFiles } from './adapters/memoryFiles.ts';
import { RememberedApprovals } from './adapters/rememberedApprovals.ts';
import { StoredValues } from './adapters/personalValues.ts';
import { ServerLogs } from './adapters/serverLogs.ts';
import { settings } from './adapters/settings.ts';
import { windowApi } from './api/windowApi.ts';
import type { App } from './app.ts';
import { lazyApprovalPrompt, lazyCallPrompt } from './approvals/lazyPrompts.ts';
import { LazyCallsPage } from './calls/lazyCallsPage.ts';
import { registerCommands } from './commands/registerCommands.ts';
import { schemes, settingIds } from './contributions.ts';
import { endServing } from './endServing.ts';
import { FoundWatch } from './found/foundWatch.ts';
import { LazyGateway, type LazyGatewayDeps } from './gateway/lazyGateway.ts';
import { ArgumentDrafts } from './input/argumentDrafts.ts';
import { type Lazy, lazy } from './lazy.ts';
import { LazyLauncher } from './launcher/lazyLauncher.ts';
import { OwnedWork } from './ownedWork.ts';
import { publishToEditor } from './provider/editorProvider.ts';
import { LazySecretMarkers } from './secrets/lazySecretMarkers.ts';
import { logChannel } from './surfaces/channels.ts';
import { knownSecrets } from './surfaces/knownSecrets.ts';
import { AttentionItem } from './views/attentionItem.ts';
import { ConfigMarkers } from './views/configMarkers.ts';
import { ServersView } from './views/serversView.ts';
import { TreeModel } from './views/treeModel.ts';
import { LazyResults } from './webview/lazyResults.ts';

export class Container {
  readonly api: RoundhouseApi;
  readonly #manager: ServerManager;
  readonly #calls: LazyToolCalls;
  readonly #known: StoredKnownTools;
  readonly #gateway: LazyGateway;
  readonly #diagnoses = new OwnedWork();
  readonly #owner: Lazy<OwnerGuard>;
  readonly #disposables = new DisposableStore();

  constructor(context: vscode.ExtensionContext) {
    const clock = systemClock();
    const own = this.#disposables;
    const log = own.add(logChannel('MCP Roundhouse'));
    const documents = own.add(new MemoryFiles(schemes.readOnly, { isReadonly: true }));
    const config = own.add(new ConfigFiles(clock));
    const values = new StoredValues({
      secrets: context.secrets,
      everywhere: context.globalState,
      workspace: context.workspaceState,
      definition: (id, scope) => config.input(id, scope),
      ask: async (value, definition, signal) => {
        const inputs = [import('./input/askValue.ts'), import('./input/valueUsers.ts')] as const;
        const [{ askValue }, { valueUsers }] = await Promise.all(inputs);
        const servers = config.snapshot().files.flatMap((file) => file.servers);
        return askValue(value, definition, signal, valueUsers(value, servers));
      },
    });
    const surroundings = new LaunchSurroundings(values);
    const source = vscode.Uri.joinPath(context.extensionUri, 'dist').fsPath;
    const owner = lazy(async () => {
      const { OwnerGuard } = await import('../core/guard/ownerGuard.ts');
      return new OwnerGuard({ home: config.home, program: `${source}/guard.js`, log });
    });
    this.#owner = owner;
    const kept = own.add(new KeptOffers((context.storageUri ?? context.globalStorageUri).fsPath));
    const known = new StoredKnownTools(context.globalStorageUri.fsPath, context.globalState);
    this.#known = known;
    const manager = createManager({
      clock,
      circumstances: circumstancesNow(),
      launchContext: (server) => surroundings.launchContext(server),
      environment: () => surroundings.environment(),
      owner: () => owner.get(),
      prompt: lazyApprovalPrompt(),
      approvals: new RememberedApprovals(context.globalState),
      // Who is served by the gateway answers for itself what a server asks.
      handlers: (server) => ({ roots: () => rootsFor(server), relayed: settings.gatewayEnabled() }),
      reload: (file) => config.reload(file),
      kept: kept.lists,
      knownTools: known,
      log,
      secrets: knownSecrets,
    });
    this.#manager = manager;
    kept.follow(manager);
    const review = async (key: ServerKey, signal: AbortSignal): Promise<boolean> => {
      const { reviewTools } = await import('./approvals/reviewTools.ts');
      return (await reviewTools({ manager }, key, signal)) ?? true;
    };
    const journal = own.add(new JournalSwitch(config.home));
    const calls = own.add(new LazyToolCalls({ manager, clock, log, prompt: lazyCallPrompt({ review }), journal }));
    this.#calls = calls;
    const recent = (): Promise<RecentCalls> => calls.recent();
    const callsPage = own.add(new LazyCallsPage({ extensionUri: context.extensionUri, journal, recent }));
    const model = new TreeModel(
      () => manager.view(),
      () => found.view,
    );
    const results = own.add(new LazyResults(context.extensionUri, () => app));
    const launcher = own.add(new LazyLauncher({ home: config.home, source, log }));
    const agents = lazy(async () => {
      const { agentsHere } = await import('./agents/agentFlows.ts');
      const globalStorage = context.globalStorageUri.fsPath;
      return agentsHere({ home: config.home, globalStorage, environment: () => surroundings.environment() });
    });
    const app: App = {
      manager,
      config,
      values,
      documents,
      drafts: own.add(new ArgumentDrafts()),
      logs: own.add(new ServerLogs(manager)),
      model,
      get found() {
        return found;
      },
      remembered: new Map(),
      results: () => results.get(),
      showCalls: (server) => callsPage.show(server),
      agents: () => agents.get(),
      agentConfig: () => launcher.agentConfig(),
      callTool: (call, options) => calls.call(call, options),
      diagnose: (key, options) =>
        this.#diagnoses.run(options.signal, (signal) => this.#diagnose(key, surroundings, log, { ...options, signal })),
    };
    own.add(config.onDidChange((snapshot) => manager.apply(snapshot)));
    const loaded = config
      .load()
      .catch((error: unknown) => log.error(error instanceof Error ? (error.stack ?? error.message) : String(error)));
    const forward = (): Promise<ToolRouter['forward']> => calls.forward();
    const activity = own.add(new EditorActivity());
    const editor: LazyGatewayDeps['editor'] = async () => {
      const { editorSurfaces } = await import('../gateway/editorSurface.ts');
      return editorSurfaces(manager, activity);
    };
    const gateway = new LazyGateway({ home: config.home, manager, forward, editor, log, loaded });
    this.#gateway = gateway;
    own.add(
      publishToEditor({
        manager,
        gateway,
        activity,
        memory: context.workspaceState,
        storage: context.globalStorageUri,
        clock,
        log,
      }),
    );
    const globalStorage = context.globalStorageUri.fsPath;
    const found = own.add(new FoundWatch({ config, values, clock, globalStorage }, loaded));
    own.add(new ServersView(manager, model, loaded, found));
    own.add(new AttentionItem(manager));
    void closeLostDocuments();
    own.add(new ConfigMarkers(manager));
    own.add(new LazySecretMarkers({ clock, values, scopeOf: ({ uri }) => config.scopeOf(uri) }));
    own.add(registerCommands(app));
    own.add(followCircumstances(manager));
    own.add(settings.onDidChange(settingIds.inheritedEnvironment, () => surroundings.forget()));
    void loaded.then(async () => {
      launcher.begin();
      await (await owner.get()).endLeftovers();
    });
    this.api = windowApi(app);
  }

  /**
   * Ends every server of this window, those of a diagnosis too; what draws and logs goes after them. Nothing of ours is
   * in the context's subscriptions: the editor disposes those before it waits for us.
   */
  async dispose(): Promise<void> {
    const clock = systemClock();
    const diagnoses = this.#diagnoses.end(new ManagerError('cancelled'));
    // The journal has the end of each call once the servers are gone.
    const served = endServing({ gateway: this.#gateway, manager: this.#manager, clock });
    const ended = Promise.all([diagnoses, served, this.#known.settled()])
      .finally(() => this.#calls.settled())
      .finally(async () => (await this.#owner.made)?.dispose());
    await withDeadline(ended, {
      ms: limits.stop.deactivate,
      clock,
      onTimeout: () => new ManagerError('cancelled'),
    }).catch(
      () => undefined, // The editor ends us in any case.
    );
    this.#disposables.dispose();
  }

  async #diagnose(
    key: ServerKey,
    surroundings: LaunchSurroundings,
    log: Log,
    options: Parameters<App['diagnose']>[1],
  ): ReturnType<App['diagnose']> {
    const { diagnoseServer } = await import('../core/manager/diagnoseServer.ts');
    const clock = systemClock();
    const server = this.#manager.view().servers.find((view) => view.key === key)?.server;
    if (server === undefined) throw new Error(`no server ${key}`);
    const environment = () => surroundings.environment();
    let done = 0;
    return diagnoseServer(
      this.#manager,
      key,
      { clock, environment, owner: () => this.#owner.get(), handlers: { roots: () => rootsFor(server) }, log },
      { clock, signal: options.signal, onCheck: () => options.onCheck((done += 1)) },
    );
  }
}

/** What the person decided for the whole window: trust, and whether remote servers may be reached (TRUST-1, TRUST-7). */
function circumstancesNow(): Circumstances {
  const remote = settings.remoteEnabled();
  return {
    workspaceTrusted: vscode.workspace.isTrusted,
    remoteOn: remote,
    mayReach: (url) => remote && checkServerUrl(url) === undefined,
    editor: settings.editor(),
  };
}

function followCircumstances(manager: ServerManager): vscode.Disposable {
  const update = (): void => manager.setCircumstances(circumstancesNow());
  const changes = [settingIds.remoteEnabled, ...Object.values(editorSettingIds)].map((id) =>
    settings.onDidChange(id, update),
  );
  return vscode.Disposable.from(vscode.workspace.onDidGrantWorkspaceTrust(update), ...changes);
}

/** CONN-14: the workspace's folders, for servers on this machine. */
function rootsFor(server: ConfiguredServer): readonly { readonly uri: string; readonly name?: string }[] {
  if (server.definition.kind !== 'stdio') return [];
  return (vscode.workspace.workspaceFolders ?? []).map(({ uri, name }) => ({ uri: uri.toString(), name }));
}
