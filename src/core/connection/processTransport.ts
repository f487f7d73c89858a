// Makes the process transports of one stdio launch: the actual one, which is listened to, and a probe, which is not.
import { type ErrorData, ManagerError } from '../errors.ts';
import { limits } from '../limits.ts';
import type { StdioLaunch } from '../transport/launch.ts';
import { describeExit } from '../transport/processExit.ts';
import { StdioTransport } from '../transport/stdioTransport.ts';
import type { ConnectAttempt } from './connectAttempt.ts';
import type { OpenOptions } from './openOptions.ts';

/** The process that becomes the server; while its launcher installs, the attempt gets more time (CONN-6). */
export function actualProcess(launch: StdioLaunch, options: OpenOptions, attempt: ConnectAttempt): StdioTransport {
  const { environment, clock, log, owner, timeouts } = options;
  return new StdioTransport(launch, {
    environment,
    clock,
    log,
    owner,
    timeouts,
    onStderr: (line) => options.onStderr(line),
    onNoise: (count, sample) => options.onNoise(count, sample),
    onInstalling: (detail) => {
      if (attempt.isOver()) return;
      attempt.extendTo(limits.timeouts.connectInstalling);
      options.onInstalling(detail);
    },
  });
}

/** A process to ask for its era; what it writes to stderr and what it installs is nobody's business. */
export function probeProcess(launch: StdioLaunch, { environment, clock, log, owner }: OpenOptions): StdioTransport {
  return new StdioTransport(launch, { environment, clock, log, owner });
}

/** The failure of a process that ended before it answered; to be made once it is gone. */
export function exitedAtStart(
  { id: server }: StdioLaunch,
  transport: StdioTransport,
  data: ErrorData = {},
): ManagerError {
  return new ManagerError(
    'exitedAtStart',
    { server, ...exitData(transport), ...data },
    { stderr: transport.stderrTail() },
  );
}

/** How a process ended, in the data of an error; one that our own stop ended had closed a pipe. */
export function exitData({ ownExit: exit, closedPipe = 'stdout' }: StdioTransport): ErrorData {
  if (exit === undefined) return { exit: `it closed its ${closedPipe}` };
  const { code, signal } = exit;
  return {
    exit: describeExit(exit),
    ...(code === null ? {} : { exitCode: code }),
    ...(signal === null ? {} : { signal }),
  };
}
