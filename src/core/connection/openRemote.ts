// Opens a remote server. Decides between transports and nothing else: the era is the SDK's decision, with the one
// exception of CONN-15. Promises: SSE is tried only after exactly 404 or 405 without a sign of the protocol (CONN-3),
// every try shares one deadline, and a failed or aborted try leaves nothing open.
import { SdkError, SdkErrorCode, type Transport } from '@modelcontextprotocol/client';
import { ManagerError } from '../errors.ts';
import { limits } from '../limits.ts';
import { HttpTransport } from '../transport/httpTransport.ts';
import type { RemoteLaunch } from '../transport/launch.ts';
import { launchRedactor, redactFailure } from '../transport/launchRedactor.ts';
import { SseTransport } from '../transport/sseTransport.ts';
import { configuredUrl } from '../transport/urlRules.ts';
import { classifyFailure, isPin, refusalText, statusOf } from './classifyFailure.ts';
import { ConnectAttempt } from './connectAttempt.ts';
import { handshake } from './handshake.ts';
import type { LiveClient } from './liveClient.ts';
import { LiveConnection } from './liveConnection.ts';
import type { OpenOptions } from './openOptions.ts';
import { Questions } from './questions.ts';
import { createSdkClient } from './sdkClient.ts';
import type { Problem } from './state.ts';
import type { Verdict } from './verdictCache.ts';
import { Wire } from './wire.ts';

export async function openRemote(launch: RemoteLaunch, options: OpenOptions): Promise<LiveClient> {
  const ms = launch.timeouts.connect ?? limits.timeouts.connectRemote;
  const attempt = new ConnectAttempt({ id: launch.id, remote: true, clock: options.clock, ms, signal: options.signal });
  try {
    const url = configuredUrl(launch.url);
    return await new RemoteOpening(attempt, launch, url, options).open();
  } catch (error) {
    const failure = classifyFailure(error, { server: launch.id, protocol: launch.protocol });
    throw redactFailure(failure, launchRedactor(launch));
  } finally {
    attempt.dispose();
  }
}

/** A failed try over one transport. */
class TryFailed extends Error {
  readonly error: ManagerError;
  /** The failure may be retried as legacy (CONN-15). */
  readonly onceMoreAsLegacy: boolean;
  /** The status that shows that there is no Streamable HTTP at this URL (CONN-3); undefined where nothing shows that. */
  readonly noSuchTransport: number | undefined;

  constructor(error: ManagerError, onceMoreAsLegacy: boolean, noSuchTransport: number | undefined) {
    super(error.code, { cause: error });
    this.error = error;
    this.onceMoreAsLegacy = onceMoreAsLegacy;
    this.noSuchTransport = noSuchTransport;
  }
}

class RemoteOpening {
  readonly #attempt: ConnectAttempt;
  readonly #launch: RemoteLaunch;
  readonly #url: URL;
  readonly #options: OpenOptions;

  constructor(attempt: ConnectAttempt, launch: RemoteLaunch, url: URL, options: OpenOptions) {
    this.#attempt = attempt;
    this.#launch = launch;
    this.#url = url;
    this.#options = options;
  }

  async open(): Promise<LiveClient> {
    const { transport, protocol } = this.#launch;
    if (transport === 'sse') {
      // SSE ended with the legacy era: what only the pin allows cannot be there.
      if (isPin(protocol)) throw new ManagerError('eraUnsupported', { server: this.#launch.id, wanted: protocol });
      return this.#sse();
    }
    try {
      return await this.#http();
    } catch (error) {
      const fallback = transport === 'auto' && !isPin(protocol);
      if (!fallback || !(error instanceof TryFailed) || this.#attempt.isOver()) throw error;
      if (error.noSuchTransport === undefined) throw error;
      return await this.#sseAfter(error.error, error.noSuchTransport);
    }
  }

  async #http(): Promise<LiveClient> {
    const { protocol } = this.#launch;
    try {
      return await this.#connect('streamable-http', protocol === 'legacy' ? { kind: 'legacy' } : undefined);
    } catch (error) {
      const again = protocol === 'auto' && error instanceof TryFailed && error.onceMoreAsLegacy;
      if (!again || this.#attempt.isOver()) throw error;
      this.#note('The server failed on the question for its protocol; it is asked once more as legacy.');
    }
    try {
      return await this.#connect('streamable-http', { kind: 'legacy' });
    } catch (error) {
      // The first status was another one, so there is no way on to SSE (CONN-3).
      throw error instanceof TryFailed ? error.error : error;
    }
  }

  /** A log that fails, as one does whose window closes, fails nothing else. */
  #note(text: string): void {
    try {
      this.#options.log.info(text);
    } catch {
      // Nobody reads it.
    }
  }

  #sse(): Promise<LiveClient> {
    return this.#connect('sse', { kind: 'legacy' });
  }

  async #sseAfter(first: ManagerError, status: number): Promise<LiveClient> {
    try {
      return await this.#sse();
    } catch (error) {
      const second = classifyFailure(error, { server: this.#launch.id });
      if (this.#attempt.isOver() || second.code === 'signInNeeded') throw second;
      // The second failure is told with its own sentence and data.
      const data = { ...second.data, first: status, because: second.code };
      throw new ManagerError('transportFallbackFailed', data, { cause: new AggregateError([first, second]) });
    }
  }

  async #connect(kind: 'streamable-http' | 'sse', prior: Verdict | undefined): Promise<LiveClient> {
    const { id, protocol, timeouts, headers } = this.#launch;
    this.#attempt.assertGoing();
    const parts = { url: this.#url, headers, clock: this.#options.clock };
    const transport = kind === 'sse' ? new SseTransport(parts) : new HttpTransport(parts);
    const wire = new Wire(transport);
    const questions = new Questions(this.#options.handlers, false, (id) => wire.originOf(id), this.#options.clock);
    const client = createSdkClient({ mode: kind === 'sse' ? 'legacy' : protocol, questions });
    try {
      const ended = endOf(wire);
      const shaken = handshake({ id, client, wire, questions, transport: kind, prior });
      const settled = await this.#attempt.race(Promise.race([shaken, ended]));
      return new LiveConnection({
        id,
        wire,
        client,
        questions,
        timeouts: this.#options.timeouts ?? (() => timeouts),
        redactor: launchRedactor(this.#launch),
        clock: this.#options.clock,
        ...settled,
        endProblem: () => endProblem(id, transport),
        end: () => transport.close(),
      });
    } catch (error) {
      await Promise.allSettled([transport.close(), client.close()]);
      this.#attempt.assertGoing();
      throw failedTry(error, wire, { server: id, protocol });
    }
  }
}

/** Fails when the transport ends by itself: the SDK waits for ever on an SSE stream that has ended. */
function endOf(wire: Wire): Promise<never> {
  const ended = new Promise<never>((_, reject) => {
    wire.onEnded((end) => {
      if (end === 'lost') reject(new SdkError(SdkErrorCode.ConnectionClosed, 'The connection ended.'));
    });
  });
  ended.catch(() => undefined);
  return ended;
}

function failedTry(error: unknown, wire: Wire, context: Parameters<typeof classifyFailure>[1]): TryFailed {
  const failure = classifyFailure(error, context);
  const status = statusOf(error);
  const probing = error instanceof SdkError && error.code === SdkErrorCode.EraNegotiationFailed;
  const unusable = failure.code === 'httpUnexpectedContent';
  const missing = (status === 404 || status === 405) && !wire.heard && !isProtocolText(refusalText(error));
  const noSuchTransport = missing ? status : undefined;
  return new TryFailed(failure, probing && (unusable || (status !== undefined && status >= 500)), noSuchTransport);
}

/** Whether a refusal's body is a protocol message: then the endpoint speaks the protocol, whatever its status. */
function isProtocolText(text: string | undefined): boolean {
  return text !== undefined && /^\s*\{/.test(text) && /"jsonrpc"\s*:\s*"2\.0"/.test(text);
}

function endProblem(server: RemoteLaunch['id'], transport: Transport): Problem {
  const lost = transport instanceof HttpTransport && transport.sessionLost;
  return { code: lost ? 'sessionLost' : 'connectionClosed', data: { server } };
}
