// What the measurements share. Machines are noisy: what is compared runs side by side, in random order, round by round.
import type { SuiteOptions } from './suite.ts';

/** One line of the table. `met` is undefined where there is no bar. */
export interface Measured {
  /** Requirement id. */
  readonly row: string;
  readonly what: string;
  readonly ours: string;
  readonly reference: string;
  readonly bar: string;
  readonly met: boolean | undefined;
}

export interface MeasureOptions {
  readonly rounds: number;
  /** Where the scripts are that measure bridges; some measures need them. */
  readonly suite?: SuiteOptions | undefined;
}

const warmUps = 3;

export type Measure = (options: MeasureOptions) => Promise<readonly Measured[]>;

export function median(values: readonly number[]): number {
  const sorted = [...values].sort((one, other) => one - other);
  const middle = Math.floor(sorted.length / 2);
  const upper = sorted[middle] ?? Number.NaN;
  return sorted.length % 2 === 1 ? upper : ((sorted[middle - 1] ?? Number.NaN) + upper) / 2;
}

/** Runs every candidate once a round, in random order; answers the samples of each. */
export async function interleaved<Name extends string>(
  rounds: number,
  candidates: Readonly<Record<Name, () => Promise<number>>>,
): Promise<Readonly<Record<Name, readonly number[]>>> {
  const names = Object.keys(candidates) as Name[];
  const samples = Object.fromEntries(names.map((name) => [name, []])) as unknown as Record<Name, number[]>;
  // What is loaded, compiled or cached at the first times counts for nobody.
  for (let round = 0; round < warmUps; round++) for (const name of names) await candidates[name]();
  for (let round = 0; round < rounds; round++) {
    for (const name of shuffled(names)) samples[name].push(await candidates[name]());
  }
  return samples;
}

/** The median over rounds of one candidate's sample divided by the other's of the same round. */
export function ratio(samples: readonly number[], base: readonly number[]): number {
  return median(samples.map((value, index) => value / (base[index] ?? Number.NaN)));
}

/** The longest time, in milliseconds, for which the event loop got no turn while `work` ran. */
export async function longestBlock(work: () => Promise<unknown>): Promise<number> {
  let longest = 0;
  let running = true;
  let last = performance.now();
  const turn = (): void => {
    const now = performance.now();
    longest = Math.max(longest, now - last);
    last = now;
    if (running) setImmediate(turn);
  };
  setImmediate(turn);
  await new Promise((resolve) => setImmediate(resolve));
  longest = 0;
  try {
    await work();
  } finally {
    longest = Math.max(longest, performance.now() - last);
    running = false;
  }
  return longest;
}

export const ms = (value: number): string => `${value.toFixed(1)} ms`;
export const times = (value: number): string => `${value.toFixed(2)} x`;
export const kib = (bytes: number): string => `${(bytes / 1024).toFixed(0)} KiB`;

function shuffled<T>(items: readonly T[]): readonly T[] {
  return items
    .map((item) => ({ item, key: Math.random() }))
    .sort((one, other) => one.key - other.key)
    .map(({ item }) => item);
}
