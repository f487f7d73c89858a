// The mark in the environment of each process that we start: it finds a process that left its group and its parent
// (CONN-8), and tells whose it was after its owner died. It opens nothing and proves nothing.
import { randomUUID } from 'node:crypto';

/** Names an owner for good: its pid and when it started, in milliseconds or the process table's unit. */
export interface MarkOwner {
  readonly pid: number;
  readonly start: number;
}

/** A new mark: `<owner's pid>.<owner's start>.<random id>`. */
export function createMark(owner: MarkOwner): string {
  return `${owner.pid}.${owner.start}.${randomUUID()}`;
}
