// Checks values against schemas that servers wrote (TOOL-3), one at a time, in a thread of its own. Promises: an
// answer within a bounded time, whatever schema and value are, and never more work here than a bounded copy. What
// cannot be checked is told as `unchecked`: it stops no call.
import type * as Threads from 'node:worker_threads';
import { type Clock, systemClock } from '../../base/clock.ts';
import { untilAborted } from '../../base/deadline.ts';
import { type Disposable, toDisposable } from '../../base/disposable.ts';
import { visibleLine } from '../../base/sanitise.ts';
import { SerialQueue } from '../../base/serialQueue.ts';
import type { JsonObject, JsonValue } from '../../contract/json.ts';
import { limits } from '../limits.ts';
import type { CheckAnswer, CheckJob, CheckRequest, Final } from './schemaMessages.ts';
import { schemaFaults, unusableSchema } from './schemaWords.ts';
import { schemaWorkerUrl } from './schemaWorkerUrl.ts';
import { sizeOf } from '../../base/sizeOf.ts';

export type Verdict =
  | { readonly kind: 'valid' }
  /** `errors` are bounded and safe to show. */
  | { readonly kind: 'invalid'; readonly errors: readonly string[] }
  | { readonly kind: 'unchecked'; readonly why: 'time' | 'size' | 'schema' | 'thread'; readonly detail: string };

/** Not imported: loading it takes each start 3 ms, and hardly any program checks a value. */
const threads = (): typeof Threads => process.getBuiltinModule('node:worker_threads');

export interface SchemaCheckerOptions {
  /** Where the thread's program is; found beside this file by default. */
  readonly worker?: URL;
  readonly clock?: Clock;
  /** Milliseconds; see limits.schemaCheck. */
  readonly patternTime?: number;
  readonly time?: number;
}

export class SchemaChecker implements Disposable {
  readonly #options: Required<SchemaCheckerOptions>;
  readonly #queue = new SerialQueue();
  #thread: Promise<Threads.Worker> | undefined;
  #idle: Disposable = toDisposable(() => undefined);
  #disposed = false;

  constructor(options: SchemaCheckerOptions = {}) {
    const { patternTime, time } = limits.schemaCheck;
    this.#options = {
      worker: schemaWorkerUrl(import.meta.url),
      clock: systemClock({ unref: true }),
      patternTime,
      time,
      ...options,
    };
  }

  /** Never rejects. Ends with `unchecked` when `signal` aborts. */
  check(schema: JsonObject, value: JsonValue, options: { signal?: AbortSignal } = {}): Promise<Verdict> {
    const { valueSize: most, perValue } = limits.schemaCheck;
    if (sizeOf(value, most, perValue) > most)
      return Promise.resolve(unchecked('size', 'the value is too large to be checked'));
    if (sizeOf(schema, most, perValue) > most)
      return Promise.resolve(unchecked('size', 'the schema is too large to be used'));
    const { signal } = options;
    const verdict = this.#queue.run(() => this.#run({ schema, value }, signal));
    return untilAborted(verdict, signal).catch(() => unchecked('thread', 'cancelled'));
  }

  dispose(): void {
    this.#disposed = true;
    this.#end();
  }

  async #run(job: CheckJob, signal: AbortSignal | undefined): Promise<Verdict> {
    if (signal?.aborted === true || this.#disposed) return unchecked('thread', 'cancelled');
    this.#idle.dispose();
    try {
      const thread = await (this.#thread ??= this.#start());
      const { clock, patternTime, time } = this.#options;
      const answer = await exchange(thread, job, { clock, ms: runsPatterns(job.schema) ? patternTime : time });
      if (answer === undefined) {
        this.#end();
        return unchecked('time', 'the schema takes too long');
      }
      this.#idle = clock.after(limits.schemaCheck.workerIdle, () => this.#end());
      return verdictOf(answer);
    } catch {
      this.#end();
      return unchecked('thread', 'the check ended by itself, or could not be started');
    }
  }

  #start(): Promise<Threads.Worker> {
    const { worker, clock } = this.#options;
    const { Worker } = threads();
    const thread = new Worker(worker, {
      // Nothing of the person's environment is of use there.
      env: {},
      execArgv: [],
      resourceLimits: { maxOldGenerationSizeMb: limits.schemaCheck.workerHeapMiB },
    });
    const started = new Promise<Threads.Worker>((resolve, reject) => {
      const fail = (error: Error): void => {
        timer.dispose();
        void thread.terminate();
        reject(error);
      };
      const timer = clock.after(limits.schemaCheck.workerStart, () =>
        fail(new Error('the schema thread did not start')),
      );
      thread.once('error', fail);
      thread.once('exit', () => {
        if (this.#thread === started) this.#thread = undefined;
        fail(new Error('the schema thread ended'));
      });
      thread.once('message', () => {
        timer.dispose();
        resolve(thread);
      });
    });
    return started;
  }

  /** Ends the thread, whatever it does. The next check starts another one. */
  #end(): void {
    this.#idle.dispose();
    const thread = this.#thread;
    this.#thread = undefined;
    thread?.then(
      (worker) => worker.terminate(),
      () => undefined,
    );
  }
}

interface Bounds {
  readonly clock: Clock;
  /** From the moment that the thread has begun. */
  readonly ms: number;
}

/** Has one job done; undefined when it took too long. Rejects when the thread ends under it. */
function exchange(thread: Threads.Worker, job: CheckJob, { clock, ms }: Bounds): Promise<Final | undefined> {
  if (thread.threadId < 0) return Promise.reject(new Error('the schema thread had ended'));
  return new Promise((resolve, reject) => {
    const { MessageChannel, receiveMessageOnPort } = threads();
    const { port1, port2 } = new MessageChannel();
    let timer: Disposable = toDisposable(() => undefined);
    const settle = (finish: () => void): void => {
      timer.dispose();
      thread.off('exit', onExit);
      thread.unref();
      port1.close();
      finish();
    };
    const onExit = (): void => settle(() => reject(new Error('the schema thread ended')));
    const onAnswer = (answer: CheckAnswer): void => {
      if (answer.kind !== 'began') settle(() => resolve(answer));
      else timer = clock.after(ms, onTime);
    };
    const onTime = (): void => {
      // This loop may have been busy itself: an answer that lies there already is in time.
      const waiting = receiveMessageOnPort(port1) as { message: Final } | undefined;
      settle(() => resolve(waiting?.message));
    };
    // A running check keeps the process alive, an idle thread does not.
    thread.ref();
    thread.once('exit', onExit);
    port1.on('message', onAnswer);
    thread.postMessage({ job, port: port2 } satisfies CheckRequest, [port2]);
  });
}

function verdictOf(answer: Final): Verdict {
  const { errors, errorLength } = limits.schemaCheck;
  if (answer.kind === 'valid') return answer;
  if (answer.kind === 'unusable') return unchecked('schema', unusableSchema(answer.text));
  const told = schemaFaults(answer.text).slice(0, errors);
  return { kind: 'invalid', errors: told.map((line) => visibleLine(line, errorLength)) };
}

/** Whether text is matched against expressions that the server wrote. */
function runsPatterns(schema: JsonObject): boolean {
  return /"(?:pattern|patternProperties|format)":/.test(JSON.stringify(schema));
}

function unchecked(why: Extract<Verdict, { kind: 'unchecked' }>['why'], detail: string): Verdict {
  return { kind: 'unchecked', why, detail };
}
