// Starts the actual process of a stdio server and shakes hands with it. Promises: it either resolves with a live
// client or leaves nothing behind; a process that ends too early fails the attempt at once (CONN-6, CONN-10).
import type { ManagerError } from '../errors.ts';
import type { StdioLaunch } from '../transport/launch.ts';
import { launchRedactor } from '../transport/launchRedactor.ts';
import type { StdioTransport } from '../transport/stdioTransport.ts';
import { classifyFailure } from './classifyFailure.ts';
import { type Noise, withNoise } from './circumstances.ts';
import type { ConnectAttempt } from './connectAttempt.ts';
import { handshake, noTimeout } from './handshake.ts';
import type { LiveClient } from './liveClient.ts';
import { LiveConnection } from './liveConnection.ts';
import type { OpenOptions } from './openOptions.ts';
import { actualProcess, exitData, exitedAtStart } from './processTransport.ts';
import { Questions } from './questions.ts';
import { createSdkClient } from './sdkClient.ts';
import type { Verdict } from './verdictCache.ts';
import { ProcessWire } from './wire.ts';

export async function startStdio(
  attempt: ConnectAttempt,
  launch: StdioLaunch,
  options: OpenOptions,
  /** Undefined: this very process is asked, as long as the attempt lasts. */
  prior: Verdict | undefined,
  { ahead, confirmWithin }: { readonly ahead?: StdioTransport | undefined; readonly confirmWithin?: number } = {},
): Promise<LiveClient> {
  const { id, protocol } = launch;
  const transport = ahead ?? actualProcess(launch, options, attempt);
  const wire = new ProcessWire(transport);
  const questions = new Questions(options.handlers, true, undefined, options.clock);
  const client = createSdkClient({ mode: protocol, questions, probeTimeout: noTimeout });
  const noise = (): Noise => ({ count: transport.noiseCount, sample: transport.noiseSample });
  try {
    const shaken = handshake({
      id,
      client,
      wire,
      questions,
      transport: 'stdio',
      pid: () => transport.pid,
      prior,
      confirmWithin: confirmWithin === undefined ? undefined : { ms: confirmWithin, clock: options.clock },
    });
    const settled = await attempt.race(shaken);
    return new LiveConnection({
      id,
      wire,
      client,
      questions,
      timeouts: options.timeouts ?? (() => launch.timeouts),
      redactor: launchRedactor(launch),
      clock: options.clock,
      noise,
      ...settled,
      endProblem: () => ({
        code: 'processExited',
        data: { server: id, ...exitData(transport) },
        stderr: transport.stderrTail(),
      }),
      end: () => transport.close(),
    });
  } catch (error) {
    const failure = classifyFailure(error, { server: id, protocol });
    const ended = transport.exit !== undefined || failure.code === 'connectionClosed';
    await Promise.allSettled([transport.close(), client.close()]);
    if (attempt.isOver()) throw withNoise(classifyFailure(attempt.signal.reason, { server: id }), noise());
    throw ended && mayHideExit(failure) ? exitedAtStart(launch, transport) : withNoise(failure, noise());
  }
}

/** Failures that a process causes by ending; what it said before that it ended stays as it is. */
function mayHideExit(failure: ManagerError): boolean {
  return failure.code === 'connectionClosed' || failure.code === 'internal' || failure.code === 'networkFailed';
}
