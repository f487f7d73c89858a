// One server of the keeper's: a manager of its own, which supervises it as any other, over the launch that was sent last, and
// what its path shows. Promises: nothing but that launch ever runs here; names, errors and log are those of the definition; no
// policy is applied, because whoever comes to this path has one of their own.
import type { Clock } from '../base/clock.ts';
import { DisposableStore } from '../base/disposable.ts';
import { type KeptState, type LaunchRequest } from '../contract/keeperWire.ts';
import type { ConfigFingerprint, ServerId } from '../contract/serverConfig.ts';
import type { ConfiguredServer, ServerKey } from '../core/config/model.ts';
import type { ConnectionState } from '../core/connection/state.ts';
import { ManagerError } from '../core/errors.ts';
import { createManager } from '../core/manager/createManager.ts';
import type { ServerManager } from '../core/manager/serverManager.ts';
import type { LaunchDescription, Log } from '../core/ports.ts';
import type { ToolRouter } from '../core/tools/toolRouter.ts';
import type { ChildOwner } from '../core/transport/childOwner.ts';
import type { LaunchFingerprint, StdioLaunch } from '../core/transport/launch.ts';
import type { LaunchSource } from '../core/trust/approvalDesk.ts';
import { ServerSurface } from '../gateway/serverSurface.ts';

export interface KeptServerDeps {
  readonly clock: Clock;
  readonly owner: ChildOwner;
  readonly onState: (key: string, state: KeptState) => void;
  readonly onLog: (key: string, line: string) => void;
}

export class KeptServer {
  readonly key: string;
  readonly id: ServerId;
  readonly fingerprint: LaunchFingerprint;
  readonly surface: ServerSurface;
  readonly #manager: ServerManager;
  readonly #disposables = new DisposableStore();
  #request: LaunchRequest;
  #waiting = 0;

  constructor(request: LaunchRequest, { clock, owner, onState, onLog }: KeptServerDeps) {
    const server = configured(request);
    this.key = request.key;
    this.id = server.id;
    this.fingerprint = request.launch.fingerprint as LaunchFingerprint;
    this.#request = request;
    this.#manager = createManager({
      clock,
      circumstances: { workspaceTrusted: true, remoteOn: false, mayReach: () => false },
      approvedByName: true,
      launches: this.#launches(),
      launchContext: () => Promise.reject(new ManagerError('internal', { detail: 'launches are sent' })),
      environment: () => {
        const { environment } = this.#request;
        return Promise.resolve({ base: environment, inherit: Object.keys(environment) });
      },
      owner: () => Promise.resolve(owner),
      // Who is served answers for itself what the server asks.
      handlers: () => ({
        relayed: true,
        roots: () => this.#request.roots.map(({ uri, name }) => ({ uri, ...(name !== undefined && { name }) })),
      }),
      reload: () => Promise.resolve(),
      log: silent,
    });
    this.#disposables.add(this.#manager.onDidChange(() => onState(this.key, this.state)));
    this.#disposables.add(this.#manager.onDidLog(({ line }) => tellLine(line, (said) => onLog(this.key, said))));
    const source = { file: request.file, scope: server.scope };
    this.#manager.apply({
      files: [{ ...source, exists: true, version: 3, servers: [server], inputs: [] }],
    });
    this.surface = new ServerSurface(this.id, { manager: this.#manager, clock, forward: forwardTo(this.#manager) });
  }

  /** Where the definition stands whose launch this is. */
  get file(): string {
    return this.#request.file;
  }

  get state(): KeptState {
    return keptState(this.#manager.view().servers[0]?.state ?? { kind: 'stopped' });
  }

  /** The same launch was sent again: the values that it lends are these from its next start on. */
  take(request: LaunchRequest): void {
    this.#request = request;
  }

  /** Starts it where it is not running. What nobody waits for any more is not started to the end. */
  async ready(signal: AbortSignal): Promise<KeptState> {
    this.#waiting += 1;
    try {
      await this.#manager.use(this.#key, { signal });
      return this.state;
    } finally {
      this.#waiting -= 1;
      if (this.#waiting === 0 && signal.aborted && this.state.kind !== 'ready') await this.stop();
    }
  }

  async stop(): Promise<void> {
    await this.#manager.stop(this.#key);
  }

  async restart(signal: AbortSignal): Promise<void> {
    await this.#manager.restart(this.#key, { signal });
  }

  /** Resolves when nothing of it is left. */
  async dispose(): Promise<void> {
    this.surface.dispose();
    await this.#manager.dispose();
    this.#disposables.dispose();
  }

  get #key(): ServerKey {
    return this.key as ServerKey;
  }

  #launches(): LaunchSource {
    return {
      identify: ({ id, scope, file }) =>
        Promise.resolve({ id, scope, file, fingerprint: this.fingerprint, ...described(this.#launch()) }),
      resolve: () => Promise.resolve(this.#launch()),
    };
  }

  #launch(): StdioLaunch {
    const { timeouts, secrets, kept, executable, bound, calledAs, ...launch } = this.#request.launch;
    return {
      ...launch,
      fingerprint: this.fingerprint,
      timeouts: Object.fromEntries(Object.entries(timeouts).filter(([, ms]) => ms !== undefined)),
      ...(secrets !== undefined && { secrets }),
      ...(kept !== undefined && { kept }),
      ...(executable !== undefined && { executable }),
      ...(bound !== undefined && { bound }),
      ...(calledAs !== undefined && { calledAs }),
    };
  }
}

/** A definition that says what the launch does; nothing is read from it but names and time-outs. */
function configured({ key, file, launch }: LaunchRequest): ConfiguredServer {
  const { id, protocol, command, args } = launch;
  return {
    key: key as ServerKey,
    id,
    scope: { kind: 'user' },
    file,
    fingerprint: launch.fingerprint as unknown as ConfigFingerprint,
    definition: {
      kind: 'stdio',
      protocol,
      command,
      args,
      env: {},
      enabled: true,
      autostart: false,
      persistent: true,
      isolation: 'shared',
      toolPolicies: {},
      timeouts: Object.fromEntries(Object.entries(launch.timeouts).filter(([, ms]) => ms !== undefined)),
    },
  };
}

/** Nobody is asked here, so nobody is shown it. */
function described({ command, executable, args, cwd }: StdioLaunch): LaunchDescription {
  return { what: { kind: 'stdio', command, executable, args, cwd, env: {} } };
}

/** Calls go out as they come, held to the life and the definition that their client listed (TOOL-2). */
function forwardTo(manager: ServerManager): ToolRouter['forward'] {
  return async ({ server, tool, args, extra, binding }, { signal, onProgress, onLog, asker }) => {
    const { client, snapshot, view } = await manager.use(server, { signal });
    const offered = snapshot.tools.find(({ name }) => name === tool);
    const isOther = binding?.generation !== undefined && binding.generation !== snapshot.generation;
    if (binding !== undefined && (isOther || offered?.hash !== binding.hash)) {
      throw new ManagerError('staleTool', { server: view.server.id, tool });
    }
    return client.requestRaw(
      'tools/call',
      { ...extra, name: tool, arguments: args },
      {
        kind: 'call',
        ...(signal && { signal }),
        ...(onProgress && { onProgress }),
        ...(onLog && { onLog }),
        ...(asker && { asker }),
      },
    );
  };
}

/** Without the time, which whoever shows it adds, and without lines of ours. */
function tellLine(line: string, tell: (line: string) => void): void {
  const said = line.slice(line.indexOf(' ') + 1);
  if (!said.startsWith('[roundhouse] ')) tell(said);
}

function keptState(state: ConnectionState): KeptState {
  switch (state.kind) {
    case 'ready': {
      const { negotiated, ...rest } = state;
      return { ...rest, negotiated: { ...negotiated, transport: 'stdio' } };
    }
    case 'failed':
    case 'backingOff':
      return { ...state, problem: plain(state.problem) };
    case 'blocked':
    case 'signInNeeded':
      return { kind: 'failed', problem: plain(state.problem) };
    case 'disabled':
      return { kind: 'stopped' };
    default:
      return state;
  }
}

type Failed = Extract<KeptState, { kind: 'failed' }>['problem'];

/** As it is written down: what is undefined is not there. */
export function plain({
  code,
  data,
  stderr,
}: Pick<ManagerError, 'code' | 'data'> & { stderr?: readonly string[] | undefined }): Failed {
  const known = Object.entries(data).flatMap(([name, value]) => (value === undefined ? [] : [[name, value] as const]));
  return { code, data: Object.fromEntries(known), ...(stderr && { stderr: [...stderr] }) };
}

const silent: Log = { info: () => undefined, warn: () => undefined, error: () => undefined };
