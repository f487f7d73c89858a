// Writes a folder of built files while others may read from it.
import { mkdir, readdir, rename, rm, writeFile } from 'node:fs/promises';
import { dirname, join, resolve } from 'node:path';

/**
 * Each file is there whole or not at all, and those that load others come last.
 * @param {readonly { readonly path: string, readonly contents: Uint8Array | string }[]} files paths absolute
 */
export async function writeWhole(files) {
  const isChunk = (/** @type {{ readonly path: string }} */ { path }) => path.includes('chunks');
  for (const { path, contents } of [...files.filter(isChunk), ...files.filter((file) => !isChunk(file))]) {
    await mkdir(dirname(path), { recursive: true });
    await writeFile(`${path}.${process.pid}`, contents);
    await rename(`${path}.${process.pid}`, path);
  }
}

const beingWritten = /\.\d+$/;

/**
 * Takes out what an earlier build left, once a new one is there; never what another build is just writing.
 * @param {string} folder
 * @param {readonly string[]} wanted paths of the files that stay
 */
export async function removeOthers(folder, wanted) {
  const kept = new Set(wanted.map((path) => resolve(path)));
  for (const entry of await readdir(folder, { recursive: true, withFileTypes: true })) {
    const path = resolve(join(entry.parentPath, entry.name));
    if (!entry.isDirectory() && !kept.has(path) && !beingWritten.test(path)) await rm(path, { force: true });
  }
}
