// Remembers which era a stdio server spoke, by launch fingerprint, so that `auto` need not probe at every start
// (CONN-2). A verdict lapses, is bounded in number, and is only ever a hint: the process that runs now has to
// confirm it. The pin never reads it.
import type { PriorDiscovery } from '@modelcontextprotocol/client';
import type { Clock } from '../../base/clock.ts';
import { limits } from '../limits.ts';
import type { LaunchFingerprint } from '../transport/launch.ts';

export type Verdict = PriorDiscovery;

export class VerdictCache {
  readonly #clock: Clock;
  readonly #kept = new Map<LaunchFingerprint, { readonly verdict: Verdict; readonly until: number }>();

  constructor(clock: Clock) {
    this.#clock = clock;
  }

  get(fingerprint: LaunchFingerprint): Verdict | undefined {
    const entry = this.#kept.get(fingerprint);
    if (entry === undefined) return undefined;
    if (this.#clock.now() < entry.until) return entry.verdict;
    this.#kept.delete(fingerprint);
    return undefined;
  }

  keep(fingerprint: LaunchFingerprint, verdict: Verdict): void {
    this.#kept.delete(fingerprint);
    this.#kept.set(fingerprint, { verdict, until: this.#clock.now() + limits.probe.verdictLifetime });
    const oldest = this.#kept.keys().next();
    if (this.#kept.size > limits.probe.verdictsKept && oldest.done !== true) this.#kept.delete(oldest.value);
  }

  forget(fingerprint: LaunchFingerprint): void {
    this.#kept.delete(fingerprint);
  }
}
