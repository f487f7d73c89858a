// Opens a connection to whatever a launch names. The SDK is loaded at the first one; a server that needs no probe starts
// up meanwhile, since the two take about as long.
// Promises: the attempt's time runs from here, the loading included.
import { limits } from '../limits.ts';
import type { Launch, StdioLaunch } from '../transport/launch.ts';
import { ConnectAttempt } from './connectAttempt.ts';
import type { LiveClient } from './liveClient.ts';
import type { OpenOptions } from './openOptions.ts';
import { actualProcess } from './processTransport.ts';

/**
 * Resolves when the server has answered the handshake. Fails with a ManagerError; after a failure or an abort nothing
 * of the attempt is left.
 */
export async function openClient(launch: Launch, options: OpenOptions): Promise<LiveClient> {
  switch (launch.kind) {
    case 'stdio':
      return startAndOpen(launch, options);
    case 'remote': {
      const { openRemote } = await import('./openWithSdk.ts');
      return openRemote(launch, options);
    }
  }
}

async function startAndOpen(launch: StdioLaunch, options: OpenOptions): Promise<LiveClient> {
  const ms = launch.timeouts.connect ?? limits.timeouts.connectStdio;
  const attempt = new ConnectAttempt({ id: launch.id, clock: options.clock, ms, signal: options.signal });
  const mayStart = launch.protocol === 'legacy' && !attempt.isOver();
  const ahead = mayStart ? actualProcess(launch, options, attempt) : undefined;
  try {
    // Why it could not be started is told by the attempt to use it.
    if (ahead !== undefined) await attempt.race(ahead.begin()).catch(() => undefined);
    const { openStdio } = await import('./openWithSdk.ts');
    return await openStdio(launch, options, { attempt, ahead });
  } catch (error) {
    await ahead?.close();
    throw error;
  } finally {
    attempt.dispose();
  }
}
