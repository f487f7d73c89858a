import assert from 'node:assert/strict';
import { mkdir, rm, symlink, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, it } from 'mocha';
import type { ProcessFacts } from '../../../../src/core/config/processIdentity.ts';
import { journalFileName } from '../../../../src/core/diagnostics/journalFolder.ts';
import { type JournalEntry, lineOf } from '../../../../src/core/diagnostics/journalLines.ts';
import { readJournal } from '../../../../src/core/diagnostics/readJournal.ts';
import { limits } from '../../../../src/core/limits.ts';
import { journalEnd as end, journalStart as start } from '../../../support/journalEntries.ts';
import { temporaryFolder } from '../../../support/temporaryFolder.ts';

const owner = (pid: number, host = 'here'): JournalEntry => {
  return { kind: 'process', version: 1, pid, start: `start of ${pid}`, boot: 'b', host, namespace: 'n' };
};
describe('readJournal', () => {
  let root: Awaited<ReturnType<typeof temporaryFolder>>;
  let folder: string;
  /** The processes that run. */
  let alive: Set<number>;
  /** Called when a process is asked about. */
  let onAsked: (pid: number) => Promise<void>;

  beforeEach(async () => {
    root = await temporaryFolder();
    folder = join(root.path, 'journal');
    await mkdir(folder);
    alive = new Set();
    onAsked = () => Promise.resolve();
  });
  afterEach(() => root.remove());

  const facts: ProcessFacts = {
    pid: 1,
    host: 'here',
    boot: () => Promise.resolve('b'),
    namespace: () => Promise.resolve('n'),
    exists: (pid) => alive.has(pid),
    start: async (pid) => {
      await onAsked(pid);
      return alive.has(pid) ? { start: `start of ${pid}`, zombie: false } : undefined;
    },
  };
  const write = (instance: number, sequence: number, ...entries: readonly JournalEntry[]): Promise<void> => {
    const name = journalFileName(1_700_000_000_000 + sequence, instance.toString(16).padStart(16, '0'), sequence);
    return writeFile(join(folder, name), entries.map(lineOf).join(''));
  };
  const read = async (): Promise<readonly string[]> => {
    const { calls } = await readJournal(folder, facts);
    return calls.map(({ start: { id }, end: how }) => `${id} ${typeof how === 'object' ? how.outcome : how}`);
  };

  it('calls a start without an end lost where its process is gone, and nowhere else', async () => {
    alive.add(2);
    await write(1, 0, owner(1), start('gone'));
    await write(2, 0, owner(2), start('alive'));
    await write(3, 0, owner(3, 'elsewhere'), start('far'));
    await write(4, 0, start('nameless'));
    assert.deepEqual(await read(), ['gone lost', 'alive open', 'far open', 'nameless open']);
  });

  it('finds the end of a call in a later file, and passes over an end without a start', async () => {
    await write(1, 0, owner(1), start('a'));
    await write(1, 1, owner(1), end('a'), end('removed'));
    assert.deepEqual(await read(), ['a completed']);
  });

  it('does not call a call lost whose process wrote its end and ended while the journal was read', async () => {
    alive.add(2);
    await write(2, 0, owner(2), start('a'));
    onAsked = async () => {
      await write(2, 1, owner(2), end('a'));
      await write(3, 0, owner(3), start('later'));
      alive.delete(2);
    };
    assert.deepEqual(await read(), ['a completed', 'later open']);
  });

  it('gives the newest ones, the oldest of them first', async () => {
    const calls = Array.from({ length: limits.journal.shown + 5 }, (_, at) => start(`c${at}`, 1_000 - at));
    await write(1, 0, owner(1), ...calls);
    const ids = await read();
    assert.equal(ids.length, limits.journal.shown);
    assert.deepEqual([ids[0], ids.at(-1)], [`c${limits.journal.shown - 1} lost`, 'c0 lost']);
  });

  it('follows no link, and says what is in the place of the folder', async () => {
    const elsewhere = join(root.path, 'elsewhere');
    await writeFile(elsewhere, lineOf(owner(1)) + lineOf(start('a')));
    await symlink(elsewhere, join(folder, journalFileName(1, '0'.repeat(16), 0)));
    assert.deepEqual(await read(), []);
    await rm(folder, { recursive: true });
    assert.deepEqual(await readJournal(folder, facts), { calls: [] });
    await symlink(root.path, folder);
    assert.deepEqual(await readJournal(folder, facts), { calls: [], fault: 'a link is in its place' });
  });
});
