// A process on stdio as it really is: its bytes, its lines and its end, with no SDK in between.
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import type { JsonObject } from '../../src/contract/json.ts';
import { eventually } from './eventually.ts';
import type { FixtureCommand } from './fixtureServer.ts';
import { patience } from './patience.ts';
import { withDeadline } from './withDeadline.ts';

export interface RawPeer {
  readonly pid: number;
  /** What stdout brought so far, as read and as lines. */
  readonly chunks: readonly Buffer[];
  lines(): string[];
  stderr(): string;
  send(message: JsonObject): void;
  /** Sends a request and resolves with the first answer to it. */
  ask(method: string, params?: JsonObject): Promise<JsonObject>;
  /** The handshake of the older era. */
  initialize(): Promise<JsonObject>;
  /** The messages of that method so far. */
  received(method: string): JsonObject[];
  /** Whether nobody holds its stdout open any more. */
  outputEnded(): boolean;
  endInput(): void;
  kill(signal: NodeJS.Signals): void;
  /** Resolves when the process has ended (not when its pipes have); each wait for it has a deadline. */
  readonly ended: Promise<{ readonly code: number | null; readonly signal: string | null }>;
}

/** What each request of the newer era carries in `_meta`. */
export const modernEnvelope: JsonObject = {
  'io.modelcontextprotocol/protocolVersion': '2026-07-28',
  'io.modelcontextprotocol/clientInfo': { name: 'raw', version: '1' },
  'io.modelcontextprotocol/clientCapabilities': {},
};

export function startRawPeer({ command, args }: FixtureCommand, env: Record<string, string> = {}): RawPeer {
  const child = spawn(command, args, { stdio: 'pipe', env: { ...process.env, ...env } });
  const exit = once(child, 'exit').then(([code, signal]) => ({
    code: code as number | null,
    signal: signal as string | null,
  }));
  const chunks: Buffer[] = [];
  const errors: Buffer[] = [];
  child.stdout.on('data', (chunk: Buffer) => chunks.push(chunk));
  child.stderr.on('data', (chunk: Buffer) => errors.push(chunk));
  child.stdin.on('error', () => undefined); // The peer may end first.
  const lines = () => Buffer.concat(chunks).toString().split('\n').slice(0, -1);
  const messages = () => lines().flatMap(parsed);
  let lastId = 0;
  const send = (message: JsonObject) => child.stdin.write(`${JSON.stringify({ jsonrpc: '2.0', ...message })}\n`);
  const ask = async (method: string, params: JsonObject = {}) => {
    const id = (lastId += 1);
    send({ id, method, params });
    return eventually(() => messages().find((each) => each['id'] === id), patience, `an answer to ${method}`);
  };
  return {
    pid: child.pid!,
    chunks,
    lines,
    stderr: () => Buffer.concat(errors).toString(),
    send,
    ask,
    initialize: async () => {
      const clientInfo = { name: 'raw', version: '1' };
      const answer = await ask('initialize', { protocolVersion: '2025-11-25', capabilities: {}, clientInfo });
      send({ method: 'notifications/initialized' });
      return answer;
    },
    received: (method) => messages().filter((each) => each['method'] === method),
    outputEnded: () => child.stdout.readableEnded,
    endInput: () => child.stdin.end(),
    kill: (signal) => void child.kill(signal),
    get ended() {
      return withDeadline(exit, patience, 'the end of the process');
    },
  };
}

function parsed(line: string): JsonObject[] {
  try {
    const value: unknown = JSON.parse(line);
    return typeof value === 'object' && value !== null && !Array.isArray(value) ? [value as JsonObject] : [];
  } catch {
    return [];
  }
}
