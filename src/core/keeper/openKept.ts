// Opens a server that the keeper runs: to whoever asked it is one more LiveClient, whose process is the keeper's child. Speaks
// the era of that child, so that everything crosses as it is; roots, elicitation and sampling reach it as on stdio (CONN-14).
// Promises: it ends with the life of that child, also where the keeper starts another one at once, so that nobody takes the
// new one's state for the old one's; closing it stops nothing. Loads the SDK.
import { pathToFileURL } from 'node:url';
import { deferred } from '../../base/deferred.ts';
import type { Disposable } from '../../base/disposable.ts';
import { ownerHeader, ownerText } from '../../contract/gatewayWire.ts';
import type { KeptState, Launched } from '../../contract/keeperWire.ts';
import { ownIdentity } from '../config/processIdentity.ts';
import { classifyFailure } from '../connection/classifyFailure.ts';
import { ConnectAttempt } from '../connection/connectAttempt.ts';
import { handshake } from '../connection/handshake.ts';
import type { LiveClient } from '../connection/liveClient.ts';
import { LiveConnection } from '../connection/liveConnection.ts';
import type { OpenOptions } from '../connection/openOptions.ts';
import { Questions } from '../connection/questions.ts';
import { createSdkClient } from '../connection/sdkClient.ts';
import type { Negotiated, Problem } from '../connection/state.ts';
import { Wire } from '../connection/wire.ts';
import { ManagerError } from '../errors.ts';
import { limits } from '../limits.ts';
import { childEnvironment } from '../transport/environment.ts';
import { HttpTransport } from '../transport/httpTransport.ts';
import type { StdioLaunch } from '../transport/launch.ts';
import { launchRedactor, redactFailure } from '../transport/launchRedactor.ts';
import type { KeeperClient, KeeperHold, KeptEvent } from './keeperClient.ts';

export interface KeptOptions extends Omit<OpenOptions, 'owner' | 'verdicts'> {
  readonly keeper: KeeperClient;
  /** Scope and id of the definition, as `serverKey` makes it. */
  readonly key: string;
  /** Where the definition stands. */
  readonly file: string;
}

type Ready = Extract<KeptState, { kind: 'ready' }>;

/** Fails with a ManagerError: as the start of the server does, `blockedConflict`, `keeperFailed`, `keeperDiffers`. */
export async function openKept(launch: StdioLaunch, options: KeptOptions): Promise<LiveClient> {
  try {
    return await new KeptOpening(launch, options).open();
  } catch (error) {
    const failure =
      options.signal.aborted && !(error instanceof ManagerError)
        ? new ManagerError('cancelled', { server: launch.id })
        : error;
    throw redactFailure(classifyFailure(failure, { server: launch.id }), launchRedactor(launch));
  }
}

class KeptOpening {
  readonly #launch: StdioLaunch;
  readonly #options: KeptOptions;
  /** What happened to the server before anybody could follow the life that was answered. */
  readonly #early: KeptEvent[] = [];
  #follow: ((event: KeptEvent) => void) | undefined;

  constructor(launch: StdioLaunch, options: KeptOptions) {
    this.#launch = launch;
    this.#options = options;
  }

  async open(): Promise<LiveClient> {
    const { keeper, key, file, signal, environment, handlers } = this.#options;
    const { cwd } = this.#launch;
    const hold = await keeper.ensure({ signal });
    const hearing = hold.onEvent((event) => this.#hear(event));
    try {
      const inherited = childEnvironment({
        inherited: environment,
        own: {},
        mark: undefined,
        platform: process.platform,
      });
      const roots = (handlers.roots?.() ?? [{ uri: pathToFileURL(cwd).href }]).map((root) => ({ ...root }));
      const request = { key, file, launch: this.#launch, environment: inherited, roots };
      const answer = await keeper.launch(hold, request, { signal });
      return await this.#connect(hold, answer, hearing).catch((error: unknown) => {
        void keeper.release(hold, key);
        throw error;
      });
    } catch (error) {
      hearing.dispose();
      throw error;
    }
  }

  #hear(event: KeptEvent): void {
    if (event.kind !== 'gone' && event.key !== this.#options.key) return;
    if (event.kind === 'log') {
      this.#options.onStderr(event.line);
      return;
    }
    if (event.kind === 'state' && event.state.kind === 'installing') this.#options.onInstalling(event.state.detail);
    if (this.#follow === undefined) this.#early.push(event);
    else this.#follow(event);
  }

  async #connect(hold: KeeperHold, { path, state, at }: Launched, hearing: Disposable): Promise<LiveClient> {
    const { keeper, key, clock, handlers, signal, timeouts } = this.#options;
    const { id } = this.#launch;
    if (state.kind !== 'ready') throw new ManagerError('connectionClosed', { server: id });
    const { url, token } = hold.link.descriptor;
    const headers = { authorization: `Bearer ${token}`, [ownerHeader]: ownerText(await ownIdentity()) };
    const transport = new HttpTransport({ url: new URL(path, url), headers, clock });
    const wire = new Wire(transport);
    const questions = new Questions(handlers, true, (origin) => wire.originOf(origin), clock);
    const mode = state.negotiated.era === 'legacy' ? 'legacy' : '2026-07-28';
    const client = createSdkClient({ mode, questions });
    const attempt = new ConnectAttempt({ id, clock, ms: limits.timeouts.connectRemote, signal });
    const over = deferred<never>();
    over.promise.catch(() => undefined);
    let problem: Problem = { code: 'connectionClosed', data: { server: id } };
    this.#follow = (event) => {
      const end = endOf(event, state, at);
      if (end === undefined) return;
      problem = end.problem ?? problem;
      over.reject(new ManagerError(problem.code, problem.data, { stderr: problem.stderr }));
      void transport.close();
    };
    for (const event of this.#early.splice(0)) this.#follow(event);
    try {
      const prior = mode === 'legacy' ? ({ kind: 'legacy' } as const) : undefined;
      const shaken = handshake({ id, client, wire, questions, transport: 'streamable-http', prior });
      const settled = await attempt.race(Promise.race([shaken, over.promise]));
      return new LiveConnection({
        id,
        wire,
        client,
        questions,
        timeouts: timeouts ?? (() => this.#launch.timeouts),
        redactor: launchRedactor(this.#launch),
        clock,
        ...settled,
        negotiated: negotiatedOf(state),
        endProblem: () => problem,
        end: async () => {
          hearing.dispose();
          await transport.close();
          void keeper.release(hold, key);
        },
      });
    } catch (error) {
      await Promise.allSettled([transport.close(), client.close()]);
      throw error;
    } finally {
      attempt.dispose();
    }
  }
}

/** As the keeper's own connection to its child has it. */
function negotiatedOf({ negotiated }: Ready): Negotiated {
  const { pid, serverName, serverVersion, instructions, ...rest } = negotiated;
  return {
    ...rest,
    ...(pid !== undefined && { pid }),
    ...(serverName !== undefined && { serverName }),
    ...(serverVersion !== undefined && { serverVersion }),
    ...(instructions !== undefined && { instructions }),
  };
}

/** Undefined while this very life of the server goes on. */
function endOf(event: KeptEvent, ready: Ready, at: number): { readonly problem: Problem | undefined } | undefined {
  if (event.kind === 'gone') return { problem: undefined };
  if (event.kind === 'log' || event.at <= at) return undefined;
  const { state } = event;
  if (state.kind === 'ready' && state.generation === ready.generation) return undefined;
  if (!('problem' in state)) return { problem: undefined };
  const { code, data, stderr } = state.problem;
  return { problem: { code, data, ...(stderr && { stderr }) } };
}
