// The journal of calls (POL-3), as one process writes it. Promises: `begin` answers when its line is on the disk, and
// fails where it is not, within a deadline; the line of the end follows by itself, and is tried again with the next one,
// or at the end, where the disk refused it. What is started in the file ends there, or a warning says that it does not.
// Calls that begin together share one flush. Nothing here reads what was written.
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
  /** Lines that are in no file yet: those that calls wait for, and those that the disk owes us. */
  #queue: Line[] = [];
  #writing: Promise<void> | undefined;
  #failing = false;
  /** Lines that were given up for want of room, since the disk last took one. */
  #lost = 0;

  constructor(options: JournalOptions) {
    this.#options = options;
    this.#facts = options.facts ?? systemFacts;
  }

  /** Throws `journalFailed` (notSent): the call must not go out. */
  async begin(start: JournalStart): Promise<void> {
    const { clock } = this.#options;
    const { waiting, write } = limits.journal;
    const before = this.#queue.filter(isAwaited).length;
    if (before >= waiting) throw this.#failure(new JournalRefusal('too many calls wait for the disk'));
    const done = deferred<undefined>();
    const line: Line = { text: lineOf(start), done };
    this.#push(line);
    try {
      const onTimeout = (): Error => new JournalRefusal('the disk did not answer in time');
      await withDeadline(done.promise, { ms: write, clock, onTimeout });
    } catch (error) {
      const at = this.#queue.indexOf(line);
      if (at >= 0) this.#queue.splice(at, 1);
      else this.#owe({ text: notSent(start), spare: true });
      throw this.#failure(error);
    }
  }

  /** Waits for nothing and never fails. */
  end(end: JournalEnd): void {
    this.#push({ text: lineOf(end) });
  }

  /** A call that never goes out: both lines, and no wait. */
  refused(start: JournalStart, end: JournalEnd): void {
    this.#push({ text: lineOf(start) + lineOf(end), spare: true });
  }

  /** Answers when no line waits for the disk any more, or the disk takes none, and lets go of the file. */
  async close(): Promise<void> {
    const { clock } = this.#options;
    const onTimeout = (): Error => new JournalRefusal('the disk did not answer in time');
    await withDeadline(this.#end(), { ms: limits.journal.write, clock, onTimeout }).catch((error: unknown) => {
      this.#tell(error);
    });
  }

  async #end(): Promise<void> {
    await this.#writing;
    if (this.#queue.length > 0) await this.#write();
    await this.#letGo();
  }

  #push(line: Line): void {
    this.#owe(line);
    void this.#write();
  }

  /** To be written with the next line that is. */
  #owe(line: Line): void {
    this.#queue.push(line);
    const owed = this.#queue.filter((queued) => !isAwaited(queued));
    if (owed.length <= 2 * limits.journal.waiting) return;
    const [oldest] = [...owed.filter(({ spare }) => spare === true), ...owed];
    this.#queue = this.#queue.filter((queued) => queued !== oldest);
    if (this.#lost === 0) this.#options.log?.warn('The journal of calls leaves out calls: too many wait for the disk.');
    this.#lost += 1;
  }

  #write(): Promise<void> {
    this.#writing ??= this.#writeAll().finally(() => (this.#writing = undefined));
    return this.#writing;
  }

  /** One batch after the other; never fails. What nobody waits for is no reason to try a disk again that just failed. */
  async #writeAll(): Promise<void> {
    do {
      const batch = this.#queue.splice(0, atOnce);
      const text = batch.map((line) => line.text).join('');
      try {
        const file = await this.#fileFor(Buffer.byteLength(text));
        await file.append(text);
        this.#failing = false;
        this.#lost = 0;
        for (const { done } of batch) done?.resolve(undefined);
      } catch (error) {
        await this.#letGo();
        this.#tell(error);
        // Behind those that calls wait for, which would wait for ever otherwise.
        for (const line of batch) if (!isAwaited(line)) this.#owe(line);
        for (const { done } of batch) done?.reject(error instanceof Error ? error : new Error(String(error)));
      }
    } while (this.#failing ? this.#queue.some(isAwaited) : this.#queue.length > 0);
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
  /** Of a call that never went out: the first to go where there is no room. */
  readonly spare?: boolean;
}

function isAwaited({ done }: Line): boolean {
  return done !== undefined;
}

/** The end of a call whose start the disk did not take in time: it may be there all the same, or come there late. */
function notSent({ id, at }: JournalStart): string {
  return lineOf({ kind: 'end', id, at, duration: 0, outcome: 'notSent', code: 'journalFailed' });
}

/** Lines of one flush: they fit into one file however long they are. */
const atOnce = 100;

function detailOf(error: unknown): string {
  return error instanceof JournalRefusal ? error.message : systemDetail(error);
}
