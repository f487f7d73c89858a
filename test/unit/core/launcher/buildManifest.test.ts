import assert from 'node:assert/strict';
import { describe, it } from 'mocha';
import { buildName, isBuildName, readManifest } from '../../../../src/core/launcher/buildManifest.ts';

const file = { path: 'cli.js', bytes: 3, sha256: 'a'.repeat(64) };
const manifest = { version: '1.2.3', files: [file, { ...file, path: 'chunks/a-B1.js' }] };
const read = (value: unknown): unknown => readManifest(JSON.stringify(value));

describe('the list of a build’s files', () => {
  it('is read as it was written', () => assert.deepEqual(read(manifest), manifest));

  for (const path of ['../cli.js', '/cli.js', 'chunks/../../x.js', 'a/b.js', 'C:\\x.js', '.js', 'cli.mjs', '']) {
    it(`is refused with a file called ${JSON.stringify(path)}`, () => {
      assert.throws(() => read({ ...manifest, files: [{ ...file, path }] }));
    });
  }

  it('is refused without files, with a version that is none, or with what it should not have', () => {
    assert.throws(() => read({ ...manifest, files: [] }));
    assert.throws(() => read({ ...manifest, version: '../1' }));
    assert.throws(() => read({ ...manifest, other: 1 }));
    assert.throws(() => read({ ...manifest, files: [{ ...file, bytes: -1 }] }));
    assert.throws(() => readManifest('{'));
  });

  it('names a build by what is in it, in whatever order', () => {
    const name = buildName(manifest);
    assert.match(name, /^1\.2\.3-[0-9a-f]{16}$/);
    assert.ok(isBuildName(name));
    assert.equal(buildName({ ...manifest, files: manifest.files.toReversed() }), name);
    assert.notEqual(buildName({ ...manifest, files: [{ ...file, sha256: 'b'.repeat(64) }] }), name);
    assert.notEqual(buildName({ ...manifest, version: '1.2.4' }), name);
  });

  it('is told from everything else beside the launcher', () => {
    assert.ok(isBuildName('1.0.0-beta.1-0123456789abcdef'));
    for (const name of ['mcp-roundhouse', 'runtimes.json', 'install.lock', '.left-0123456789abcdef', '1.0.0']) {
      assert.ok(!isBuildName(name), name);
    }
  });
});
