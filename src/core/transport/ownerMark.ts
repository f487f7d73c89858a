// The mark in the environment of each process that we start: it finds a process that left its group and its parent
// (CONN-8), and tells whose it was after its owner died (KEEP-5). It opens nothing and proves nothing.
import { randomUUID } from 'node:crypto';

/** Names an owner for good: its pid, when it started in the process table's unit, and where its pid means something. */
export interface MarkOwner {
  readonly pid: number;
  readonly start: number;
  /** See ProcessTable. */
  readonly namespace: number;
}

/** A new mark: `<owner's pid>.<owner's start>.<namespace>.<random id>`. */
export function createMark({ pid, start, namespace }: MarkOwner): string {
  return `${pid}.${start}.${namespace}.${randomUUID()}`;
}

/** Whose mark this is; undefined for what none of us wrote. */
export function ownerOfMark(mark: string): MarkOwner | undefined {
  const match = /^(\d{1,10})\.(\d{1,15})\.(\d{1,15})\.[0-9a-f-]{36}$/.exec(mark);
  if (!match) return undefined;
  const [pid, start, namespace] = match.slice(1, 4).map(Number) as [number, number, number];
  return { pid, start, namespace };
}

export function isSameOwner(one: MarkOwner, other: MarkOwner): boolean {
  return one.pid === other.pid && one.start === other.start && one.namespace === other.namespace;
}
