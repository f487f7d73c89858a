import { readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';

/** A test whose title ends with clause ids in brackets. */
export interface Citation {
  readonly id: string;
  /** Path from the root of the repository, with forward slashes. */
  readonly file: string;
  readonly title: string;
}

/** Where a test proves a clause: unit tests only help. Paths from the root of the repository. */
export const provingFolders = ['test/scenarios', 'test/host', 'test/editor', 'test/page'];

/** Finds the clause ids at the end of test titles in all files below `folder` (path from `root`). */
export function citationsBelow(root: string, folder: string): readonly Citation[] {
  return testFiles(path.join(root, folder)).flatMap((file) =>
    citationsIn(readFileSync(file, 'utf8')).map((found) => ({
      ...found,
      file: path.relative(root, file).replaceAll('\\', '/'),
    })),
  );
}

/** The same for one text. A title is the string right after `it(`, `it.only(`, `describe(` or `test(`. */
export function citationsIn(source: string): readonly { readonly id: string; readonly title: string }[] {
  const title = /\b(?:it|describe|test)(?:\.\w+)?\(\s*(?:'((?:[^'\\]|\\.)*)'|"((?:[^"\\]|\\.)*)"|`((?:[^`\\]|\\.)*)`)/g;
  return [...source.matchAll(title)].flatMap((match) => {
    const text = match[1] ?? match[2] ?? match[3] ?? '';
    const ids = /\[([A-Z]+-\d+[a-z]?(?:,\s*[A-Z]+-\d+[a-z]?)*)\]\s*$/.exec(text)?.[1];
    return ids === undefined ? [] : ids.split(/,\s*/).map((id) => ({ id, title: text }));
  });
}

function testFiles(folder: string): readonly string[] {
  let entries;
  try {
    entries = readdirSync(folder, { withFileTypes: true, recursive: true });
  } catch {
    return [];
  }
  return entries
    .filter((entry) => entry.isFile() && entry.name.endsWith('.ts'))
    .map((entry) => path.join(entry.parentPath, entry.name))
    .sort();
}
