// Opens a stdio server. `legacy`: one process, no probe. `auto` and the pin: the SDK decides on a probe process first
// (stdioProbe.ts); the actual process starts when that one is gone, and confirms the verdict itself (CONN-2).
// Each process after the first is decided upon anew (TRUST-2).
// Promises: a failed or aborted attempt settles only when nothing it started is left; a child that ends during the
// handshake fails the attempt at once, with its last lines.
import { limits } from '../limits.ts';
import type { StdioTransport } from '../transport/stdioTransport.ts';
import type { StdioLaunch } from '../transport/launch.ts';
import { launchRedactor, redactFailure } from '../transport/launchRedactor.ts';
import { classifyFailure, modernRevision } from './classifyFailure.ts';
import type { ConnectAttempt } from './connectAttempt.ts';
import type { LiveClient } from './liveClient.ts';
import type { OpenOptions } from './openOptions.ts';
import { probeStdio } from './stdioProbe.ts';
import { startStdio } from './startStdio.ts';
import type { Verdict } from './verdictCache.ts';
import { ManagerError } from '../errors.ts';

export interface StdioStart {
  readonly attempt: ConnectAttempt;
  /** The actual process, where it was started ahead of all that this file loads: only for `legacy`. */
  readonly ahead: StdioTransport | undefined;
}

export async function openStdio(launch: StdioLaunch, options: OpenOptions, start: StdioStart): Promise<LiveClient> {
  try {
    return await openIn(start, launch, options);
  } catch (error) {
    const failure = classifyFailure(error, { server: launch.id, protocol: launch.protocol });
    throw redactFailure(failure, launchRedactor(launch));
  }
}

async function openIn({ attempt, ahead }: StdioStart, launch: StdioLaunch, options: OpenOptions): Promise<LiveClient> {
  attempt.assertGoing();
  if (launch.protocol === 'legacy') return startStdio(attempt, launch, options, { kind: 'legacy' }, { ahead });
  if (launch.protocol !== 'auto') {
    const { verdict } = await probeStdio(attempt, launch, options);
    await confirmed(attempt, options);
    return startStdio(attempt, launch, options, verdict);
  }
  const kept = options.verdicts.get(launch.fingerprint);
  if (kept !== undefined) {
    try {
      // A kept verdict is of a server that answered a probe in time; one that does not any more has changed.
      return await startStdio(attempt, launch, options, kept, { confirmWithin: limits.probe.timeout });
    } catch (error) {
      options.verdicts.forget(launch.fingerprint);
      if (!mayBeStale(kept, error) || attempt.isOver()) throw error;
      await confirmed(attempt, options);
    }
  }
  const { verdict, silent } = await probeStdio(attempt, launch, options);
  await confirmed(attempt, options);
  if (silent) return startUncertain(attempt, launch, options);
  const client = await startStdio(attempt, launch, options, verdict);
  options.verdicts.keep(launch.fingerprint, verdict);
  return client;
}

async function confirmed(attempt: ConnectAttempt, options: OpenOptions): Promise<void> {
  if (options.confirm !== undefined) await attempt.race(options.confirm());
}

/**
 * After a probe that nothing answered: most such servers are old ones, so it starts as legacy. One that was only slow
 * says so by refusing `initialize`; it starts once more, and its own process is asked as long as the attempt lasts.
 * No verdict is kept of it.
 */
async function startUncertain(attempt: ConnectAttempt, launch: StdioLaunch, options: OpenOptions): Promise<LiveClient> {
  try {
    return await startStdio(attempt, launch, options, { kind: 'legacy' });
  } catch (error) {
    if (!(error instanceof ManagerError) || error.code !== 'eraUnsupported') throw error;
    await confirmed(attempt, options);
    return await startStdio(attempt, { ...launch, protocol: modernRevision }, options, undefined);
  }
}

/**
 * Whether a failure may come from a kept verdict that no longer holds. A server that became legacy may answer the
 * modern question with an error or by ending; one that became modern answers `initialize` with an error.
 */
function mayBeStale(kept: Verdict, error: unknown): boolean {
  if (!(error instanceof ManagerError)) return false;
  switch (error.code) {
    case 'protocolError':
    case 'eraUnsupported':
    case 'protocolVersionUnsupported':
    case 'invalidResponse':
      return true;
    case 'exitedAtStart':
    case 'requestTimeout':
      return kept.kind === 'modern';
    default:
      return false;
  }
}
