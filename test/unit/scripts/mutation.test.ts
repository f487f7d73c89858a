import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, it } from 'mocha';
import { broken, verdictOf } from '../../../scripts/lib/mutation.mjs';
import { repository } from '../../../scripts/lib/places.mjs';
import { mutations } from '../../../scripts/mutations/all.mjs';
import { manifest } from '../../requirements/manifest.ts';

describe('a guard that is broken on purpose', () => {
  const mutation = { ...{ clauses: [], guard: 'g', file: 'f', test: 't', title: 'x' }, text: 'if (no)', becomes: '$&' };

  it('is replaced where it stands once, letter by letter, and refused where it does not', () => {
    assert.equal(broken('a; if (no) b;', mutation), 'a; $& b;');
    for (const text of ['a', 'if (no) if (no)']) assert.throws(() => broken(text, mutation), /holds the text of "g"/);
    assert.throws(() => broken('if (no)', { ...mutation, becomes: 'if (no)' }));
  });

  it('is seen by an assertion alone', () => {
    const failures = (...errors: object[]) => ({
      passes: [],
      failures: errors.map((err) => ({ fullTitle: 'x', err })),
    });
    assert.equal(verdictOf(failures({ code: 'ERR_ASSERTION' })), 'killed');
    assert.equal(verdictOf(failures({ message: 'Property failed', cause: { code: 'ERR_ASSERTION' } })), 'killed');
    assert.equal(verdictOf(failures({ code: 'ERR_MOCHA_TIMEOUT' })), 'timed out');
    assert.equal(verdictOf(failures({ message: 'the end did not come true within 5000 ms' })), 'timed out');
    assert.equal(verdictOf(failures({ message: 'x is not defined' })), 'broke');
    assert.equal(verdictOf(undefined), 'broke');
    assert.equal(verdictOf({ passes: [{ fullTitle: 'x' }], failures: [] }), 'survived');
    assert.equal(verdictOf({ passes: [], failures: [] }), 'no test');
  });

  it('stands in the tree as it is written down, and names a test and clauses that are there', () => {
    const ids = new Set(manifest.map(({ id }) => id));
    for (const mutation of mutations) {
      broken(readFileSync(join(repository, mutation.file), 'utf8'), mutation);
      const tests = readFileSync(join(repository, mutation.test), 'utf8');
      assert.ok(
        titlesIn(tests).some((title) => title.test(mutation.title)),
        `${mutation.test}: ${mutation.title}`,
      );
      assert.deepEqual(
        mutation.clauses.filter((id) => !ids.has(id)),
        [],
        mutation.guard,
      );
    }
  });

  it('is there for each behaviour of trust, policy and the door of the gateway that is delivered', () => {
    const covered = new Set(mutations.flatMap(({ clauses }) => clauses));
    const guarded = manifest.filter(
      ({ id, status }) => /^(?:TRUST-|POL-|GATE-2[a-z])/.test(id) && status === 'delivered',
    );
    const missing = guarded.map(({ id }) => id).filter((id) => !covered.has(id));
    assert.deepEqual(missing, []);
  });
});

/** What a part of a title looks like, for each `it` and `describe`; a place that is filled in may hold anything. */
function titlesIn(source: string): readonly { test(part: string): boolean }[] {
  const written = /\b(?:it|describe)\(\s*(?:'((?:[^'\\]|\\.)*)'|"((?:[^"\\]|\\.)*)"|`([^`]*))/g;
  return [...source.matchAll(written)].map(([, single, double, template]) => {
    const title = single ?? double;
    if (title !== undefined) return { test: (part: string) => title.includes(part) };
    const pieces = (template ?? '').split(/\$\{[^}]*\}?/).map((piece) => piece.replace(/[\\^$.*+?()[\]{}|]/g, '\\$&'));
    return new RegExp(`^${pieces.join('.*')}`);
  });
}
