// The result of trying one server step by step (UI-4): one check each, as codes and data. Words come from
// contract/sentences.ts and contract/checkNames.ts, in the shells.
import type { ServerId } from '../../contract/serverConfig.ts';
import type { Problem } from '../connection/state.ts';
import type { DiscoveryIssue, Incomplete, OfferKind } from '../discovery/snapshot.ts';
import type { ErrorData } from '../errors.ts';
import type { CheckName, SkipReason } from '../../contract/checkNames.ts';

export type Verdict = 'ok' | 'failed' | 'skipped';

/** What one list told. */
export interface ListReport {
  readonly count: number;
  readonly issues: readonly DiscoveryIssue[];
  readonly issueCount: number;
  readonly incomplete?: Incomplete;
}

export interface Check {
  readonly name: CheckName;
  readonly verdict: Verdict;
  /** Set when the check was skipped. */
  readonly skipped?: SkipReason;
  /** Set when the check failed. */
  readonly problem?: Problem;
  /** What the check found out, such as `executable`, `pid`, `revision`, `count`. */
  readonly facts: ErrorData;
  /** Set by the checks of lists. */
  readonly list?: ListReport;
}

export interface Diagnosis {
  readonly server: ServerId;
  /** One for each check name, in order. */
  readonly checks: readonly Check[];
  /** Lines on stdout that were no protocol messages (CONN-9). */
  readonly noiseCount: number;
  /** True when no check failed. */
  readonly healthy: boolean;
}

export const listKinds: readonly OfferKind[] = ['tools', 'resources', 'resourceTemplates', 'prompts'];
