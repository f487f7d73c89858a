// How much the editor reads at its start because of us: a count over the build, not a time.
import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { readdirSync, readFileSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { before, describe, it } from 'mocha';
import { loadedAtStart } from '../../scripts/lib/loadedAtStart.mjs';

const root = join(import.meta.dirname, '../..');
const built = join(root, 'out/bench');

/** Words of each part that must not load before it is needed; minifying keeps them. */
const late = {
  'the SDK': 'versionNegotiation',
  'the HTTP transport': 'x-roundhouse-exchange',
  'the result page': 'Content-Security-Policy',
} as const;

describe('what the extension loads when the editor starts', () => {
  let loaded: ReadonlyMap<string, string>;
  before(() => {
    const made = spawnSync(process.execPath, ['esbuild.mjs', '--bench'], { cwd: root, encoding: 'utf8' });
    assert.equal(made.status, 0, made.stderr);
    loaded = loadedAtStart(join(built, 'extension.js'));
  });

  it('is at most 100 KiB, minified [QUAL-17]', () => {
    const sizes = [...loaded.keys()].map((file) => statSync(file).size);
    const size = sizes.reduce((sum, each) => sum + each, 0);
    assert.ok(size > 10_000 && size <= 100 * 1024, `${size} bytes in ${sizes.length} files`);
  });

  for (const [what, word] of Object.entries(late)) {
    it(`is without ${what}, which is in a chunk for later [QUAL-17]`, () => {
      const all = readdirSync(built, { recursive: true, encoding: 'utf8' }).filter((file) => file.endsWith('.js'));
      const holders = all.map((file) => join(built, file)).filter((file) => readFileSync(file, 'utf8').includes(word));
      assert.ok(holders.length > 0, `nothing holds ${word} any more`);
      assert.deepEqual(
        holders.filter((file) => loaded.has(file)),
        [],
      );
    });
  }
});
