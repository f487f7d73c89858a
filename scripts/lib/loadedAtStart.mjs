// What a built program loads before anything is asked of it: its entry and every chunk that it imports statically.
import { readFileSync } from 'node:fs';
import { dirname, resolve } from 'node:path';

/**
 * @param {string} entry path of a program that esbuild has minified
 * @returns {ReadonlyMap<string, string>} path and text of each file
 */
export function loadedAtStart(entry) {
  const files = new Map();
  const visit = (/** @type {string} */ file) => {
    if (files.has(file)) return;
    const text = readFileSync(file, 'utf8');
    files.set(file, text);
    for (const [, name = ''] of text.matchAll(/(?:\bfrom|\bimport)\s*"(\.[^"]+\.js)"/g))
      visit(resolve(dirname(file), name));
  };
  visit(resolve(entry));
  return files;
}
