// The requirements as data. Ids never change their meaning once a test cites them: a new behaviour takes the next
// free letter of its paragraph, and the rows of measurements (QUAL) have no letters.

export interface Clause {
  /** `CFG-7a`: group, paragraph of the specification, letter of the behaviour in it; `QUAL-9`: row. */
  readonly id: string;
  /** The stage that delivers it. */
  readonly stage: number;
  /** `delivered` promises that at least one scenario, host, editor or page test cites the id. */
  readonly status: 'delivered' | 'open';
  readonly text: string;
}
