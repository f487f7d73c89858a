// Every edit that we made in files of other programs, and the only one that makes and undoes them (GATE-8, GATE-9). The
// list and copies of the files before us are in the product's folder, for the person alone. Promises: what is on disk is what
// the edit was planned over, or nothing is written; an edit is on the list before it is in the file, so a crash in
// between leaves nothing that cannot be undone; two windows take turns. Undo puts back the entry, never the whole file.
import { mkdir, rmdir, unlink } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { makeFolder, readConfigFile, replaceFile } from '../config/configDisk.ts';
import { placesOf } from '../config/configDocument.ts';
import { withFileLock } from '../config/fileLock.ts';
import { ManagerError } from '../errors.ts';
import { limits } from '../limits.ts';
import { systemDetail } from '../systemDetail.ts';
import { Backups } from './backups.ts';
import { type EntryState, hashOf, type PlannedEdit } from './clientFile.ts';
import type { ClientFile } from './clients.ts';
import { type EditRecord, parseRecords, writeRecords } from './editRecord.ts';
import { type NewRecord, newRecord, type NoteOptions } from './newRecord.ts';
import { type ChangedEntry, undoneText, type UndoneText } from './undoEdit.ts';

export interface ApplyOptions extends NoteOptions {
  /** Ends the wait for the lock; a write that has begun is finished. */
  readonly signal?: AbortSignal | undefined;
}

export interface UndoOptions {
  readonly signal?: AbortSignal | undefined;
  /** `leave` where nothing is said. */
  readonly changed?: ChangedEntry | undefined;
}

/** `changedSince`: somebody changed the entry after us, so it was left as it is, and the edit stays on the list. */
export type UndoOutcome = 'undone' | 'alreadyGone' | 'changedSince';

/** What an undo would do, for a preview. */
export interface PlannedUndo {
  readonly record: EditRecord;
  readonly path: string;
  /** Undefined where there is no file. */
  readonly before: string | undefined;
  readonly result: UndoneText;
}

export class EditLedger {
  readonly #file: string;
  readonly #backups: Backups;

  /** `home` is the product's folder, `~/.mcp-roundhouse`. */
  constructor({ home }: { readonly home: string }) {
    this.#file = join(home, 'agents', 'edits.json');
    this.#backups = new Backups(join(home, 'agents', 'backups'));
  }

  /** The edits that are not undone, oldest first. Throws `agentRecordsUnreadable`. */
  async records(): Promise<readonly EditRecord[]> {
    return (await this.#read()) ?? [];
  }

  /**
   * Makes a planned edit. Throws `agentFileChanged` where the file is not what it was planned over, `configWriteFailed`,
   * `configLocked`; then nothing was changed.
   */
  async apply(plan: PlannedEdit, { signal, ...noted }: ApplyOptions): Promise<EditRecord> {
    return this.#locked(signal, async (records) => {
      const check = (): Promise<void> => isStill(plan.file, plan);
      await check();
      const { record: draft, replaced } = newRecord(plan, noted, records);
      const copy = plan.before === undefined ? undefined : await this.#backups.keep(plan.before);
      const backup = draft.backup ?? copy;
      const record: EditRecord = { ...draft, ...(backup !== undefined && { backup }) };
      const others = records.filter((other) => other !== replaced);
      await this.#write([...others, record]);
      const made = await writing(plan.file.path, async () => {
        const madeFolder = await mkdir(dirname(plan.path), { recursive: true });
        await replaceFile(plan.path, plan.after, plan.mode ?? 0o600, check);
        return madeFolder;
      }).catch(async (error: unknown) => {
        // The reason is what counts. On the list, what was not made is found to be gone already.
        await this.#write(records).catch(() => undefined);
        throw error;
      });
      await this.#backups.prune([...others, record].flatMap(({ backup: kept }) => kept ?? []));
      if (made === undefined || record.madeFolder !== undefined) return record;
      const whole = { ...record, madeFolder: made };
      await this.#write([...others, whole]);
      return whole;
    });
  }

  /** Notes an edit that the client's own command is about to make, so that a crash leaves nothing unknown. */
  async note(plan: PlannedEdit, { signal, ...noted }: ApplyOptions): Promise<NewRecord> {
    return this.#locked(signal, async (records) => {
      const { record, replaced } = newRecord(plan, noted, records);
      const made = { record: withoutHunk(record), replaced };
      await this.#write([...records.filter((other) => other !== replaced), made.record]);
      return made;
    });
  }

  /** Says how the client's own command wrote the entry. Not to be cancelled: it is written. */
  async amend({ record: { id } }: NewRecord, after: EntryState): Promise<void> {
    await this.#locked(undefined, (records) =>
      this.#write(records.map((record) => (record.id === id ? { ...record, after } : record))),
    );
  }

  /** Takes a note back whose edit was not made. */
  async unnote({ record: { id }, replaced }: NewRecord): Promise<void> {
    await this.#locked(undefined, (records) =>
      this.#write(records.flatMap((record) => (record.id === id ? (replaced ?? []) : record))),
    );
  }

  /** Takes an edit off the list whose entry is gone already. */
  async forget(id: string, signal?: AbortSignal): Promise<void> {
    await this.#locked(signal, async (records) => this.#drop(records, id));
  }

  async planUndo(record: EditRecord, changed?: ChangedEntry): Promise<PlannedUndo> {
    const { path, text } = await readNow(fileOf(record));
    return { record, path, before: text, result: undoneText(text, record, changed) };
  }

  /** Throws what kept the edit from being undone; then, and where it was left, it is on the list as before. */
  async undo(id: string, { signal, changed }: UndoOptions = {}): Promise<UndoOutcome> {
    return this.#locked(signal, async (records) => {
      const record = records.find((candidate) => candidate.id === id);
      if (record === undefined) return 'alreadyGone';
      const { path, before, result } = await this.planUndo(record, changed);
      const file = fileOf(record);
      const check = (): Promise<void> => isStill(file, { path, hash: hashOfNow(before) });
      switch (result.kind) {
        case 'malformed':
          throw malformed(record.path, before ?? '', result);
        case 'notEditable':
          throw new ManagerError('agentFileNotEditable', { file: record.path, detail: result.detail });
        case 'changedSince':
          return 'changedSince';
        case 'removeFile':
          await check();
          await writing(record.path, () => unlink(path));
          await removeEmpty(dirname(path), record.madeFolder);
          break;
        case 'text': {
          const { mode = 0o600 } = await readNow(file);
          await writing(record.path, async () => {
            await mkdir(dirname(path), { recursive: true });
            await replaceFile(path, result.after, mode, check);
          });
          break;
        }
        case 'alreadyGone':
          break;
      }
      await this.#drop(records, id);
      return result.kind === 'alreadyGone' ? 'alreadyGone' : 'undone';
    });
  }

  async #drop(records: readonly EditRecord[], id: string): Promise<void> {
    const gone = records.find((record) => record.id === id);
    if (gone === undefined) return;
    await this.#write(records.filter((record) => record !== gone));
    if (gone.backup !== undefined) await this.#backups.remove(gone.backup);
  }

  async #locked<T>(signal: AbortSignal | undefined, work: (records: readonly EditRecord[]) => Promise<T>): Promise<T> {
    await writing(this.#file, () => mkdir(dirname(dirname(this.#file)), { recursive: true, mode: 0o700 }));
    await writing(this.#file, () => makeFolder({ file: this.#file, scope: { kind: 'user' } }));
    return withFileLock(this.#file, async () => work(await this.records()), { signal });
  }

  async #read(): Promise<readonly EditRecord[] | undefined> {
    const disk = await readConfigFile({ file: this.#file, scope: { kind: 'user' } }, { most: limits.agents.fileBytes });
    if (disk.kind === 'missing') return undefined;
    const records = disk.kind === 'text' ? parseRecords(disk.text) : undefined;
    if (records !== undefined) return records;
    const detail = disk.kind === 'refused' ? String(disk.problem.data['detail']) : 'it is no such list';
    throw new ManagerError('agentRecordsUnreadable', { file: this.#file, detail });
  }

  async #write(records: readonly EditRecord[]): Promise<void> {
    await writing(this.#file, () => replaceFile(this.#file, writeRecords(records), 0o600));
  }
}

/** The file of a record, to be read as it was. */
export function fileOf(record: EditRecord): ClientFile {
  const { client, path, scope, onlyIn, format, keyPath, shape } = record;
  return { client, path, scope, format, keyPath, shape, ...(onlyIn !== undefined && { onlyIn }) };
}

/** What another program wrote is taken out by its entry, however the text around it is. */
function withoutHunk(record: EditRecord): EditRecord {
  const copy: { -readonly [K in keyof EditRecord]: EditRecord[K] } = { ...record };
  delete copy.hunk;
  return copy;
}

interface Now {
  readonly path: string;
  readonly text: string | undefined;
  readonly mode: number | undefined;
}

async function readNow(file: ClientFile): Promise<Now> {
  const disk = await readConfigFile({ file: file.path, scope: file.scope }, { most: limits.agents.fileBytes });
  if (disk.kind === 'refused') throw new ManagerError(disk.problem.code, disk.problem.data);
  return disk.kind === 'missing'
    ? { path: disk.path, text: undefined, mode: undefined }
    : { path: disk.path, text: disk.text, mode: disk.mode };
}

/** Looked at last of all, since another program does not take our turns. */
async function isStill(file: ClientFile, expected: Pick<PlannedEdit, 'path' | 'hash'>): Promise<void> {
  const { path, text } = await readNow(file);
  if (path !== expected.path || hashOfNow(text) !== expected.hash) {
    throw new ManagerError('agentFileChanged', { file: file.path });
  }
}

function hashOfNow(text: string | undefined): string | undefined {
  return text === undefined ? undefined : hashOf(text);
}

function malformed(file: string, text: string, { detail, offset }: { detail: string; offset: number }): ManagerError {
  return new ManagerError('agentFileMalformed', { file, detail, ...placesOf(text)(offset) });
}

async function writing<T>(file: string, work: () => Promise<T>): Promise<T> {
  try {
    return await work();
  } catch (error) {
    if (error instanceof ManagerError) throw error;
    throw new ManagerError('configWriteFailed', { file, detail: systemDetail(error) }, { cause: error });
  }
}

/** Folders that were made for a file, as far as nothing is in them. */
async function removeEmpty(folder: string, first: string | undefined): Promise<void> {
  if (first === undefined || !(folder === first || folder.startsWith(first))) return;
  for (let current = folder; current.length >= first.length; current = dirname(current)) {
    try {
      await rmdir(current);
    } catch {
      return;
    }
  }
}
