import assert from 'node:assert/strict';
import { chmod, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, before, describe, it } from 'mocha';
import { findChromium } from '../../../scripts/lib/chromium.mjs';
import { cacheFolder } from '../../../scripts/lib/places.mjs';

describe('what the set-up looks for', () => {
  let folder: string;
  before(async () => {
    folder = await mkdtemp(join(tmpdir(), 'rh-find-'));
    for (const name of ['google-chrome', 'chromium']) {
      await writeFile(join(folder, name), '#!/bin/sh\n');
      await chmod(join(folder, name), 0o755);
    }
  });
  after(() => rm(folder, { recursive: true }));

  it('takes the browser that is named, before any on PATH', () => {
    const named = join(folder, 'google-chrome');
    assert.equal(findChromium({ PATH: folder, ROUNDHOUSE_CHROMIUM: named }), named);
  });

  it('refuses a named browser that is no program, and does not take another one silently', () => {
    const named = join(folder, 'missing');
    assert.throws(
      () => findChromium({ PATH: folder, ROUNDHOUSE_CHROMIUM: named }),
      /ROUNDHOUSE_CHROMIUM names .*missing/,
    );
  });

  it('prefers Chromium among those on PATH, and finds none on an empty one', function () {
    if (process.platform !== 'linux') this.skip();
    assert.equal(findChromium({ PATH: folder }), join(folder, 'chromium'));
    assert.equal(findChromium({ PATH: '' }), undefined);
  });

  it('keeps the editor where ROUNDHOUSE_CACHE_DIR says, else in the cache folder of the person', () => {
    assert.equal(cacheFolder({ ROUNDHOUSE_CACHE_DIR: folder, XDG_CACHE_HOME: '/elsewhere' }), folder);
    assert.equal(cacheFolder({ XDG_CACHE_HOME: folder }), join(folder, 'mcp-roundhouse'));
  });
});
