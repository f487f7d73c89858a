// A window over real configuration files, as the editor's container puts one together: a person's own file and one
// project's, real launches, real servers. What the person answers is given.
import { mkdir, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { type Clock, systemClock } from '../../src/base/clock.ts';
import type { ConfigScope } from '../../src/contract/serverConfig.ts';
import { projectConfigFile, userConfigFile } from '../../src/core/config/configPaths.ts';
import { ConfigStore } from '../../src/core/config/configStore.ts';
import type { ServerKey } from '../../src/core/config/model.ts';
import type { KeptLists } from '../../src/core/discovery/keptLists.ts';
import { createManager } from '../../src/core/manager/createManager.ts';
import type { ServerManager } from '../../src/core/manager/serverManager.ts';
import type { EditorSettings } from '../../src/core/policy/editorSettings.ts';
import type { KnownToolFiles } from '../../src/core/policy/knownTools.ts';
import type { ApprovalMemory, ApprovalPrompt, BoundValues } from '../../src/core/ports.ts';
import type { ToolResult } from '../../src/core/tools/callTypes.ts';
import { memoryOf } from './managerWorld.ts';

export interface WindowOptions {
  /** By default `project` in the root. */
  readonly project?: string;
  readonly trusted?: boolean;
  readonly prompt?: ApprovalPrompt;
  /** What is remembered; by default nothing is yet. */
  readonly approvals?: ApprovalMemory;
  /** The user file was written by another program; by default it was written through us. */
  readonly foreign?: boolean;
  readonly kept?: KeptLists;
  readonly knownTools?: KnownToolFiles;
  /** What the editor's own settings say from the beginning. */
  readonly editor?: EditorSettings;
  readonly env?: Record<string, string>;
  /** What the person answers to `${input:}`; nothing where it is absent. */
  readonly answer?: string;
  readonly clock?: Clock;
  /** What the person keeps for servers of the project; by default nothing. */
  readonly boundValues?: BoundValues;
}

export interface ServerWindow {
  readonly manager: ServerManager;
  /** Reads both files anew, as their watchers do. */
  readonly reload: () => Promise<void>;
  /** The definition that serves an id. */
  readonly key: (id: string) => ServerKey;
  state(id: string): string;
  call(id: string, tool: string, args?: object): Promise<ToolResult>;
  /** Variables, inputs and secrets that were asked for. */
  readonly read: string[];
  dispose(): Promise<void>;
}

export const approveAll: ApprovalPrompt = {
  ask: (requests) => Promise.resolve(new Map(requests.map(({ fingerprint }) => [fingerprint, 'once']))),
};

/** The person's own file of a root, and the file of a project in it. */
export function userFileIn(root: string): string {
  return userConfigFile(join(root, 'home'));
}

export function projectFileIn(root: string, project = 'project'): string {
  return projectConfigFile(join(root, project));
}

export async function writeServers(file: string, servers: object): Promise<void> {
  await mkdir(dirname(file), { recursive: true });
  await writeFile(file, JSON.stringify({ version: 3, mcpServers: servers }, null, 2));
}

export async function openServerWindow(root: string, options: WindowOptions = {}): Promise<ServerWindow> {
  const { project = 'project', trusted = true, prompt, kept, env = {}, answer, foreign = false } = options;
  const clock = options.clock ?? systemClock();
  const scope: ConfigScope = { kind: 'project', folder: join(root, project), name: project };
  const places: [string, ConfigScope][] = [
    [projectFileIn(root, project), scope],
    [userFileIn(root), { kind: 'user' }],
  ];
  const stores = places.map(([file, where]) => new ConfigStore({ file, scope: where, clock, watch: false }));
  const read: string[] = [];
  const watched = new Proxy<Record<string, string | undefined>>(env, {
    get: (target, name: string) => (read.push(name), target[name]),
  });
  const reload = async (): Promise<void> => {
    const files = await Promise.all(stores.map((store) => store.reload()));
    const own = files.flatMap((file) => (file.scope.kind === 'user' && !foreign ? file.servers : []));
    await Promise.all(own.map((server) => manager.approveWritten(server)));
    manager.apply({ files });
  };
  const manager = createManager({
    clock,
    circumstances: {
      workspaceTrusted: trusted,
      mayReach: () => true,
      ...(options.editor && { editor: options.editor }),
    },
    launchContext: () =>
      Promise.resolve({
        home: root,
        workspaceFolder: root,
        env: watched,
        ...(options.boundValues && { boundValues: options.boundValues }),
        personalValues: {
          input: (id, _, { mayAsk } = {}) => Promise.resolve(mayAsk === false ? undefined : (read.push(id), answer)),
          secret: (id) => (read.push(id), Promise.resolve(undefined)),
        },
      }),
    environment: () => Promise.resolve({ base: process.env, inherit: [] }),
    approvals: options.approvals ?? memoryOf(),
    ...(prompt === undefined ? {} : { prompt }),
    ...(kept === undefined ? {} : { kept }),
    ...(options.knownTools && { knownTools: options.knownTools }),
    handlers: () => ({}),
    reload: () => reload(),
    log: { info: () => undefined, warn: () => undefined, error: () => undefined },
  });
  await reload();
  const key = (id: string): ServerKey => manager.keyOf(id)!;
  return {
    manager,
    reload,
    key,
    read,
    state: (id) => {
      const found = manager.view().servers.find((view) => view.key === key(id))!.state;
      return found.kind === 'blocked' ? `blocked(${found.by})` : found.kind;
    },
    call: async (id, tool, args = {}) => {
      const { client } = await manager.use(key(id));
      return client.request('tools/call', { name: tool, arguments: { ...args } }, { kind: 'call' });
    },
    dispose: async () => {
      for (const store of stores) store.dispose();
      await manager.dispose();
    },
  };
}
