// The way down for a server and all it started (CONN-8): end of stdin, then asking, then killing, each rung only for
// what is left. Answers when nothing is left, or at the last deadline with what could not be ended. Never throws.
import type { Clock } from '../../base/clock.ts';
import { deferred } from '../../base/deferred.ts';
import { limits } from '../limits.ts';
import type { ProcessInfo, StopSignal } from './processTable.ts';
import type { ProcessTree } from './processTree.ts';

/** Milliseconds from rung to rung, and for the last one. */
export interface LadderTimes {
  readonly toTerminate: number;
  readonly toKill: number;
  readonly sweep: number;
}

export interface LadderOptions {
  readonly tree: Pick<ProcessTree, 'scan' | 'alive' | 'signal' | 'findsOrphansLate'>;
  readonly clock: Clock;
  readonly times: LadderTimes;
  /** The first rung. */
  readonly endStdin: () => void;
  /** Kills the direct child by the handle of its start: for one that no listing shows and that has not ended. */
  readonly killRoot: () => void;
  /** Resolves at the exit of the direct child. */
  readonly rootEnded: Promise<void>;
}

/** How far it had to go, and what is left: nothing unless the system refused to end something. */
export interface StopOutcome {
  readonly rung: 'endOfInput' | StopSignal;
  readonly left: readonly ProcessInfo[];
  /** The end of the direct child was not seen. */
  readonly rootPending: boolean;
}

export async function stopTree(options: LadderOptions): Promise<StopOutcome> {
  const { rootEnded, times, clock, killRoot } = options;
  const outcome = await climbDown(options);
  // Ended is not yet reaped: the exit code of the direct child has to be read.
  if (await settlesWithin(rootEnded, outcome.left.length > 0 ? 0 : times.sweep, clock)) {
    return { ...outcome, rootPending: false };
  }
  killRoot();
  return { ...outcome, rung: 'kill', rootPending: !(await settlesWithin(rootEnded, times.sweep, clock)) };
}

async function climbDown(options: LadderOptions): Promise<Omit<StopOutcome, 'rootPending'>> {
  const { tree, times, endStdin } = options;
  // What a process started is found by its parent, as long as that one lives.
  if (!tree.findsOrphansLate) await tree.scan();
  endStdin();
  let left = await untilGone(options, times.toTerminate);
  if (left.length === 0) return { rung: 'endOfInput', left };
  await tree.signal(left, 'terminate');
  left = await untilGone(options, times.toKill);
  if (left.length === 0) return { rung: 'terminate', left };
  left = await untilGone(options, times.sweep, 'kill');
  return { rung: 'kill', left };
}

/**
 * `stop` (`timeouts.stop`) is the time from the end of stdin to killing, in milliseconds, bounded by
 * `limits.stop.toKillAtMost`; its parts keep their ratio.
 */
export function ladderTimes(stop: number | undefined): LadderTimes {
  const { toTerminate, toKill, sweep, toKillAtMost } = limits.stop;
  const scale = stop === undefined ? 1 : Math.min(stop, toKillAtMost) / (toTerminate + toKill);
  return { toTerminate: Math.round(toTerminate * scale), toKill: Math.round(toKill * scale), sweep };
}

/**
 * What still runs after at most `ms`. With `signal` whatever is found gets it, again and again: a tree that forks
 * faster than it is read is caught in the end.
 */
async function untilGone(options: LadderOptions, ms: number, signal?: StopSignal): Promise<readonly ProcessInfo[]> {
  const { tree, clock, rootEnded } = options;
  const time = { over: false };
  const isOver = deferred<undefined>();
  const deadline = clock.after(ms, () => {
    time.over = true;
    isOver.resolve(undefined);
  });
  try {
    if (signal === undefined && !(await settlesWithin(rootEnded, ms, clock))) return await remaining(tree);
    for (let pause = firstPause; ; pause = Math.min(2 * pause, longestPause)) {
      const known = signal === undefined ? await tree.alive() : [];
      const left = known.length > 0 ? known : await remaining(tree);
      if (left.length === 0) return left;
      if (time.over) return await remaining(tree);
      if (signal !== undefined) await tree.signal(left, signal);
      await settlesWithin(isOver.promise, pause, clock);
    }
  } finally {
    deadline.dispose();
  }
}

/**
 * A listing is no instant: a process that forked and ended while it was made may have escaped it together with its
 * child. Nothing is left when two listings say so; where one is slow and shows orphans anyway, one is enough.
 */
async function remaining(tree: LadderOptions['tree']): Promise<readonly ProcessInfo[]> {
  const left = await tree.scan();
  return left.length > 0 || tree.findsOrphansLate ? left : tree.scan();
}

const firstPause = 4;
const longestPause = 50;

/** Whether `work` settles within `ms`. */
function settlesWithin(work: Promise<unknown>, ms: number, clock: Clock): Promise<boolean> {
  return new Promise((resolve) => {
    const timer = clock.after(ms, () => resolve(false));
    const settled = (): void => {
      timer.dispose();
      resolve(true);
    };
    work.then(settled, settled);
  });
}
