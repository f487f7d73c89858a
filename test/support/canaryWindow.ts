// A window whose servers are lent a secret in every place where one can stand: real files, launches, servers and calls.
// Whatever would reach a person, a file, a page or a program goes into `sinks`.
import { mkdir, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { systemClock } from '../../src/base/clock.ts';
import { Redactor } from '../../src/base/redact.ts';
import type { ConfigScope } from '../../src/contract/serverConfig.ts';
import { projectConfigFile, userConfigFile } from '../../src/core/config/configPaths.ts';
import { ConfigStore } from '../../src/core/config/configStore.ts';
import type { ServerKey } from '../../src/core/config/model.ts';
import { diagnose } from '../../src/core/diagnostics/diagnose.ts';
import { KeptLists } from '../../src/core/discovery/keptLists.ts';
import { readResource } from '../../src/core/discovery/resources.ts';
import { createManager } from '../../src/core/manager/createManager.ts';
import { diagnosisSteps } from '../../src/core/manager/diagnosisSteps.ts';
import type { ServerManager } from '../../src/core/manager/serverManager.ts';
import type { ApprovalRequest, BoundName, Log } from '../../src/core/ports.ts';
import { createToolCalls } from '../../src/core/tools/createToolCalls.ts';
import { callsView } from '../../src/vscode/calls/callsView.ts';
import { problemText } from '../../src/vscode/problemText.ts';
import { diagnosisReport } from '../../src/vscode/results/diagnosisReport.ts';
import { resultView } from '../../src/vscode/results/resultView.ts';
import { documentOf } from '../../src/vscode/results/resourceDocument.ts';
import { english } from '../../src/vscode/translate.ts';
import { tooltipOf } from '../../src/vscode/views/tooltip.ts';
import { TreeModel, type TreeNode } from '../../src/vscode/views/treeModel.ts';
import { rowOf } from '../../src/vscode/views/treeRow.ts';
import { problemOf } from '../../src/core/connection/failureState.ts';
import { apiOf } from './apiOf.ts';
import type { Sinks } from './sinks.ts';

export interface CanaryWindowOptions {
  readonly root: string;
  readonly user: Readonly<Record<string, object>>;
  readonly project: Readonly<Record<string, object>>;
  /** What the person answers to each `${input:}` and `${secret:}`, and keeps as a header for each project server. */
  readonly lent: { readonly input: string; readonly secret: string; readonly header: string };
  readonly env: Readonly<Record<string, string>>;
  readonly sinks: Sinks;
}

export interface CanaryWindow {
  /** Starts, lists, calls and reads whatever there is of one server, and notes what became of it. */
  use(id: string): Promise<void>;
  diagnose(id: string): Promise<void>;
  /** Rows and tooltips of the whole tree, logs, kept lists, known tools, the journal: as they are now. */
  lookAround(): Promise<void>;
  readonly requests: readonly ApprovalRequest[];
  dispose(): Promise<void>;
}

export async function openCanaryWindow(options: CanaryWindowOptions): Promise<CanaryWindow> {
  const { root, lent, env, sinks } = options;
  const clock = systemClock();
  const known = new Redactor();
  const folder = join(root, 'project');
  const project: ConfigScope = { kind: 'project', folder, name: 'project' };
  const stores = [
    await storeOf(projectConfigFile(folder), project, options.project),
    await storeOf(userConfigFile(join(root, 'home')), { kind: 'user' }, options.user),
  ];
  // As src/vscode/surfaces/channels.ts does it.
  const log: Log = Object.fromEntries(
    (['info', 'warn', 'error'] as const).map((level) => [level, (text: string) => sinks.add('log', known.text(text))]),
  ) as unknown as Log;
  const requests: ApprovalRequest[] = [];
  const kept = new KeptLists();
  const header: BoundName = { kind: 'header', name: 'X-Api-Key' };
  const environment = () => Promise.resolve({ base: process.env, inherit: [] });
  const manager: ServerManager = createManager({
    clock,
    circumstances: { workspaceTrusted: true, mayReach: () => true },
    launchContext: () =>
      Promise.resolve({
        home: root,
        workspaceFolder: folder,
        env,
        personalValues: { input: () => Promise.resolve(lent.input), secret: () => Promise.resolve(lent.secret) },
        boundValues: { names: () => [header], value: () => Promise.resolve(lent.header) },
      }),
    environment,
    prompt: {
      ask: (asked) => {
        requests.push(...asked);
        return Promise.resolve(new Map(asked.map(({ fingerprint }) => [fingerprint, 'once' as const])));
      },
    },
    handlers: () => ({}),
    reload: () => Promise.resolve(),
    kept,
    knownTools: {
      read: () => Promise.resolve(undefined),
      write: (key, text) => sinks.add('state file: known tools', `${key}\n${text}`),
    },
    log,
    secrets: known,
  });
  manager.onDidLog(({ line }) => sinks.add('log of a server', line));
  manager.apply({ files: await Promise.all(stores.map((store) => store.reload())) });
  await manager.review();
  const journal = join(root, 'journal');
  const calls = createToolCalls({ manager, clock, log, journal: { folder: journal, isOn: () => true } });
  const model = new TreeModel(() => manager.view());
  const note = (what: string, error: unknown): void => {
    sinks.add('error', error);
    sinks.add('words of an error', problemText(problemOf(error), english));
    sinks.add('words of an error', what);
  };
  const keyOf = (id: string): ServerKey => manager.keyOf(id)!;

  const call = async (id: string, tool: string): Promise<void> => {
    const options = { signal: new AbortController().signal, validate: true };
    const caller = { kind: 'tree', name: 'you' } as const;
    try {
      const result = known.content(await calls.call({ server: keyOf(id), tool, args: {}, caller }, options));
      const facts = { server: id, tool, milliseconds: 1 };
      sinks.add('page message', { view: resultView(result, facts, english), raw: result });
    } catch (error) {
      note(`${id} ${tool}`, error);
    }
  };

  return {
    requests,
    use: async (id) => {
      try {
        const live = await manager.use(keyOf(id));
        const { resources, tools } = live.snapshot;
        for (const { name } of tools) await call(id, name);
        for (const { key } of resources) {
          const result = await readResource({ id, client: live.client, snapshot: live.snapshot }, key, {
            signal: new AbortController().signal,
          });
          const parts = result['contents'] as readonly never[];
          for (const part of parts)
            sinks.add('document', known.content(documentOf(part, key, english).content as string));
        }
      } catch (error) {
        note(id, error);
      }
    },
    diagnose: async (id) => {
      const server = manager.view().servers.find(({ key }) => key === keyOf(id))!.server;
      const resolve = (_: unknown, signal: AbortSignal) => manager.launch(server.key, { signal });
      const steps = diagnosisSteps(server, { clock, resolve, environment, handlers: {}, log });
      const diagnosis = await diagnose(server.id, steps, { clock });
      sinks.add('diagnosis', diagnosis);
      sinks.add('diagnosis', known.content(diagnosisReport(diagnosis, english)));
    },
    lookAround: async () => {
      const look = (node: TreeNode): void => {
        sinks.add('row', rowOf(node, model, english));
        sinks.add('tooltip', tooltipOf(node, model, english) ?? '');
        for (const child of model.children(node)) look(child);
      };
      for (const node of model.roots()) look(node);
      for (const { state, snapshot, warnings, kept: offer } of manager.view().servers) {
        sinks.add('state and lists', { state, snapshot, warnings, offer });
      }
      sinks.add('state file: kept lists', kept.toText(1e9));
      const api = apiOf(manager, { calls });
      const tools = api.listTools();
      const definitions = tools.map(({ server, name }) => api.toolDefinition(server, name));
      sinks.add('api', [await api.servers(), tools, definitions]);
      sinks.add('recent calls', callsView(calls.recent.calls, undefined, english));
      await calls.settled();
      sinks.addFolder('journal', journal);
    },
    dispose: async () => {
      for (const store of stores) store.dispose();
      calls.dispose();
      await manager.dispose();
    },
  };

  async function storeOf(file: string, scope: ConfigScope, servers: object): Promise<ConfigStore> {
    await mkdir(dirname(file), { recursive: true });
    await writeFile(
      file,
      JSON.stringify({ version: 3, inputs: [{ id: 'k', type: 'promptString', password: true }], mcpServers: servers }),
    );
    return new ConfigStore({ file, scope, clock, watch: false });
  }
}
