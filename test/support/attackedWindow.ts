// What a window is made of, without an editor: the person's file and a project's on a real disk, watched; a manager over
// them that starts real servers; and a person whose answers the test gives. For those who write files behind its back.
import { mkdir, rename, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { systemClock } from '../../src/base/clock.ts';
import type { JsonObject } from '../../src/contract/json.ts';
import { projectConfigFile, userConfigFile } from '../../src/core/config/configPaths.ts';
import { ConfigStore } from '../../src/core/config/configStore.ts';
import type { ServerKey } from '../../src/core/config/model.ts';
import { createManager } from '../../src/core/manager/createManager.ts';
import type { ServerManager } from '../../src/core/manager/serverManager.ts';
import type { KnownToolFiles } from '../../src/core/policy/knownTools.ts';
import type {
  ApprovalAnswer,
  ApprovalMemory,
  ApprovalRequest,
  CallAnswer,
  CallConfirmation,
} from '../../src/core/ports.ts';
import type { ToolResult } from '../../src/core/tools/callTypes.ts';
import { createToolCalls, type ToolCalls } from '../../src/core/tools/createToolCalls.ts';
import type { LaunchFingerprint } from '../../src/core/transport/launch.ts';
import { commandFinder } from '../../src/core/trust/launchContext.ts';
import { eventually } from './eventually.ts';
import { memoryOf } from './managerWorld.ts';
import { patience } from './patience.ts';
import { temporaryFolder } from './temporaryFolder.ts';

export type Servers = Readonly<Record<string, object>>;

export interface WindowOptions {
  readonly trusted?: boolean;
  /** Whether the person has turned remote servers on. */
  readonly remote?: boolean;
  /** Of the person, for `${env:…}`; what servers inherit is the test's own. */
  readonly env?: Readonly<Record<string, string | undefined>>;
}

/** The person and their disk; windows come and go. */
export class AttackedPerson {
  readonly home: string;
  readonly work: string;
  /** Each question about launches, in order. */
  readonly asked: (readonly ApprovalRequest[])[] = [];
  readonly confirmed: CallConfirmation[] = [];
  /** What the person says; undefined closes the question. */
  answer: (request: ApprovalRequest) => ApprovalAnswer | undefined = () => undefined;
  confirm: (call: CallConfirmation) => CallAnswer = () => 'deny';
  readonly #folder: Awaited<ReturnType<typeof temporaryFolder>>;
  readonly #memory = new Map<ServerKey, LaunchFingerprint>();
  readonly #known = new Map<string, string>();
  readonly #windows: AttackedWindow[] = [];

  private constructor(folder: Awaited<ReturnType<typeof temporaryFolder>>) {
    this.#folder = folder;
    this.home = join(folder.path, 'home');
    this.work = join(folder.path, 'work');
  }

  static async make(): Promise<AttackedPerson> {
    const person = new AttackedPerson(await temporaryFolder());
    await mkdir(person.home);
    await mkdir(join(person.work, 'sub'), { recursive: true });
    return person;
  }

  get userFile(): string {
    return userConfigFile(join(this.home, '.mcp-roundhouse'));
  }

  get projectFile(): string {
    return projectConfigFile(this.work);
  }

  /** Writes a file as any program may: a draft, put in the old one's place. */
  async write(file: string, content: Servers | string): Promise<void> {
    await mkdir(dirname(file), { recursive: true });
    const text = typeof content === 'string' ? content : JSON.stringify({ version: 3, mcpServers: content });
    await writeFile(`${file}.new`, text);
    await rename(`${file}.new`, file);
  }

  async open(options: WindowOptions = {}): Promise<AttackedWindow> {
    const window = new AttackedWindow(this, options, {
      memory: memoryOf(this.#memory),
      known: {
        read: (key) => Promise.resolve(this.#known.get(key)),
        write: (key, text) => void this.#known.set(key, text),
      },
    });
    this.#windows.push(window);
    await window.load();
    return window;
  }

  async leave(): Promise<void> {
    await Promise.all(this.#windows.map((window) => window.close()));
    await this.#folder.remove();
  }
}

interface Kept {
  readonly memory: ApprovalMemory;
  readonly known: KnownToolFiles;
}

export class AttackedWindow {
  readonly manager: ServerManager;
  readonly #stores: readonly ConfigStore[];
  readonly #calls: ToolCalls;
  readonly #remote: boolean;

  /** Use `AttackedPerson.open`. */
  constructor(
    person: AttackedPerson,
    { trusted = true, remote = false, env = process.env }: WindowOptions,
    kept: Kept,
  ) {
    const clock = systemClock({ unref: true });
    const { home, work } = person;
    this.#remote = remote;
    const inherited = { base: process.env, inherit: [] };
    this.#stores = [
      new ConfigStore({ file: person.userFile, scope: { kind: 'user' }, clock, watch: true }),
      new ConfigStore({
        ...{ file: person.projectFile, clock, watch: true },
        scope: { kind: 'project', folder: work, name: 'work' },
      }),
    ];
    this.manager = createManager({
      clock,
      circumstances: this.#circumstances(trusted),
      launchContext: () =>
        Promise.resolve({
          ...{ home, workspaceFolder: work, env, findExecutable: commandFinder(inherited) },
          personalValues: { input: () => Promise.resolve(undefined), secret: () => Promise.resolve(undefined) },
        }),
      environment: () => Promise.resolve(inherited),
      prompt: {
        ask: (requests) => {
          person.asked.push(requests);
          const answers = requests.map((request) => [request.fingerprint, person.answer(request)] as const);
          return Promise.resolve(new Map(answers.filter((pair): pair is Answered => pair[1] !== undefined)));
        },
      },
      approvals: kept.memory,
      knownTools: kept.known,
      handlers: () => ({}),
      reload: async (file) => {
        await this.#stores.find((store) => store.get().file === file)?.reload();
        this.#apply();
      },
      log: { info: () => undefined, warn: () => undefined, error: () => undefined },
    });
    this.#calls = createToolCalls({
      manager: this.manager,
      clock,
      prompt: {
        confirm: (call) => {
          person.confirmed.push(call);
          return Promise.resolve(person.confirm(call));
        },
      },
    });
    for (const store of this.#stores) store.onDidChange(() => this.#apply());
  }

  async load(): Promise<void> {
    await Promise.all(this.#stores.map((store) => store.reload()));
    this.#apply();
  }

  trust(trusted = true): void {
    this.manager.setCircumstances(this.#circumstances(trusted));
  }

  /** Of each definition, as `project demo: blocked approval`. */
  states(): string[] {
    return this.manager.view().servers.map(({ server, state, role }) => {
      const by = 'by' in state ? ` ${state.by}` : '';
      return `${server.scope.kind} ${server.id}: ${role} ${state.kind}${by}`;
    });
  }

  async until(...states: string[]): Promise<void> {
    await eventually(() => states.every((state) => this.states().includes(state)), patience, states.join(', ')).catch(
      (error: unknown) => {
        throw new Error(`it is ${this.states().join(', ')}`, { cause: error });
      },
    );
  }

  key(id: string, kind: 'user' | 'project' = 'project'): ServerKey {
    const found = this.manager.view().servers.find(({ server }) => server.id === id && server.scope.kind === kind);
    if (found === undefined) throw new Error(`there is no ${kind} server ${id}`);
    return found.key;
  }

  call(id: string, tool: string, args: JsonObject, kind?: 'user' | 'project'): Promise<ToolResult> {
    const caller = { kind: 'api', name: 'agent' } as const;
    return this.#calls.call({ server: this.key(id, kind), tool, args, caller }, { validate: true });
  }

  async close(): Promise<void> {
    for (const store of this.#stores) store.dispose();
    this.#calls.dispose();
    await this.manager.dispose();
  }

  #apply(): void {
    this.manager.apply({ files: this.#stores.map((store) => store.get()) });
  }

  #circumstances(workspaceTrusted: boolean) {
    return { workspaceTrusted, mayReach: () => this.#remote, remoteOn: this.#remote };
  }
}

type Answered = readonly [LaunchFingerprint, ApprovalAnswer];
