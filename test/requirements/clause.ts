// The requirements as data. Ids never change their meaning once a test cites them: a new behaviour takes the next
// free letter of its paragraph, and the rows of measurements (QUAL) have no letters.

export interface Clause {
  /** `CFG-7a`: group, paragraph of the specification, letter of the behaviour in it; `QUAL-9`: row. */
  readonly id: string;
  /** The stage that delivers it. */
  readonly stage: number;
  /** `delivered` promises that at least one scenario, host, editor or page test cites the id, or that there is `evidence`. */
  readonly status: 'delivered' | 'open';
  readonly text: string;
  /** What shows it besides the tests that cite it, or in their place. The manifest's test checks that it is there. */
  readonly evidence?: Evidence;
}

export type Evidence =
  /** A measure of `npm run bench`, by its name there: figures decide no test. */
  | { readonly kind: 'bench'; readonly target: string }
  /** A unit test that cites the id, where no test of the real thing can run; `why` says what stands in its way. */
  | { readonly kind: 'unit'; readonly file: string; readonly why: string };
