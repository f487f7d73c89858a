import assert from 'node:assert/strict';
import type { FileHandle } from 'node:fs/promises';
import { mkdir, open, readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, it } from 'mocha';
import { deferred } from '../../../../src/base/deferred.ts';
import { Journal } from '../../../../src/core/diagnostics/journal.ts';
import { readJournal } from '../../../../src/core/diagnostics/readJournal.ts';
import { limits } from '../../../../src/core/limits.ts';
import { eventually } from '../../../support/eventually.ts';
import { journalEnd as end, journalStart as start } from '../../../support/journalEntries.ts';
import { ManualClock } from '../../../support/manualClock.ts';
import { temporaryFolder } from '../../../support/temporaryFolder.ts';

describe('Journal', () => {
  let root: Awaited<ReturnType<typeof temporaryFolder>>;
  let folder: string;
  let clock: ManualClock;
  let warnings: string[];
  let journal: Journal;
  /** What every open file does in place of its own; given back after each test. */
  let disk: Pick<FileHandle, 'sync' | 'appendFile'>;
  let real: Pick<FileHandle, 'sync' | 'appendFile'>;

  beforeEach(async () => {
    root = await temporaryFolder();
    folder = join(root.path, 'home', 'journal');
    clock = new ManualClock();
    warnings = [];
    const log = { info: () => undefined, warn: (text: string) => void warnings.push(text), error: () => undefined };
    journal = new Journal({ folder, clock, log });
    const handle = await open(root.path);
    disk = Object.getPrototypeOf(handle) as FileHandle;
    await handle.close();
    real = { sync: disk.sync, appendFile: disk.appendFile };
  });
  afterEach(async () => {
    Object.assign(disk, real);
    await journal.close();
    await root.remove();
  });

  const lines = async (): Promise<readonly string[]> => {
    const names = (await readdir(folder)).sort();
    const texts = await Promise.all(names.map((name) => readFile(join(folder, name), 'utf8')));
    const all = texts
      .join('')
      .split('\n')
      .filter((line) => line !== '');
    return all.map((line) => JSON.parse(line) as { kind: string; id?: string }).map(({ kind, id }) => `${kind} ${id}`);
  };

  it('answers when the line is flushed, and not before', async () => {
    await journal.begin(start('first'));
    const flushed = deferred<undefined>();
    disk.sync = () => flushed.promise;
    let answered = false;
    const begun = journal.begin(start('second')).then(() => (answered = true));
    await eventually(async () => (await lines()).includes('start second'), 5_000, 'the line');
    assert.equal(answered, false);
    flushed.resolve(undefined);
    await begun;
  });

  it('flushes calls that begin together at once', async () => {
    await journal.begin(start('first'));
    let flushes = 0;
    disk.sync = function (this: FileHandle) {
      flushes += 1;
      return real.sync.call(this);
    };
    await Promise.all(Array.from({ length: 50 }, (_, at) => journal.begin(start(`c${at}`))));
    assert.ok(flushes <= 2, `${flushes} flushes`);
    assert.equal((await lines()).length, 52);
  });

  it('fails where the flush does, takes the line back, and goes on in a new file', async () => {
    await journal.begin(start('first'));
    disk.sync = () => Promise.reject(Object.assign(new Error('x'), { code: 'EIO' }));
    journal.end(end('first'));
    const failure = { code: 'journalFailed', outcome: 'notSent', data: { folder, detail: 'the disk failed' } };
    await assert.rejects(journal.begin(start('second')), failure);
    await assert.rejects(journal.begin(start('third')), failure);
    assert.deepEqual(await lines(), ['process undefined', 'start first']);
    assert.deepEqual(warnings, ['The journal of calls cannot be written: the disk failed.']);
    disk.sync = real.sync;
    await journal.begin(start('fourth'));
    const { calls } = await readJournal(folder);
    assert.deepEqual(
      calls.map(({ start: { id }, end: how }) => `${id} ${typeof how === 'object' ? how.outcome : how}`),
      ['first completed', 'fourth open'],
    );
  });

  it('does not wait for a disk that hangs, and writes the end of what comes there late', async () => {
    await journal.begin(start('first'));
    const hanging = deferred<undefined>();
    disk.sync = () => hanging.promise;
    const failed = assert.rejects(journal.begin(start('second')), { code: 'journalFailed', outcome: 'notSent' });
    await eventually(async () => (await lines()).includes('start second'), 5_000, 'the line');
    clock.advance(limits.journal.write);
    await failed;
    disk.sync = real.sync;
    hanging.resolve(undefined);
    await journal.close();
    const { calls } = await readJournal(folder);
    const late = calls.find(({ start: { id } }) => id === 'second')?.end;
    assert.ok(typeof late === 'object' && late.outcome === 'notSent' && late.code === 'journalFailed');
  });

  it('refuses more calls than may wait for the disk, at once', async () => {
    await journal.begin(start('first'));
    const hanging = deferred<undefined>();
    disk.sync = () => hanging.promise;
    const begun = Array.from({ length: limits.journal.waiting + 200 }, (_, at) => journal.begin(start(`c${at}`)));
    const detail = 'too many calls wait for the disk';
    await assert.rejects(begun.at(-1)!, { code: 'journalFailed', outcome: 'notSent', data: { folder, detail } });
    hanging.resolve(undefined);
    disk.sync = real.sync;
    await Promise.allSettled(begun);
  });

  it('makes nothing before the first call', async () => {
    await mkdir(join(root.path, 'home'));
    await journal.close();
    assert.deepEqual(await readdir(join(root.path, 'home')), []);
  });
});
