import assert from 'node:assert/strict';
import { describe, it } from 'mocha';
import { embeddedIn, noticesOf, packageOf } from '../../../scripts/lib/notices.mjs';

describe('the notices of bundled packages', () => {
  it('know the package of a bundled file, the innermost one of several', () => {
    const found = (file: string) => packageOf(file)?.folder;
    assert.equal(found('src/extension.ts'), undefined);
    assert.equal(found('node_modules/zod/mini/index.js'), 'node_modules/zod');
    assert.equal(found('node_modules/@a/b/dist/x.js'), 'node_modules/@a/b');
    assert.equal(found('node_modules/a/node_modules/@b/c/x.js'), 'node_modules/a/node_modules/@b/c');
  });

  it('know the packages that a bundled file was itself bundled from', () => {
    const region = (path: string): string => `//#region ../../node_modules/.pnpm/${path}\nvar a;\n//#endregion\n`;
    const text = [
      'ajv-formats@3.0.1_ajv@8.18.0/node_modules/ajv-formats/dist/x.js',
      '@s+p@4.1.1/node_modules/@s/p/x.js',
    ]
      .map(region)
      .join('');
    assert.deepEqual(embeddedIn(text), [
      { name: 'ajv-formats', version: '3.0.1' },
      { name: '@s/p', version: '4.1.1' },
    ]);
  });

  it('hold the licence of each package whose bytes are in a bundle, once, and of no other', async () => {
    const input = (bytesInOutput: number) => ({ bytesInOutput });
    const inputs = {
      'src/extension.ts': input(10),
      'node_modules/cross-spawn/index.js': input(10),
      'node_modules/cross-spawn/lib/parse.js': input(10),
      'node_modules/which/which.js': input(0),
    };
    const text = await noticesOf([{ outputs: { 'dist/a.js': { inputs } } }, { outputs: { 'dist/b.js': { inputs } } }]);
    assert.equal(text.match(/^cross-spawn [\d.]+ \(MIT\)$/gm)?.length, 1);
    assert.match(text, /MOXY/);
    assert.doesNotMatch(text, /^which /m);
  });

  it('refuse a package without a licence', async () => {
    // A package that ships no licence file; should it ever do, another one serves.
    const inputs = { 'node_modules/isarray/index.js': { bytesInOutput: 1 } };
    await assert.rejects(noticesOf([{ outputs: { 'dist/a.js': { inputs } } }]), /licence of isarray/);
  });
});
