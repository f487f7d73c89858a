// The folder of the journal's files, one or more of each process. Promises: it is the person's alone (0700); what it holds
// stays within the limits, the oldest going first, but for files that a process may be writing. Refuses a link, a file or
// somebody else's folder in its place, and takes no notice of what is not named as a file of the journal.
import { constants, type Stats } from 'node:fs';
import { chmod, lstat, mkdir, open, readdir, unlink } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { judge, type ProcessFacts, type ProcessStanding } from '../config/processIdentity.ts';
import { limits } from '../limits.ts';
import { entryOf } from './journalLines.ts';

export interface JournalFileFound {
  readonly path: string;
  /** One process's writing, from its first file on. */
  readonly instance: string;
  /** Which of its files this is. */
  readonly sequence: number;
  /** In bytes. */
  readonly size: number;
  /** Milliseconds since the epoch. */
  readonly changedAt: number;
}

/** A reason of our own to use no journal; its message continues a sentence. */
export class JournalRefusal extends Error {}

/** Makes it, or takes the one that is there. Throws a JournalRefusal, or an error of the system. */
export async function prepareJournalFolder(folder: string): Promise<void> {
  await mkdir(dirname(folder), { recursive: true, mode: 0o700 });
  await mkdir(folder, { mode: 0o700 }).catch((error: unknown) => {
    if (!isCode(error, 'EEXIST')) throw error;
  });
  if (((await ownFolder(folder)).mode & 0o777) !== 0o700) await chmod(folder, 0o700);
}

/** Names sort by the time at which they were made. */
export function journalFileName(madeAt: number, instance: string, sequence: number): string {
  return `calls-${madeAt.toString(36).padStart(9, '0')}-${instance}-${sequence}.jsonl`;
}

/** The oldest first; none where there is no folder. Throws as `prepareJournalFolder` does. */
export async function journalFiles(folder: string): Promise<readonly JournalFileFound[]> {
  try {
    await ownFolder(folder);
  } catch (error) {
    if (isCode(error, 'ENOENT')) return [];
    throw error;
  }
  const names = (await readdir(folder)).filter((name) => pattern.test(name)).sort();
  return (await Promise.all(names.map((name) => found(folder, name)))).filter((file) => file !== undefined);
}

/** What is known of the processes behind these files, by instance. */
export async function standings(
  files: readonly JournalFileFound[],
  facts: ProcessFacts,
): Promise<ReadonlyMap<string, ProcessStanding>> {
  const result = new Map<string, ProcessStanding>();
  for (const { instance, path } of files) {
    if (!result.has(instance)) result.set(instance, await standing(path, facts));
  }
  return result;
}

/** Makes room for one more file. What cannot be removed stays. */
export async function pruneJournal(folder: string, facts: ProcessFacts, now: number): Promise<void> {
  const files = await journalFiles(folder);
  const { total, file: one, files: most, leftOver } = limits.journal;
  let size = files.reduce((sum, file) => sum + file.size, 0);
  let count = files.length;
  const newest = newestOf(files);
  for (const file of files) {
    if (size <= total - one && count < most) return;
    if (newest.get(file.instance) === file.sequence) {
      const state = await standing(file.path, facts);
      if (state === 'alive' || (state === 'unknown' && now - file.changedAt < leftOver)) continue;
    }
    const removed = await unlink(file.path).then(
      () => true,
      (error: unknown) => isCode(error, 'ENOENT'),
    );
    if (!removed) continue;
    size -= file.size;
    count -= 1;
  }
}

/** The file that each process may be writing. Not by the time in its name: the clock may have been set back. */
function newestOf(files: readonly JournalFileFound[]): ReadonlyMap<string, number> {
  const newest = new Map<string, number>();
  for (const { instance, sequence } of files) newest.set(instance, Math.max(sequence, newest.get(instance) ?? 0));
  return newest;
}

/** The text of one file, as far as a file of the journal goes; never of a link or a pipe. */
export async function readJournalFile(path: string, most: number = 2 * limits.journal.file): Promise<string> {
  const { O_RDONLY, O_NOFOLLOW = 0, O_NONBLOCK = 0 } = constants as Partial<typeof constants> & { O_RDONLY: number };
  const handle = await open(path, O_RDONLY | O_NOFOLLOW | O_NONBLOCK);
  try {
    const stats = await handle.stat();
    if (!isOwnFile(stats)) return '';
    const { buffer, bytesRead } = await handle.read(Buffer.alloc(Math.min(stats.size, most)), 0, null, 0);
    return buffer.toString('utf8', 0, bytesRead);
  } finally {
    await handle.close();
  }
}

const pattern = /^calls-[0-9a-z]{9}-([0-9a-f]{16})-(\d{1,9})\.jsonl$/;

async function ownFolder(folder: string): Promise<Stats> {
  const stats = await lstat(folder);
  if (stats.isSymbolicLink()) throw new JournalRefusal('a link is in its place');
  if (!stats.isDirectory()) throw new JournalRefusal('something that is no folder is in its place');
  if (!isOwn(stats)) throw new JournalRefusal('it belongs to another user');
  return stats;
}

async function found(folder: string, name: string): Promise<JournalFileFound | undefined> {
  const [, instance = '', sequence = ''] = pattern.exec(name) ?? [];
  const path = join(folder, name);
  const stats = await lstat(path).catch(() => undefined);
  if (stats === undefined || !isOwnFile(stats)) return undefined;
  return { path, instance, sequence: Number(sequence), size: stats.size, changedAt: stats.mtimeMs };
}

async function standing(path: string, facts: ProcessFacts): Promise<ProcessStanding> {
  const text = await readJournalFile(path, limits.journal.line).catch(() => '');
  const owner = entryOf(text.slice(0, text.indexOf('\n') + 1));
  return owner?.kind === 'process' ? judge(owner, facts) : 'unknown';
}

function isOwnFile(stats: Stats): boolean {
  return stats.isFile() && isOwn(stats);
}

/** On Windows, where there are no such numbers, the folder's place is what makes it the person's. */
function isOwn({ uid }: Stats): boolean {
  return process.getuid === undefined || process.getuid() === uid;
}

function isCode(error: unknown, code: string): boolean {
  return (error as NodeJS.ErrnoException).code === code;
}
