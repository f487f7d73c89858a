import { PassThrough } from 'node:stream';
import type { Host } from '../../src/cli/host.ts';

export interface FakeHost extends Host {
  readonly written: { out: string; err: string };
  /** Ends the program early, as a signal does. */
  interrupt(code: number): void;
}

/** A host that keeps what is written. */
export function fakeHost(options: { stdin?: string; errIsTerminal?: boolean; cwd?: string } = {}): FakeHost {
  const written = { out: '', err: '' };
  const controller = new AbortController();
  let interruptedBy: number | undefined;
  return {
    written,
    out: (text) => void (written.out += text),
    err: (text) => void (written.err += text),
    errIsTerminal: options.errIsTerminal ?? false,
    readInput: (limit) => {
      const text = options.stdin ?? '';
      return text.length > limit ? Promise.reject(new RangeError('too long')) : Promise.resolve(text);
    },
    wire: { input: new PassThrough(), output: new PassThrough(), abandon: () => undefined },
    cwd: options.cwd ?? '/home/me/project',
    userHome: '/home/me',
    env: {},
    signal: controller.signal,
    interruptedBy: () => interruptedBy,
    interrupt: (code) => {
      interruptedBy ??= code;
      controller.abort(new Error('interrupted'));
    },
  };
}
