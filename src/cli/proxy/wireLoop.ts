// The loop of a command that speaks a protocol over stdin and stdout: lines in, until stdin ends or the program is to end.
// Promises: what is under way when stdin ends has a moment to be answered, no more; whoever does not read our output is
// not read from either, once much of it waits, and never holds up the end.
import type { Clock } from '../../base/clock.ts';
import { limits } from '../../core/limits.ts';
import type { Host } from '../host.ts';
import type { LineOutput } from './lineOutput.ts';
import { Lines } from './lines.ts';

export interface WireLoopParts {
  readonly host: Pick<Host, 'wire' | 'signal' | 'err'>;
  readonly clock: Clock;
  readonly output: LineOutput;
  readonly server: {
    take(line: Buffer): void;
    refuseLine(): void;
    /** Requests wait for their answer. */
    readonly busy: boolean;
  };
}

/** Resolves when stdin has ended, or the program is to end. Nothing is read after that. */
export async function wireLoop({ host, clock, output, server }: WireLoopParts): Promise<void> {
  const { input } = host.wire;
  const lines = new Lines({
    limit: limits.proxy.frame,
    onLine: (line) => server.take(line),
    onTooLong: () => server.refuseLine(),
  });
  const onData = (chunk: Buffer): void => {
    lines.push(chunk);
    const { ready } = output;
    if (ready === undefined || output.unread <= limits.proxy.unread) return;
    input.pause();
    void ready.then(() => input.resume());
  };
  await new Promise<void>((resolve) => {
    if (host.signal.aborted) resolve();
    host.signal.addEventListener('abort', () => resolve(), { once: true });
    for (const event of ['end', 'close', 'error'] as const) input.once(event, () => resolve());
    input.on('data', onData);
  });
  input.off('data', onData);
  lines.end();
  const until = clock.now() + limits.proxy.lastAnswers;
  while (server.busy && !host.signal.aborted && clock.now() < until) await pause(clock, 5);
  // Whoever pipes a few lines in would else see nothing, and not know why.
  if (server.busy && !host.signal.aborted)
    host.err('mcp-roundhouse: stdin ended before every request was answered; the others are cancelled.\n');
  // Also where an agent keeps its end open: nothing of it is wanted any more.
  input.destroy();
}

/** Lets the agent read what was written, for a moment. */
export async function lastWords({
  host,
  clock,
  output,
}: Pick<WireLoopParts, 'host' | 'clock' | 'output'>): Promise<void> {
  if (output.ready !== undefined) await Promise.race([output.ready, pause(clock, limits.proxy.farewell)]);
  if (output.unread > 0) host.wire.abandon();
}

function pause(clock: Clock, ms: number): Promise<void> {
  return new Promise((resolve) => clock.after(ms, resolve));
}
