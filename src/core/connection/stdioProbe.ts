// Lets the SDK decide a stdio server's era on a process of its own, so that the actual one never meets a question it
// may die of (CONN-2, CONN-15). Nothing but the decision leaves here, and the probe is gone, with all it started, before
// this settles. Its stderr is told only in the failure of a pinned one that ended instead of answering: no actual
// process follows it.
import { type JSONRPCMessage, SdkError, SdkErrorCode, type TransportSendOptions } from '@modelcontextprotocol/client';
import { ManagerError } from '../errors.ts';
import { limits } from '../limits.ts';
import type { StdioLaunch } from '../transport/launch.ts';
import { withNoise } from './circumstances.ts';
import { classifyFailure } from './classifyFailure.ts';
import type { ConnectAttempt } from './connectAttempt.ts';
import { noTimeout } from './handshake.ts';
import type { OpenOptions } from './openOptions.ts';
import { exitedAtStart, probeProcess } from './processTransport.ts';
import { Questions } from './questions.ts';
import { createSdkClient } from './sdkClient.ts';
import type { Verdict } from './verdictCache.ts';
import { ProcessWire, type WireEnd } from './wire.ts';

/** What a probe found. */
export interface Probed {
  readonly verdict: Verdict;
  /** Nothing answered in time: a slow start looks the same as an old server, so this verdict is a guess. */
  readonly silent: boolean;
}

/** `auto` answers a verdict, the pin only ever a modern one; every other outcome is an error. */
export async function probeStdio(attempt: ConnectAttempt, launch: StdioLaunch, options: OpenOptions): Promise<Probed> {
  const transport = probeProcess(launch, options);
  const wire = new ProbeWire(transport);
  const ends: WireEnd[] = [];
  wire.onEnded((end) => ends.push(end));
  const questions = new Questions(options.handlers, true);
  const client = createSdkClient({ mode: launch.protocol, questions, probeTimeout: limits.probe.timeout });
  try {
    await attempt.race(client.connect(wire, { timeout: noTimeout }));
    const discover = client.getDiscoverResult();
    if (discover === undefined) throw new ManagerError('internal', { detail: 'the probe ended without a verdict' });
    return { verdict: { kind: 'modern', discover }, silent: false };
  } catch (error) {
    attempt.assertGoing();
    // A question that cannot be written any more shows the end of a process before it is seen.
    const ended = ends.includes('lost') || classifyFailure(error, { server: launch.id }).code === 'connectionClosed';
    const silent = wire.awaitsHandshake && !ended;
    if (error instanceof LegacyVerdict || (launch.protocol === 'auto' && (ended || endedOnProbe(error)))) {
      return { verdict: { kind: 'legacy' }, silent };
    }
    if (wire.awaitsHandshake && ended) {
      await transport.close();
      throw exitedAtStart(launch, transport, { probed: launch.protocol });
    }
    if (silent && endedOnProbe(error)) {
      throw withNoise(probeSilent(launch, error), { count: transport.noiseCount, sample: transport.noiseSample });
    }
    throw error;
  } finally {
    await Promise.allSettled([transport.close(), client.close()]);
  }
}

function probeSilent({ id, protocol }: StdioLaunch, cause: unknown): ManagerError {
  const data = { server: id, wanted: protocol, seconds: limits.probe.timeout / 1000 };
  return new ManagerError('eraProbeSilent', data, { cause });
}

/** The SDK decided for `legacy` and wants to go on with `initialize`. */
class LegacyVerdict extends Error {}

/** Ends the SDK's connect at the point where its decision is made. */
class ProbeWire extends ProcessWire {
  override send(message: JSONRPCMessage, options?: TransportSendOptions): Promise<void> {
    if ('method' in message && message.method === 'initialize') return Promise.reject(new LegacyVerdict());
    return super.send(message, options);
  }
}

/**
 * A process that ends instead of answering is a legacy one: that is the SDK's own rule for a probe that is not the
 * actual process, which it cannot know this one to be.
 */
function endedOnProbe(error: unknown): boolean {
  return error instanceof SdkError && error.code === SdkErrorCode.EraNegotiationFailed;
}
