// The last calls, for display: in memory, bounded, without arguments or results. A call is noted before it goes out
// (POL-3), and promises nothing beyond this process.
import type { Clock } from '../../base/clock.ts';
import { Emitter, type Event } from '../../base/event.ts';
import type { ErrorCode } from '../../contract/errorCodes.ts';
import type { PolicyWord } from '../../contract/serverConfig.ts';
import type { ServerKey } from '../config/model.ts';
import type { Outcome } from '../errors.ts';
import { limits } from '../limits.ts';
import type { Caller } from '../ports.ts';

export interface CallStart {
  readonly server: ServerKey;
  readonly tool: string;
  readonly caller: Caller;
  readonly decision: PolicyWord;
  /** About how large, in UTF-16 units. */
  readonly argumentSize: number;
}

export interface CallEnd {
  readonly outcome: Outcome;
  /** Absent when a result came back. */
  readonly code?: ErrorCode;
  /** Whether the result says `isError`. */
  readonly isError?: boolean;
  readonly resultSize?: number;
}

export interface RecordedCall extends CallStart {
  readonly id: number;
  /** Milliseconds since the epoch. */
  readonly startedAt: number;
  readonly end?: CallEnd & { /** Milliseconds. */ readonly duration: number };
}

/** Where the router notes its calls. A record that cannot be begun throws, and the call does not go out. */
export interface CallRecord {
  begin(start: CallStart): (end: CallEnd) => void;
}

export class RecentCalls implements CallRecord {
  readonly #clock: Clock;
  readonly #most: number;
  readonly #changed = new Emitter<RecordedCall>();
  #calls: RecordedCall[] = [];
  #lastId = 0;

  constructor(clock: Clock, most: number = limits.recentCalls) {
    this.#clock = clock;
    this.#most = most;
  }

  /** A call began or ended. */
  readonly onDidChange: Event<RecordedCall> = this.#changed.event;

  /** The oldest first. */
  get calls(): readonly RecordedCall[] {
    return this.#calls;
  }

  begin(start: CallStart): (end: CallEnd) => void {
    this.#lastId += 1;
    const call: RecordedCall = { ...start, id: this.#lastId, startedAt: this.#clock.now() };
    this.#calls = [...this.#calls, call].slice(-this.#most);
    this.#changed.fire(call);
    return (end) => {
      const ended = { ...call, end: { ...end, duration: this.#clock.now() - call.startedAt } };
      this.#calls = this.#calls.map((other) => (other.id === call.id ? ended : other));
      this.#changed.fire(ended);
    };
  }
}
