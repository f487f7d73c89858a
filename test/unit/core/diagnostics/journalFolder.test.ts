import assert from 'node:assert/strict';
import { readdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, it } from 'mocha';
import { ownIdentity, systemFacts } from '../../../../src/core/config/processIdentity.ts';
import { journalFileName, pruneJournal } from '../../../../src/core/diagnostics/journalFolder.ts';
import { lineOf } from '../../../../src/core/diagnostics/journalLines.ts';
import { limits } from '../../../../src/core/limits.ts';
import { temporaryFolder } from '../../../support/temporaryFolder.ts';

describe('making room in the journal’s folder', () => {
  it('leaves the file that a living process writes, also where its clock was set back before it made that file', async () => {
    const folder = await temporaryFolder();
    try {
      const instance = 'a'.repeat(16);
      const now = Date.now();
      const owner = lineOf({ kind: 'process', version: 1, ...(await ownIdentity(systemFacts)) });
      const newest = limits.journal.files - 1;
      const nameOf = (sequence: number): string =>
        journalFileName(sequence === newest ? now - 1_000_000 : now + sequence, instance, sequence);
      for (let sequence = 0; sequence <= newest; sequence += 1) {
        await writeFile(join(folder.path, nameOf(sequence)), owner);
      }
      await pruneJournal(folder.path, systemFacts, now);
      const left = await readdir(folder.path);
      assert.deepEqual([left.includes(nameOf(newest)), left.includes(nameOf(0)), left.length], [true, false, newest]);
    } finally {
      await folder.remove();
    }
  });
});
