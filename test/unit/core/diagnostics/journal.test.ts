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
import { patience } from '../../../support/patience.ts';
import { temporaryFolder } from '../../../support/temporaryFolder.ts';

describe('Journal', () => {
  let root: Awaited<ReturnType<typeof temporaryFolder>>;
  let folder: string;
  let clock: ManualClock;
  let warnings: string[];
  let journal: Journal;
  /** What every open file does in place of its own; given back after each test. */
  let disk: Pick<FileHandle, 'sync' | 'appendFile' | 'truncate'>;
  let real: Pick<FileHandle, 'sync' | 'appendFile' | 'truncate'>;

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
    real = { sync: disk.sync, appendFile: disk.appendFile, truncate: disk.truncate };
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

  const shown = async (): Promise<readonly string[]> =>
    (await readJournal(folder)).calls.map(
      ({ start: { id }, end: how }) => `${id} ${typeof how === 'object' ? how.outcome : how}`,
    );

  it('answers when the line is flushed, and not before', async () => {
    await journal.begin(start('first'));
    const flushed = deferred<undefined>();
    disk.sync = () => flushed.promise;
    let answered = false;
    const begun = journal.begin(start('second')).then(() => (answered = true));
    await eventually(async () => (await lines()).includes('start second'), patience, 'the line');
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
    assert.deepEqual(await shown(), ['first completed', 'fourth open']);
  });

  it('does not wait for a disk that hangs, and writes the end of what comes there late', async () => {
    await journal.begin(start('first'));
    const hanging = deferred<undefined>();
    disk.sync = () => hanging.promise;
    const failed = assert.rejects(journal.begin(start('second')), { code: 'journalFailed', outcome: 'notSent' });
    await eventually(async () => (await lines()).includes('start second'), patience, 'the line');
    clock.advance(limits.journal.write);
    await failed;
    disk.sync = real.sync;
    hanging.resolve(undefined);
    await journal.close();
    const { calls } = await readJournal(folder);
    const late = calls.find(({ start: { id } }) => id === 'second')?.end;
    assert.ok(typeof late === 'object' && late.outcome === 'notSent' && late.code === 'journalFailed');
  });

  it('says of each call that it stopped for a slow disk that it was not sent, also where that disk fails then [POL-3d]', async () => {
    await journal.begin(start('first'));
    const hanging = deferred<undefined>();
    disk.sync = () => hanging.promise;
    // One hangs in the write, with its line in the file; the others are still to be written.
    const failed = [assert.rejects(journal.begin(start('second')), { code: 'journalFailed', outcome: 'notSent' })];
    await eventually(async () => (await lines()).includes('start second'), 5_000, 'the line');
    for (const id of ['third', 'fourth'])
      failed.push(assert.rejects(journal.begin(start(id)), { code: 'journalFailed' }));
    journal.end(end('first'));
    clock.advance(limits.journal.write);
    await Promise.all(failed);
    disk.sync = real.sync;
    disk.truncate = () => Promise.reject(new Error('it cannot be taken back'));
    hanging.reject(Object.assign(new Error('x'), { code: 'EIO' }));
    await eventually(() => warnings.length > 0, 5_000, 'the failure');
    disk.truncate = real.truncate;
    await journal.begin(start('fifth'));
    assert.deepEqual(await shown(), ['first completed', 'second notSent', 'fifth open']);
  });

  it('writes at its end what the disk refused before', async () => {
    await journal.begin(start('first'));
    disk.sync = () => Promise.reject(Object.assign(new Error('x'), { code: 'EIO' }));
    journal.end(end('first'));
    await eventually(() => warnings.length > 0, 5_000, 'the failure');
    disk.sync = real.sync;
    await journal.close();
    assert.deepEqual(await shown(), ['first completed']);
  });

  it('gives up calls that never went out before the end of one that did, and says so once', async () => {
    await journal.begin(start('first'));
    disk.sync = () => Promise.reject(Object.assign(new Error('x'), { code: 'EIO' }));
    journal.end(end('first'));
    for (let at = 0; at < 2 * limits.journal.waiting + 10; at += 1) journal.refused(start(`c${at}`), end(`c${at}`));
    await eventually(() => warnings.length === 2, 5_000, 'both warnings');
    assert.ok(warnings.some((warning) => warning.includes('leaves out calls')));
    disk.sync = real.sync;
    await journal.close();
    const ids = (await lines()).filter((line) => line.startsWith('end'));
    assert.equal(ids.length, 2 * limits.journal.waiting);
    assert.deepEqual([ids.includes('end first'), ids.includes('end c9'), ids.includes('end c11')], [true, false, true]);
    assert.equal(warnings.length, 2);
  });

  it('fails each call that waits for a disk that fails, however much is owed to it already', async () => {
    await journal.begin(start('first'));
    disk.sync = () => Promise.reject(Object.assign(new Error('x'), { code: 'EIO' }));
    for (let at = 0; at < 250; at += 1) journal.end(end(`c${at}`));
    await assert.rejects(journal.begin(start('second')), { code: 'journalFailed' });
  });

  it('does not wait for ever at its end', async () => {
    await journal.begin(start('first'));
    const hanging = deferred<undefined>();
    disk.sync = () => hanging.promise;
    journal.end(end('first'));
    const closed = journal.close();
    await eventually(async () => (await lines()).includes('end first'), 5_000, 'the line');
    clock.advance(limits.journal.write);
    await closed;
    assert.deepEqual(warnings, ['The journal of calls cannot be written: the disk did not answer in time.']);
    hanging.resolve(undefined);
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
