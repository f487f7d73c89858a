// The journal of calls (POL-3), as one process writes it. Promises: `begin` answers when its line is on the disk, and
// fails where it is not, within a deadline; the line of the end follows by itself, and is tried again with the next one
// where the disk refused it. Calls that begin together share one flush. Nothing here reads what was written.
import { randomBytes } from 'node:crypto';
import type { Clock } from '../../base/clock.ts';
import { withDeadline } from '../../base/deadline.ts';
import { type Deferred, deferred } from '../../base/deferred.ts';
import { ownIdentity, type ProcessFacts, systemFacts } from '../config/processIdentity.ts';
import { ManagerError } from '../errors.ts';
import { limits } from '../limits.ts';
import type { Log } from '../ports.ts';
import { systemDetail } from '../systemDetail.ts';
import { JournalFile } from './journalFile.ts';
import { journalFileName, JournalRefusal, prepareJournalFolder, pruneJournal } from './journalFolder.ts';
import { type JournalEnd, type JournalStart, lineOf } from './journalLines.ts';

export interface JournalOptions {
  readonly folder: string;
  readonly clock: Clock;
  readonly log?: Log | undefined;
  readonly facts?: ProcessFacts;
}

export class Journal {
  readonly #options: JournalOptions;
  readonly #facts: ProcessFacts;
  readonly #instance = randomBytes(8).toString('hex');
  #sequence = 0;
  #file: JournalFile | undefined;
  #queue: Line[] = [];
  /** Lines that nobody waits for and that the disk refused. */
  #owed: Line[] = [];
  #writing: Promise<void> | undefined;
  #failing = false;

  constructor(options: JournalOptions) {
    this.#options = options;
    this.#facts = options.facts ?? systemFacts;
  }

  /** Throws `journalFailed` (notSent): the call must not go out. */
  async begin(start: JournalStart): Promise<void> {
    const { clock } = this.#options;
    const { waiting, write } = limits.journal;
    if (this.#queue.length >= waiting) throw this.#failure(new JournalRefusal('too many calls wait for the disk'));
    const done = deferred<undefined>();
    this.#push({ text: lineOf(start), done });
    try {
      const onTimeout = (): Error => new JournalRefusal('the disk did not answer in time');
      await withDeadline(done.promise, { ms: write, clock, onTimeout });
    } catch (error) {
      // It may be on the disk all the same, or come there late: then it has its end there too.
      const { id, at } = start;
      const end = { kind: 'end', id, at, duration: 0, outcome: 'notSent', code: 'journalFailed' } as const;
      this.#owed.push({ text: lineOf(end) });
      throw this.#failure(error);
    }
  }

  /** Waits for nothing and never fails. */
  end(end: JournalEnd): void {
    this.#push({ text: lineOf(end) });
  }

  /** A call that never goes out: both lines, and no wait. */
  refused(start: JournalStart, end: JournalEnd): void {
    this.#push({ text: lineOf(start) + lineOf(end) });
  }

  /** Answers when no line waits for the disk any more, and lets go of the file. */
  async close(): Promise<void> {
    await this.#writing;
    await this.#letGo();
  }

  #push(line: Line): void {
    if (line.done === undefined && this.#queue.length >= 2 * limits.journal.waiting) return;
    this.#queue.push(line);
    this.#writing ??= this.#write().finally(() => (this.#writing = undefined));
  }

  /** One batch after the other; never fails. */
  async #write(): Promise<void> {
    do {
      const batch = [...this.#owed.splice(0), ...this.#queue.splice(0, atOnce)];
      const text = batch.map((line) => line.text).join('');
      try {
        const file = await this.#fileFor(Buffer.byteLength(text));
        await file.append(text);
        this.#failing = false;
        for (const { done } of batch) done?.resolve(undefined);
      } catch (error) {
        await this.#letGo();
        this.#tell(error);
        this.#owed = batch.filter(({ done }) => done === undefined).slice(-limits.journal.waiting);
        for (const { done } of batch) done?.reject(error instanceof Error ? error : new Error(String(error)));
      }
    } while (this.#queue.length > 0 || (!this.#failing && this.#owed.length > 0));
  }

  async #fileFor(bytes: number): Promise<JournalFile> {
    const file = this.#file;
    if (file !== undefined && file.size + bytes <= limits.journal.file && (await file.isInPlace())) return file;
    await this.#letGo();
    const { folder, clock } = this.#options;
    await prepareJournalFolder(folder);
    await pruneJournal(folder, this.#facts, clock.now());
    const fresh = await JournalFile.create(folder, journalFileName(clock.now(), this.#instance, this.#sequence++));
    this.#file = fresh;
    await fresh.append(lineOf({ kind: 'process', version: 1, ...(await ownIdentity(this.#facts)) }));
    return fresh;
  }

  async #letGo(): Promise<void> {
    const file = this.#file;
    this.#file = undefined;
    await file?.close();
  }

  #failure(cause: unknown): ManagerError {
    return new ManagerError('journalFailed', { folder: this.#options.folder, detail: detailOf(cause) }, { cause });
  }

  #tell(error: unknown): void {
    if (!this.#failing) this.#options.log?.warn(`The journal of calls cannot be written: ${detailOf(error)}.`);
    this.#failing = true;
  }
}

interface Line {
  readonly text: string;
  /** Where a call waits for it. */
  readonly done?: Deferred<undefined>;
}

/** Lines of one flush: they fit into one file however long they are. */
const atOnce = 100;

function detailOf(error: unknown): string {
  return error instanceof JournalRefusal ? error.message : systemDetail(error);
}
