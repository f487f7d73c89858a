// What the journal says of calls, of all processes (POL-3). Promises: a call without an end is `lost` only where its
// process is certainly gone, judged before its lines were read, so that nothing can have been added meanwhile; nothing is
// changed and nothing is ever run again. Torn, foreign and later lines are passed over.
import { type ProcessFacts, systemFacts } from '../config/processIdentity.ts';
import { limits } from '../limits.ts';
import { systemDetail } from '../systemDetail.ts';
import { journalFiles, JournalRefusal, readJournalFile, standings } from './journalFolder.ts';
import { entryOf, type JournalEnd, type JournalStart } from './journalLines.ts';

export interface JournalledCall {
  readonly start: JournalStart;
  /** `lost`: its process is gone and nobody knows how far it got. `open`: it may still run. */
  readonly end: JournalEnd | 'open' | 'lost';
}

export interface JournalReading {
  /** The newest ones, the oldest of them first. */
  readonly calls: readonly JournalledCall[];
  /** Why something could not be read, as the end of a sentence. */
  readonly fault?: string;
}

export async function readJournal(folder: string, facts: ProcessFacts = systemFacts): Promise<JournalReading> {
  const starts = new Map<string, { readonly start: JournalStart; readonly instance: string }>();
  const ends = new Map<string, JournalEnd>();
  try {
    const known = await standings(await journalFiles(folder), facts);
    for (const { path, instance } of await journalFiles(folder)) {
      for (const line of (await textOf(path)).split('\n')) {
        const entry = entryOf(line);
        if (entry?.kind === 'start') starts.set(entry.id, { start: entry, instance });
        if (entry?.kind === 'end') ends.set(entry.id, entry);
      }
    }
    const calls = [...starts.values()].map(({ start, instance }): JournalledCall => {
      return { start, end: ends.get(start.id) ?? (known.get(instance) === 'gone' ? 'lost' : 'open') };
    });
    return { calls: calls.sort((a, b) => a.start.at - b.start.at).slice(-limits.journal.shown) };
  } catch (error) {
    return { calls: [], fault: error instanceof JournalRefusal ? error.message : systemDetail(error) };
  }
}

/** One that another window has just removed has nothing to say. */
async function textOf(path: string): Promise<string> {
  return readJournalFile(path).catch((error: unknown) => {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return '';
    throw error;
  });
}
