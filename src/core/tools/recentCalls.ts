// The last calls, for display: in memory, bounded, without arguments or results. A call is noted before it goes out
// (POL-3), and promises nothing beyond this process.
import type { Clock } from '../../base/clock.ts';
import { Emitter, type Event } from '../../base/event.ts';
import type { ErrorCode } from '../../contract/errorCodes.ts';
import type { ConfigScope, PolicyWord, ServerId } from '../../contract/serverConfig.ts';
import type { ServerKey } from '../config/model.ts';
import type { Outcome } from '../errors.ts';
import { limits } from '../limits.ts';
import type { Caller, Consent } from '../ports.ts';

export interface CallStart {
  readonly server: ServerKey;
  readonly serverId: ServerId;
  readonly scope: ConfigScope;
  readonly tool: string;
  readonly caller: Caller;
  readonly decision: PolicyWord;
  /** Where the policy is `ask`: what a person said that let the call go out. Absent where nothing did. */
  readonly answer?: Consent;
  /** About how large, in UTF-16 units, up to `limits.recentCalls.measured`. */
  readonly argumentSize: number;
}

export interface CallEnd {
  readonly outcome: Outcome;
  /** Absent when a result came back. */
  readonly code?: ErrorCode;
  /** Whether the result says `isError`. */
  readonly isError?: boolean;
  /** As `argumentSize`. */
  readonly resultSize?: number;
  /** What held when the call went out, where the start was written down before that and the policy may have changed. */
  readonly decision?: PolicyWord;
  readonly answer?: Consent;
}

export type CallEnding = (end: CallEnd) => void;

export interface RecordedCall extends CallStart {
  /** Differs from every other one's, also of other processes. */
  readonly id: string;
  /** Milliseconds since the epoch. */
  readonly startedAt: number;
  readonly end?: EndedCall;
}

export interface EndedCall extends CallEnd {
  /** Milliseconds. */
  readonly duration: number;
}

/** Where the router notes its calls. */
export interface CallRecord {
  /**
   * Before the call goes out. A promise where it is written to the disk: the call waits for it. It fails with a
   * ManagerError where it could not be written; then nothing is noted and the call must not go out.
   */
  begin(start: CallStart): CallEnding | Promise<CallEnding>;
  /** A call that never goes out. Waits for nothing and never fails. */
  refuse(start: CallStart, end: CallEnd): void;
}

export class RecentCalls implements CallRecord {
  readonly #clock: Clock;
  readonly #most: number;
  readonly #changed = new Emitter<RecordedCall>();
  readonly #instance = crypto.randomUUID();
  /** By their ids, the oldest first. */
  readonly #calls = new Map<string, RecordedCall>();
  #lastId = 0;

  constructor(clock: Clock, most: number = limits.recentCalls.kept) {
    this.#clock = clock;
    this.#most = most;
  }

  /** A call began or ended. */
  readonly onDidChange: Event<RecordedCall> = this.#changed.event;

  /** The oldest first. */
  get calls(): readonly RecordedCall[] {
    return [...this.#calls.values()];
  }

  /** A call of now, which is not among the calls yet. */
  prepare({ server, serverId, scope, tool, caller, decision, answer, argumentSize }: CallStart): RecordedCall {
    this.#lastId += 1;
    const id = `${this.#instance}-${this.#lastId}`;
    const of = { id, server, serverId, scope, tool, caller, decision, argumentSize, startedAt: this.#clock.now() };
    return answer === undefined ? of : { ...of, answer };
  }

  /** Puts it among the calls; what it gives back ends it and tells how. */
  add(call: RecordedCall): (end: CallEnd) => EndedCall {
    this.#calls.set(call.id, call);
    const [oldest] = this.#calls.size > this.#most ? this.#calls.keys() : [];
    if (oldest !== undefined) this.#calls.delete(oldest);
    this.#changed.fire(call);
    return (end) => {
      const ended = { ...call, end: { ...end, duration: this.#clock.now() - call.startedAt } };
      if (this.#calls.has(call.id)) this.#calls.set(call.id, ended);
      this.#changed.fire(ended);
      return ended.end;
    };
  }

  begin(start: CallStart): CallEnding {
    return this.add(this.prepare(start));
  }

  refuse(start: CallStart, end: CallEnd): void {
    this.add(this.prepare(start))(end);
  }
}
