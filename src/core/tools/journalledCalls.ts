// Notes calls in memory and, while the journal is on, on the disk before they go out (POL-3). Promises: with the journal
// off nothing waits and nothing is written; with it on, a call is among the recent ones only once its line is on the
// disk. Names of tools and callers enter the journal harmless and short; arguments, results and errors never do.
import { visibleLine } from '../../base/sanitise.ts';
import type { Journal } from '../diagnostics/journal.ts';
import { type JournalEnd, journalName, type JournalStart } from '../diagnostics/journalLines.ts';
import { limits } from '../limits.ts';
import type {
  CallEnd,
  CallEnding,
  CallRecord,
  CallStart,
  EndedCall,
  RecentCalls,
  RecordedCall,
} from './recentCalls.ts';

export class JournalledCalls implements CallRecord {
  readonly #recent: RecentCalls;
  readonly #journal: () => Journal | undefined;

  /** @param journal undefined while it is off */
  constructor(recent: RecentCalls, journal: () => Journal | undefined) {
    this.#recent = recent;
    this.#journal = journal;
  }

  begin(start: CallStart): CallEnding | Promise<CallEnding> {
    const journal = this.#journal();
    return journal === undefined ? this.#recent.begin(start) : this.#beginOnDisk(journal, start);
  }

  refuse(start: CallStart, end: CallEnd): void {
    const call = this.#recent.prepare(start);
    const ended = this.#recent.add(call)(end);
    this.#journal()?.refused(startLine(call), endLine(call, ended));
  }

  async #beginOnDisk(journal: Journal, start: CallStart): Promise<CallEnding> {
    const call = this.#recent.prepare(start);
    await journal.begin(startLine(call));
    const end = this.#recent.add(call);
    return (how) => journal.end(endLine(call, end(how)));
  }
}

function startLine({ id, startedAt, serverId, scope, tool, caller, ...start }: RecordedCall): JournalStart {
  const { decision, answer, argumentSize } = start;
  return {
    kind: 'start',
    id,
    at: startedAt,
    server: serverId,
    scope: scope.kind,
    ...(scope.kind === 'project' && { folder: visibleLine(scope.folder, limits.journal.folder) }),
    tool: journalName(tool),
    caller: caller.kind,
    callerName: journalName(caller.name),
    decision,
    ...(answer && { answer }),
    argumentSize,
  };
}

/** Field by field: what is added to a call's end later is in no journal until somebody says so here. */
function endLine({ id, startedAt }: RecordedCall, ended: EndedCall): JournalEnd {
  const { duration, outcome, code, isError, resultSize, decision, answer } = ended;
  return {
    kind: 'end',
    id,
    at: startedAt + duration,
    // The clock may have been set back meanwhile.
    duration: Math.max(0, duration),
    outcome,
    ...(code && { code }),
    ...(isError !== undefined && { isError }),
    ...(resultSize !== undefined && { resultSize }),
    ...(decision && { decision }),
    ...(answer && { answer }),
  };
}
