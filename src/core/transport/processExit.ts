/** How a process ended. */
export interface ProcessExit {
  readonly code: number | null;
  readonly signal: NodeJS.Signals | null;
}

/** The same in words, for the place `{exit}` of a sentence. */
export function describeExit({ code, signal }: ProcessExit): string {
  return signal === null ? `code ${code ?? '?'}` : `signal ${signal}`;
}
