import { homedir } from 'node:os';
import { exitCodes } from './exitCodes.ts';
import type { Host } from './host.ts';

/** The host of the real process: its streams, its signals, and the end of whoever reads its output. */
export function processHost(): Host {
  const controller = new AbortController();
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
    stream.on('error', () => {
      if (stream === process.stdout) interrupt(exitCodes.brokenPipe);
      closed ||= stream === process.stdout;
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
    readInput,
    cwd: process.cwd(),
    userHome: homedir(),
    env: process.env,
    signal: controller.signal,
    interruptedBy: () => interruptedBy,
  };
}

async function readInput(limit: number): Promise<string> {
  const chunks: Buffer[] = [];
  let size = 0;
  for await (const chunk of process.stdin as AsyncIterable<Buffer>) {
    size += chunk.length;
    if (size > limit) throw new RangeError(`more than ${limit} bytes on stdin`);
    chunks.push(chunk);
  }
  return Buffer.concat(chunks).toString('utf8');
}
