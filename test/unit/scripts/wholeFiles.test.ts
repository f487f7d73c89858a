import assert from 'node:assert/strict';
import { existsSync, mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, before, describe, it } from 'mocha';
import { removeOthers, writeWhole } from '../../../scripts/lib/wholeFiles.mjs';

describe('a folder of built files', () => {
  let folder: string;
  before(() => {
    folder = mkdtempSync(join(tmpdir(), 'rh-built-'));
  });
  after(() => {
    rmSync(folder, { recursive: true });
  });

  const built = (chunk: string) => [
    { path: join(folder, 'cli.js'), contents: `import './chunks/${chunk}';`.repeat(20_000) },
    { path: join(folder, 'chunks', chunk), contents: 'export {};' },
  ];

  it('has a whole program at every moment while it is built anew', async () => {
    await writeWhole(built('old.js'));
    let looks = 0;
    const broken: string[] = [];
    let isOver = false;
    const look = (): void => {
      looks += 1;
      const path = join(folder, 'cli.js');
      const text = existsSync(path) ? readFileSync(path, 'utf8') : '';
      const chunk = /chunks\/\w+\.js/.exec(text)?.[0];
      const isWhole = text.endsWith(';') && text.length > 400_000;
      if (!isWhole || chunk === undefined || !existsSync(join(folder, chunk))) broken.push(text.slice(0, 40));
      if (!isOver) setImmediate(look);
    };
    look();
    const files = built('new.js');
    await writeWhole(files);
    await removeOthers(
      folder,
      files.map(({ path }) => path),
    );
    isOver = true;
    assert.deepEqual(broken, []);
    assert.equal(looks > 3, true);
  });

  it('keeps nothing of an earlier build, but what another one is writing', async () => {
    const mine = built('newer.js');
    await writeWhole([...mine, { path: join(folder, 'chunks', 'old.js'), contents: '' }]);
    await writeWhole([{ path: join(folder, 'chunks', 'theirs.js.4711'), contents: '' }]);
    await removeOthers(
      folder,
      mine.map(({ path }) => path),
    );
    const left = readdirSync(folder, { recursive: true, encoding: 'utf8' }).sort();
    assert.deepEqual(
      left.map((name) => name.replaceAll('\\', '/')),
      ['chunks', 'chunks/newer.js', 'chunks/theirs.js.4711', 'cli.js'],
    );
  });
});
