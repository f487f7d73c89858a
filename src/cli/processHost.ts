import { setMaxListeners } from 'node:events';
import { homedir } from 'node:os';
import { addAbortSignal } from 'node:stream';
import { exitCodes } from './exitCodes.ts';
import type { Host } from './host.ts';

/** The host of the real process: its streams, its signals, and the end of whoever reads its output. */
export function processHost(): Host {
  const controller = new AbortController();
  // Every server of the file listens to this one signal, and there may be hundreds: that is no leak to warn of.
  setMaxListeners(0, controller.signal);
  let interruptedBy: number | undefined;
  const interrupt = (code: number): void => {
    interruptedBy ??= code;
    controller.abort(new Error('interrupted'));
  };
  // Later signals change nothing: what runs is being ended already, and its end has deadlines of its own.
  process.on('SIGINT', () => interrupt(exitCodes.interrupted));
  process.on('SIGTERM', () => interrupt(exitCodes.terminated));
  process.on('SIGHUP', () => interrupt(exitCodes.hangup));
  let closed = false;
  for (const stream of [process.stdout, process.stderr]) {
    stream.on('error', (error: NodeJS.ErrnoException) => {
      if (stream !== process.stdout || closed) return;
      closed = true;
      if (error.code !== 'EPIPE')
        process.stderr.write(`mcp-roundhouse: the output cannot be written: ${error.message}\n`);
      interrupt(error.code === 'EPIPE' ? exitCodes.brokenPipe : exitCodes.outputFailed);
    });
  }
  return {
    out: (text) => {
      if (!closed) process.stdout.write(text);
    },
    err: (text) => {
      process.stderr.write(text);
    },
    errIsTerminal: process.stderr.isTTY,
    readInput: (limit) => readInput(limit, controller.signal),
    cwd: process.cwd(),
    userHome: homedir(),
    env: process.env,
    signal: controller.signal,
    interruptedBy: () => interruptedBy,
  };
}

/** Ends at once when the program is to end: whoever feeds stdin may never close it. */
async function readInput(limit: number, signal: AbortSignal): Promise<string> {
  const chunks: Buffer[] = [];
  let size = 0;
  for await (const chunk of addAbortSignal(signal, process.stdin) as AsyncIterable<Buffer>) {
    size += chunk.length;
    if (size > limit) throw new RangeError(`more than ${limit} bytes on stdin`);
    chunks.push(chunk);
  }
  return Buffer.concat(chunks).toString('utf8');
}
