import type { JournalEnd, JournalStart } from '../../src/core/diagnostics/journalLines.ts';

/** The line of a call that is about to go out. */
export function journalStart(id: string, at = 1): JournalStart {
  const names = { server: 's', scope: 'user', tool: 'echo', caller: 'tree', callerName: 'you' } as const;
  return { kind: 'start', id, at, ...names, decision: 'allow', argumentSize: 4 };
}

/** The line of its end. */
export function journalEnd(id: string): JournalEnd {
  return { kind: 'end', id, at: 2, duration: 1, outcome: 'completed' };
}
