import assert from 'node:assert/strict';
import { readFile } from 'node:fs/promises';
import { describe, it } from 'mocha';

const root = new URL('../../', import.meta.url);

describe('the security page', () => {
  it('names for each promise a test that cites one of its clauses, and leaves no cited clause without a test', async () => {
    const page = await readFile(new URL('SECURITY.md', root), 'utf8');
    const rows = [...page.matchAll(/^\| [^|]+ \| ([A-Z]+-\d[^|]*) \| (`test\/[^|]*) \|$/gm)];
    assert.ok(rows.length >= 10, 'the table of promises was found');
    for (const [row, clauses = '', tests = ''] of rows) {
      const files = [...tests.matchAll(/`([^`]+)`/g)].map(([, file = '']) => file);
      const texts = await Promise.all(files.map((file) => readFile(new URL(file, root), 'utf8')));
      const wanted = clauses
        .trim()
        .split(', ')
        .map((clause) => new RegExp(`\\b${clause}[a-z]\\b`));
      for (const [index, text] of texts.entries()) {
        assert.ok(
          wanted.some((clause) => clause.test(text)),
          `${files[index] ?? ''} cites none of: ${row}`,
        );
      }
      for (const clause of wanted)
        assert.ok(
          texts.some((text) => clause.test(text)),
          `${String(clause)} of: ${row}`,
        );
    }
  });
});
