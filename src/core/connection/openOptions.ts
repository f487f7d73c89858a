// What opening a connection needs from the outside.
import type { Clock } from '../../base/clock.ts';
import type { TimeoutOverrides } from '../../contract/serverConfig.ts';
import type { Log } from '../ports.ts';
import type { ChildOwner } from '../transport/childOwner.ts';
import type { InheritedEnvironment } from '../transport/environment.ts';
import type { ServerRequestHandlers } from './liveClient.ts';
import type { VerdictCache } from './verdictCache.ts';

export interface OpenOptions {
  /** Gives up the attempt; everything it started is gone when the promise settles. */
  readonly signal: AbortSignal;
  readonly clock: Clock;
  readonly handlers: ServerRequestHandlers;
  readonly verdicts: VerdictCache;
  readonly environment: InheritedEnvironment;
  readonly log: Log;
  /** Sees to it that no process stays should this one be killed (KEEP-5). */
  readonly owner?: ChildOwner | undefined;
  /** The server's time-outs as they stand now: changing them reconnects nothing (CFG-10). Absent: those of the launch. */
  readonly timeouts?: (() => TimeoutOverrides) | undefined;
  /**
   * One decision starts one process (TRUST-2): asked before each that follows the first of an attempt. Fails where what is
   * on disk by then is another launch, or may not run. Absent where nobody decides.
   */
  confirm?(): Promise<void>;
  /** Lines of the actual process; never of a probe. */
  onStderr(line: string): void;
  /** Lines on stdout that were no messages: how many so far, and the newest. */
  onNoise(count: number, sample: string): void;
  /** A launcher visibly installs something: the deadline is extended (CONN-6). */
  onInstalling(detail: string): void;
}
