// Turns recorded calls into what the page of recent calls shows. Pure. This window's calls stand as memory has them; the
// journal adds what memory does not know: earlier ones and those of other windows.
import { basename } from 'node:path';
import { sizeText } from '../../base/sizeText.ts';
import type { CallsView, ShownCall } from '../../contract/callsMessages.ts';
import type { ConfigScope } from '../../contract/serverConfig.ts';
import type { JournalledCall, JournalReading } from '../../core/diagnostics/readJournal.ts';
import { limits } from '../../core/limits.ts';
import type { RecordedCall } from '../../core/tools/recentCalls.ts';
import { durationText } from '../results/resultView.ts';
import type { Translate } from '../translate.ts';
import { callOutcome, type Ended } from './callOutcome.ts';

/** Of the journal; undefined while it is off. */
export interface JournalShown extends JournalReading {
  readonly folder: string;
}

export function callsView(recent: readonly RecordedCall[], journal: JournalShown | undefined, t: Translate): CallsView {
  const known = new Set(recent.map(({ id }) => id));
  // Calls of this window that memory let go of have its name in theirs.
  const windowOf = (id: string): string => id.replace(/\d+$/, '');
  const isOwn = (id: string): boolean => recent[0] !== undefined && windowOf(id) === windowOf(recent[0].id);
  const earlier = (journal?.calls ?? []).filter(({ start }) => !known.has(start.id));
  const all = [
    ...recent.map((call) => shown(factsOf(call), t)),
    ...earlier.map((call) => shown(journalled(call, isOwn), t)),
  ];
  return {
    calls: all.sort((a, b) => b.at - a.at).slice(0, limits.journal.shown),
    storage: storageText(journal, t),
    ...(journal?.fault !== undefined && {
      fault: t('The journal cannot be read: {detail}.', { detail: journal.fault }),
    }),
    words: wordsOf(t),
  };
}

/** What a server is called in the list: a project's one with its folder, since journals hold those of many. */
export function serverLabel(id: string, scope: ConfigScope): string {
  return scope.kind === 'user' ? id : labelOf(id, scope.folder);
}

function labelOf(id: string, folder: string | undefined): string {
  return folder === undefined ? id : `${id} · ${basename(folder)}`;
}

interface CallFacts {
  readonly id: string;
  readonly at: number;
  readonly server: string;
  readonly tool: string;
  readonly caller: RecordedCall['caller'];
  readonly decision: RecordedCall['decision'];
  readonly answer: RecordedCall['answer'] | undefined;
  readonly argumentSize: number;
  readonly end: (Ended & EndFigures) | 'running' | 'elsewhere' | 'lost';
}

interface EndFigures {
  readonly duration: number;
  readonly resultSize?: number | undefined;
}

function factsOf({ id, startedAt, serverId, scope, end, ...call }: RecordedCall): CallFacts {
  const { tool, caller, argumentSize } = call;
  return {
    id,
    at: startedAt,
    server: serverLabel(serverId, scope),
    tool,
    caller,
    decision: end?.decision ?? call.decision,
    answer: end?.answer ?? call.answer,
    argumentSize,
    end: end ?? 'running',
  };
}

function journalled({ start, end }: JournalledCall, isOwn: (id: string) => boolean): CallFacts {
  const { id, at, tool, argumentSize } = start;
  const ended = typeof end === 'object' ? end : undefined;
  return {
    id,
    at,
    server: labelOf(start.server, start.folder),
    tool,
    caller: { kind: start.caller, name: start.callerName },
    decision: ended?.decision ?? start.decision,
    answer: ended?.answer ?? start.answer,
    argumentSize,
    end: ended ?? (end === 'lost' ? 'lost' : isOwn(id) ? 'running' : 'elsewhere'),
  };
}

function shown({ id, at, server, tool, caller, argumentSize, ...facts }: CallFacts, t: Translate): ShownCall {
  const { end } = facts;
  const ended = typeof end === 'object' ? end : undefined;
  return {
    id,
    at,
    server,
    tool,
    caller: callerText(caller, t),
    decision: decisionText(facts, t),
    duration: ended === undefined ? '' : durationText(ended.duration, t),
    sent: shortSize(argumentSize),
    received: ended?.resultSize === undefined ? '' : shortSize(ended.resultSize),
    ...callOutcome(end, t, caller.kind),
  };
}

function callerText({ kind, name }: RecordedCall['caller'], t: Translate): string {
  switch (kind) {
    case 'tree':
      return t('You');
    case 'commandLine':
      return t('Command line');
    case 'api':
      return t('Extension {name}', { name });
    case 'gateway':
      return t('Agent {name}', { name });
  }
}

function decisionText({ decision, answer }: Pick<CallFacts, 'decision' | 'answer'>, t: Translate): string {
  switch (decision) {
    case 'deny':
      return t('Denied');
    case 'allow':
      return t('Allowed');
    case 'ask':
      return answerText(answer, t);
  }
}

function answerText(answer: CallFacts['answer'], t: Translate): string {
  switch (answer) {
    case 'once':
      return t('Asked: allowed once');
    case 'window':
      return t('Asked: allowed for this window');
    case undefined:
      return t('Asked: not allowed');
  }
}

/** Sizes are measured roughly, and up to a bound. Short, as a column of figures is. */
function shortSize(size: number): string {
  const { measured } = limits.recentCalls;
  const shown = sizeText(Math.min(size, measured)).replace('bytes', 'B');
  return size > measured ? `> ${shown}` : `≈ ${shown}`;
}

function storageText(journal: JournalShown | undefined, t: Translate): string {
  return journal === undefined
    ? t('Kept in memory only, and gone when this window closes.')
    : t('Written to a journal in {folder} before each call goes out; kept when this window closes.', {
        folder: journal.folder,
      });
}

function wordsOf(t: Translate): CallsView['words'] {
  return {
    title: t('Recent Calls'),
    setting: t('Journal Setting'),
    filter: t('Filter'),
    server: t('Server'),
    allServers: t('All servers'),
    counted: t('{shown} of {count} calls'),
    empty: t('No tool was called yet. Calls show here as they happen, with what was decided and how they ended.'),
    noMatch: t('No call fits the filter.'),
    columns: {
      time: t('Time'),
      server: t('Server'),
      tool: t('Tool'),
      caller: t('Called by'),
      decision: t('Decision'),
      duration: t('Duration'),
      sent: t('Arguments'),
      received: t('Received'),
      outcome: t('Outcome'),
    },
  };
}
