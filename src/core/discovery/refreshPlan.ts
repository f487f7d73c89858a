// When lists are read again, and which reading may be published (DISC-4): a pure plan, told what happens.
// One epoch grows with every wish; one reading runs at a time; bursts fall together; the rate is bounded.
import type { OfferKind } from './snapshot.ts';

export interface RefreshPlan {
  /** Grows by one with each wish: initial discovery, change notification, explicit refresh. */
  readonly epoch: number;
  /** Lists to be read next. */
  readonly wanted: ReadonlySet<OfferKind>;
  /** When the first of the waiting wishes came, in milliseconds. */
  readonly wantedSince: number;
  /** A person, or the first discovery, waits: neither coalesced nor held by the rate. */
  readonly urgent: boolean;
  readonly running?: { readonly epoch: number; readonly kinds: ReadonlySet<OfferKind> };
  /** The last reading was overtaken and not published: the next one is, whatever comes meanwhile. */
  readonly heldBack: boolean;
  /** When the readings of the last minute began. */
  readonly starts: readonly number[];
}

export interface RefreshPace {
  /** Wishes within so many milliseconds become one reading. */
  readonly coalesce: number;
  readonly perMinute: number;
}

export const idlePlan: RefreshPlan = {
  epoch: 0,
  wanted: new Set(),
  wantedSince: 0,
  urgent: false,
  heldBack: false,
  starts: [],
};

export function wish(
  plan: RefreshPlan,
  kinds: Iterable<OfferKind>,
  at: { readonly now: number; readonly urgent: boolean },
): RefreshPlan {
  return {
    ...plan,
    epoch: plan.epoch + 1,
    wanted: new Set([...plan.wanted, ...kinds]),
    wantedSince: plan.wanted.size === 0 ? at.now : plan.wantedSince,
    urgent: plan.urgent || at.urgent,
  };
}

/** When the next reading may begin; undefined while one runs or nothing is wanted. */
export function nextStart(plan: RefreshPlan, pace: RefreshPace, now: number): number | undefined {
  if (plan.running !== undefined || plan.wanted.size === 0) return undefined;
  if (plan.urgent) return now;
  const recent = plan.starts.filter((start) => start > now - minute);
  const oldest = recent[recent.length - pace.perMinute];
  // What was held back waits for this reading: the rate must not keep it from being shown.
  const freeAt = oldest === undefined || plan.heldBack ? now : oldest + minute;
  return Math.max(plan.wantedSince + pace.coalesce, freeAt, now);
}

export function begin(plan: RefreshPlan, now: number): RefreshPlan {
  return {
    ...plan,
    wanted: new Set(),
    urgent: false,
    running: { epoch: plan.epoch, kinds: plan.wanted },
    starts: [...plan.starts.filter((start) => start > now - minute), now],
  };
}

export interface Finished {
  readonly plan: RefreshPlan;
  /** Whether a snapshot is published now. */
  readonly publish: boolean;
}

/**
 * The running reading ended. One that was overtaken by a newer epoch is not published, since the next one follows at
 * once; but never two in a row: a server that changes at every look is shown all the same.
 */
export function finish(plan: RefreshPlan): Finished {
  const { running, ...rest } = plan;
  const overtaken = running !== undefined && running.epoch !== plan.epoch && plan.wanted.size > 0;
  const heldBack = overtaken && !plan.heldBack;
  return { plan: { ...rest, heldBack }, publish: !heldBack };
}

const minute = 60_000;
