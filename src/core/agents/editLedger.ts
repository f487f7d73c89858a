// Every edit that we made in files of other programs, and the only one that makes and undoes them (GATE-8, GATE-9). The
// list and copies of the files before us are in the product's folder, for the person alone. Promises: what is on disk is what
// the edit was planned over, or nothing is written; an edit is on the list before it is in the file, so a crash in
// between leaves nothing that cannot be undone; two windows take turns. Undo puts back the entry, never the whole file.
import { randomUUID } from 'node:crypto';
import { mkdir, rmdir, unlink } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { makeFolder, readConfigFile, replaceFile } from '../config/configDisk.ts';
import { placesOf } from '../config/configDocument.ts';
import { withFileLock } from '../config/fileLock.ts';
import { ManagerError } from '../errors.ts';
import { limits } from '../limits.ts';
import { systemDetail } from '../systemDetail.ts';
import { Backups } from './backups.ts';
import { hashOf, type PlannedEdit } from './clientFile.ts';
import { parseText } from './clientText.ts';
import type { ClientFile } from './clients.ts';
import { type EditPurpose, type EditRecord, missingKeys, parseRecords, writeRecords } from './editRecord.ts';
import { hunkBetween } from './textHunk.ts';
import { undoneText, type UndoneText } from './undoEdit.ts';

export interface ApplyOptions {
  readonly purpose: EditPurpose;
  /** Ends the wait for the lock; a write that has begun is finished. */
  readonly signal?: AbortSignal | undefined;
}

/** `changedSince`: somebody changed the entry after us, so it was left as it is. */
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
  async apply(plan: PlannedEdit, { purpose, signal }: ApplyOptions): Promise<EditRecord> {
    return this.#locked(signal, async (records) => {
      const now = await readNow(plan.file);
      if (now.path !== plan.path || hashOfNow(now.text) !== plan.hash) throw changed(plan.file.path);
      const old = records.find((record) => isSamePlace(record, plan) && record.purpose === purpose);
      const draft = recordOf(plan, purpose, old);
      const backup = plan.before === undefined ? undefined : await this.#backups.keep(plan.before);
      const others = records.filter((record) => record !== old);
      const record: EditRecord = { ...draft, ...(backup !== undefined && { backup: old?.backup ?? backup }) };
      await this.#write([...others, record]);
      const made = await writing(plan.file.path, async () => {
        const madeFolder = await mkdir(dirname(plan.path), { recursive: true });
        await replaceFile(plan.path, plan.after, plan.mode ?? 0o600);
        return madeFolder;
      }).catch(async (error: unknown) => {
        await this.#write(records);
        throw error;
      });
      await this.#backups.prune([...others, record].flatMap(({ backup: kept }) => kept ?? []));
      if (made === undefined || record.madeFolder !== undefined) return record;
      const whole = { ...record, madeFolder: made };
      await this.#write([...others, whole]);
      return whole;
    });
  }

  /** Notes an edit that the client's own command made. Both texts are the file's, before and after it. */
  async note(plan: PlannedEdit, { purpose, signal }: ApplyOptions): Promise<EditRecord> {
    return this.#locked(signal, async (records) => {
      const old = records.find((record) => isSamePlace(record, plan) && record.purpose === purpose);
      const record = withoutHunk(recordOf(plan, purpose, old));
      await this.#write([...records.filter((other) => other !== old), record]);
      return record;
    });
  }

  /** Takes an edit off the list whose entry is gone already. */
  async forget(id: string, signal?: AbortSignal): Promise<void> {
    await this.#locked(signal, async (records) => this.#drop(records, id));
  }

  async planUndo(record: EditRecord): Promise<PlannedUndo> {
    const { path, text } = await readNow(fileOf(record));
    return { record, path, before: text, result: undoneText(text, record) };
  }

  /** Throws what kept the edit from being undone; then it is on the list as before. */
  async undo(id: string, { signal }: { readonly signal?: AbortSignal | undefined } = {}): Promise<UndoOutcome> {
    return this.#locked(signal, async (records) => {
      const record = records.find((candidate) => candidate.id === id);
      if (record === undefined) return 'alreadyGone';
      const { path, before, result } = await this.planUndo(record);
      switch (result.kind) {
        case 'malformed':
          throw malformed(record.path, before ?? '', result);
        case 'notEditable':
          throw new ManagerError('agentFileNotEditable', { file: record.path, detail: result.detail });
        case 'removeFile':
          await writing(record.path, () => unlink(path));
          await removeEmpty(dirname(path), record.madeFolder);
          break;
        case 'text': {
          const { text, mode } = await readNow(fileOf(record));
          if (text !== before) throw changed(record.path);
          await writing(record.path, () => replaceFile(path, result.after, mode));
          break;
        }
        case 'alreadyGone':
        case 'changedSince':
          break;
      }
      await this.#drop(records, id);
      return result.kind === 'alreadyGone' || result.kind === 'changedSince' ? result.kind : 'undone';
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

function isSamePlace(record: EditRecord, plan: PlannedEdit): boolean {
  return (
    record.realPath === plan.path &&
    record.name === plan.name &&
    record.keyPath.length === plan.keyPath.length &&
    record.keyPath.every((key, index) => key === plan.keyPath[index])
  );
}

/** An edit over an older one of ours goes back to what was before both. */
function recordOf(plan: PlannedEdit, purpose: EditPurpose, old: EditRecord | undefined): EditRecord {
  const { file, path, name, keyPath, before } = plan;
  const undone = old === undefined ? undefined : undoneText(before, old);
  // Where the old one's entry is gone, this edit begins anew.
  const from = undone === undefined || undone.kind === 'alreadyGone' ? undefined : old;
  const base = undone?.kind === 'text' ? undone.after : undone?.kind === 'removeFile' ? '' : undefined;
  const parsed = parseText(file.format, before ?? '');
  const entryBefore = from === undefined ? plan.entryBefore : from.before;
  const hunk = from === undefined ? plan.hunk : base === undefined ? undefined : hunkBetween(base, plan.after);
  return {
    id: randomUUID(),
    purpose,
    client: file.client,
    path: file.path,
    realPath: path,
    scope: file.scope,
    ...(file.onlyIn !== undefined && { onlyIn: file.onlyIn }),
    format: file.format,
    shape: file.shape,
    keyPath,
    name,
    ...(entryBefore !== undefined && { before: entryBefore }),
    ...(plan.entryAfter !== undefined && { after: plan.entryAfter }),
    ...(hunk !== undefined && { hunk }),
    madeFile: from?.madeFile ?? before === undefined,
    ...(from?.madeFolder !== undefined && { madeFolder: from.madeFolder }),
    madeKeys: from?.madeKeys ?? (parsed.kind === 'parsed' ? missingKeys(parsed.value, keyPath) : 0),
    at: Date.now(),
  };
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

function hashOfNow(text: string | undefined): string | undefined {
  return text === undefined ? undefined : hashOf(text);
}

function changed(file: string): ManagerError {
  return new ManagerError('agentFileChanged', { file });
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
