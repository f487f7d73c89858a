/**
 * Milliseconds that a test waits for what has to come: far above what a busy machine with 2 cores needs, so that only
 * a fault is ever late. A shorter bound stands only where the time itself is what a test is about.
 */
export const patience = 60_000;
