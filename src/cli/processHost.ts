import { setMaxListeners } from 'node:events';
import { homedir } from 'node:os';
import { addAbortSignal } from 'node:stream';
import { deferred } from '../base/deferred.ts';
import { exitCodes } from './exitCodes.ts';
import { type Host, UsageError } from './host.ts';

export interface ProcessHost {
  readonly host: Host;
  /**
   * Resolves when stdout and stderr took everything. Whoever reads them may be as slow as they like; a signal, a closed
   * pipe or a full disk ends the wait.
   */
  readonly written: () => Promise<void>;
}

/** The host of the real process: its streams, its signals, and the end of whoever reads its output. */
export function processHost(): ProcessHost {
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
  const abandoned = deferred<undefined>();
  for (const stream of [process.stdout, process.stderr]) {
    stream.on('error', (error: NodeJS.ErrnoException) => {
      if (stream !== process.stdout || closed) return;
      closed = true;
      if (error.code !== 'EPIPE')
        process.stderr.write(`mcp-roundhouse: the output cannot be written: ${error.message}\n`);
      interrupt(error.code === 'EPIPE' ? exitCodes.brokenPipe : exitCodes.outputFailed);
    });
  }
  const host: Host = {
    out: (text) => {
      if (!closed) process.stdout.write(text);
    },
    err: (text) => {
      process.stderr.write(text);
    },
    errIsTerminal: process.stderr.isTTY,
    readInput: (limit) => readInput(limit, controller.signal),
    wire: {
      get input() {
        return process.stdin;
      },
      output: process.stdout,
      abandon: () => abandoned.resolve(undefined),
    },
    get cwd() {
      return workingDirectory();
    },
    userHome: homedir(),
    env: process.env,
    signal: controller.signal,
    interruptedBy: () => interruptedBy,
  };
  const { signal } = controller;
  const written = async (): Promise<void> => {
    const ended = new Promise<void>((resolve) => {
      if (signal.aborted) resolve();
      else signal.addEventListener('abort', () => resolve(), { once: true });
    });
    await Promise.race([Promise.all([process.stdout, process.stderr].map(drained)), ended, abandoned.promise]);
  };
  return { host, written };
}

/** Also resolves when the stream failed: its listener above says so, or nobody is left to tell. */
function drained(stream: NodeJS.WriteStream): Promise<void> {
  return new Promise((resolve) => {
    // Asked after everything that was written before it.
    stream.write('', () => resolve());
  });
}

/** Node fails with the name of a call of its own where the folder was removed, or may not be seen. */
function workingDirectory(): string {
  try {
    return process.cwd();
  } catch {
    throw new UsageError('the current folder is gone. Go to another one, or name all paths in full, --workspace too.');
  }
}

/**
 * Text that is not UTF-8 would become another one: it is refused. A byte order mark is left out. Ends at once when the
 * program is to end: whoever feeds stdin may never close it.
 */
async function readInput(limit: number, signal: AbortSignal): Promise<string> {
  const chunks: Buffer[] = [];
  let size = 0;
  for await (const chunk of addAbortSignal(signal, process.stdin) as AsyncIterable<Buffer>) {
    size += chunk.length;
    if (size > limit) throw new RangeError(`more than ${limit} bytes on stdin`);
    chunks.push(chunk);
  }
  return new TextDecoder('utf-8', { fatal: true }).decode(Buffer.concat(chunks));
}
