// A stdio server spoken to without the SDK: a scenario about processes and streams sees each message as it came.
import { systemClock } from '../../src/base/clock.ts';
import { deferred } from '../../src/base/deferred.ts';
import { StdioTransport, type StdioDeps } from '../../src/core/transport/stdioTransport.ts';
import type { StdioLaunch } from '../../src/core/transport/launch.ts';
import { stdioLaunch } from './openOptions.ts';
import { patience } from './patience.ts';
import { withDeadline } from './withDeadline.ts';

export interface RawAnswer {
  readonly id: number;
  readonly result?: Readonly<Record<string, unknown>>;
  readonly error?: { readonly code: number; readonly message: string; readonly data?: unknown };
}

export class RawStdio {
  readonly transport: StdioTransport;
  readonly stderr: string[] = [];
  readonly noise: string[] = [];
  readonly installing: string[] = [];
  readonly errors: Error[] = [];
  /** What happened, in order: `message`, `exit`, `close`. */
  readonly events: string[] = [];
  readonly #closed = deferred<undefined>();
  readonly #waiting = new Map<number, (answer: RawAnswer) => void>();
  #lastId = 0;

  constructor(
    command: { readonly command: string; readonly args: readonly string[] },
    launch: Partial<StdioLaunch> = {},
    deps: Partial<StdioDeps> = {},
  ) {
    this.transport = new StdioTransport(stdioLaunch(command, launch), {
      environment: { base: process.env, inherit: [] },
      clock: systemClock(),
      onStderr: (line) => this.stderr.push(line),
      onNoise: (_count, sample) => this.noise.push(sample),
      onInstalling: (detail) => this.installing.push(detail),
      ...deps,
    });
    this.transport.onmessage = (message) => {
      this.events.push('message');
      const answer = message as unknown as RawAnswer;
      this.#waiting.get(answer.id)?.(answer);
    };
    this.transport.onerror = (error) => this.errors.push(error);
    this.transport.onExit(() => this.events.push('exit'));
    this.transport.onclose = () => {
      this.events.push('close');
      this.#closed.resolve(undefined);
    };
  }

  /** Resolves when `onclose` was called. */
  get closed(): Promise<undefined> {
    return withDeadline(this.#closed.promise, patience, 'onclose');
  }

  /** Starts the process; with `initialize`, also shakes hands in the legacy era, so that the server is up. */
  async start(options: { initialize?: boolean } = {}): Promise<this> {
    await this.transport.start();
    if (options.initialize === true) {
      const clientInfo = { name: 'test', version: '1' };
      await this.ask('initialize', { protocolVersion: '2025-11-25', capabilities: {}, clientInfo });
      await this.transport.send({ jsonrpc: '2.0', method: 'notifications/initialized' });
    }
    return this;
  }

  async ask(method: string, params: Readonly<Record<string, unknown>> = {}, ms = 30_000): Promise<RawAnswer> {
    this.#lastId += 1;
    const id = this.#lastId;
    const answer = new Promise<RawAnswer>((resolve) => this.#waiting.set(id, resolve));
    await this.transport.send({ jsonrpc: '2.0', id, method, params });
    const ended = this.#closed.promise.then(() => Promise.reject(new Error(`it ended before its answer to ${method}`)));
    return withDeadline(Promise.race([answer, ended]), ms, `the answer to ${method}`);
  }

  call(name: string, args: Readonly<Record<string, unknown>> = {}): Promise<RawAnswer> {
    return this.ask('tools/call', { name, arguments: args });
  }
}

/** A server of a few lines: `script` runs in Node, with `line(text)` and `answer(id, result)` at hand for stdout. */
export function inlineServer(script: string): { readonly command: string; readonly args: readonly string[] } {
  const prelude = `
    const line = (text) => process.stdout.write(text + '\\n');
    const answer = (id, result = {}) => line(JSON.stringify({ jsonrpc: '2.0', id, result }));
    const onRequest = (handle) => {
      let held = '';
      process.stdin.on('data', (chunk) => {
        const lines = (held + chunk).split('\\n');
        held = lines.pop();
        for (const text of lines) handle(JSON.parse(text));
      });
    };
  `;
  return { command: process.execPath, args: ['-e', prelude + script] };
}
