import { type ChildProcessByStdio, spawn } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import type { Readable } from 'node:stream';
import { build } from 'esbuild';
import { patience } from './patience.ts';
import { withDeadline } from './withDeadline.ts';

/** Starts processes of one program beside this file; `dispose` ends all that still run and waits for them. */
export class ConfigProcesses {
  readonly #script: string;
  readonly #running = new Set<ConfigProcess>();

  private constructor(script: string) {
    this.#script = script;
  }

  /** Bundles the program into `folder` once, so that each start costs no more than Node's own. */
  static async build(
    folder: string,
    program: 'configProcess' | 'journalWindow' = 'configProcess',
  ): Promise<ConfigProcesses> {
    return new ConfigProcesses(await bundledProgram(folder, program));
  }

  start(...args: readonly string[]): ConfigProcess {
    const started = new ConfigProcess(this.#script, args);
    this.#running.add(started);
    void started.ended.then(() => this.#running.delete(started));
    return started;
  }

  async dispose(): Promise<void> {
    await Promise.all([...this.#running].map((running) => running.kill()));
  }
}

export class ConfigProcess {
  readonly #child: ChildProcessByStdio<null, Readable, Readable>;
  /** Exit code, or the signal that ended it. */
  readonly ended: Promise<number | NodeJS.Signals | null>;
  output = '';
  errors = '';

  constructor(script: string, args: readonly string[]) {
    this.#child = spawn(process.execPath, [script, ...args], { stdio: ['ignore', 'pipe', 'pipe'] });
    this.#child.stdout.setEncoding('utf8').on('data', (text: string) => (this.output += text));
    this.#child.stderr.setEncoding('utf8').on('data', (text: string) => (this.errors += text));
    this.ended = once(this.#child, 'close').then(
      ([code, signal]) => (signal as NodeJS.Signals | null) ?? (code as number | null),
    );
  }

  /** Waits until it has said this word. */
  async said(word: string): Promise<void> {
    const heard = new Promise<void>((resolve) => {
      const check = (): void => {
        if (this.output.includes(word)) resolve();
      };
      this.#child.stdout.on('data', check);
      check();
    });
    const died = this.ended.then((end) => Promise.reject(new Error(`it ended with ${end}: ${this.errors}`)));
    died.catch(() => undefined);
    await withDeadline(Promise.race([heard, died]), patience, `"${word}"`);
  }

  async kill(): Promise<void> {
    this.#child.kill('SIGKILL');
    await this.ended;
  }
}

/** A program beside this file as one of plain JavaScript in `folder`; answers its path. */
export async function bundledProgram(folder: string, program: string): Promise<string> {
  const script = join(folder, `${program}.mjs`);
  await build({
    entryPoints: [join(import.meta.dirname, `${program}.ts`)],
    outfile: script,
    bundle: true,
    platform: 'node',
    format: 'esm',
    // CommonJS packages inside an ESM bundle still call require for Node's own modules.
    banner: {
      js: "import { createRequire as r } from 'node:module'; const require = r(import.meta.url);",
    },
    mainFields: ['module', 'main'],
    logLevel: 'warning',
  });
  return script;
}
