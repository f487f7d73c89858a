// One figure of ours beside the same of others, from one run of a script.
import { type Measured, ms } from './measure.ts';
import type { Finding } from './suite.ts';

export type Found = ReadonlyMap<string, Finding>;

export interface Compared {
  readonly row: string;
  readonly what: string;
  readonly found: Found;
  /** A field of what the script says; the median where it is left out. */
  readonly of?: string;
  /** The name of our target. */
  readonly ours?: string;
  /** Behind each name, where a script says more than one thing of each. */
  readonly suffix?: string;
  /** What ours may be at most, as a multiple of each; undefined where it is only shown. */
  readonly beside: Readonly<Record<string, number | undefined>>;
  /** The multiple is the least, and not the most. */
  readonly atLeast?: boolean;
}

export function compare(compared: Compared): Measured {
  const { row, what, found, of = 'p50', ours = 'ours', suffix = '', beside, atLeast = false } = compared;
  const own = figure(found, `${ours}${suffix}`, of);
  const others = Object.entries(beside).flatMap(([name, bar]) => {
    const value = figure(found, `${name}${suffix}`, of);
    return Number.isNaN(value) ? [] : [{ name, value, bar, multiple: own / value }];
  });
  const bars = others.filter(({ bar }) => bar !== undefined);
  const isMet = ({ multiple, bar = 0 }: (typeof bars)[number]): boolean =>
    atLeast ? multiple >= bar : multiple <= bar;
  return {
    row,
    what,
    ours: shown(own, of),
    reference: others
      .map(({ name, value, multiple }) => `${multiple.toFixed(2)} x ${name} (${shown(value, of)})`)
      .join(', '),
    bar: bars.map(({ name, bar = 0 }) => `${atLeast ? '>=' : '<='} ${bar.toFixed(2)} x ${name}`).join(', '),
    met: Number.isNaN(own) ? false : bars.every(isMet),
  };
}

/** NaN where the script did not say it. */
export function figure(found: Found, target: string, field: string): number {
  const value = found.get(target)?.[field];
  return typeof value === 'number' ? value : Number.NaN;
}

function shown(value: number, of: string): string {
  if (Number.isNaN(value)) return 'failed';
  if (of === 'cpuUsPerCall') return `${value.toFixed(0)} us`;
  return of === 'perSecond' ? `${value.toFixed(0)} /s` : ms(value);
}
