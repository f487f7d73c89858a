// What `npm start` was asked for, checked before anything is set up.
import { statSync } from 'node:fs';
import { resolve } from 'node:path';
import { parseArgs } from 'node:util';
import { SetupError } from './say.mjs';

const startUsage = `How to use it:
  npm start                    until Ctrl-C; opens a browser where there is a display
  npm start -- --folder DIR    opens DIR in place of the sample
  npm start -- --desktop       in a desktop VS Code (ROUNDHOUSE_VSCODE, else downloaded); the default off Linux
  npm start -- --smoke         comes up, looks, writes out/screenshots/start.png and ends`;

/**
 * @param {readonly string[]} args
 * @returns {{ smoke: boolean, desktop: boolean, folder: string | undefined }} folder: absolute path of a folder or of a
 *   .code-workspace file that exists
 * @throws {SetupError} for what it does not know and for a folder that is not there
 */
export function readStartOptions(args) {
  const { smoke = false, desktop = false, folder } = parse(args);
  return { smoke, desktop, folder: folder === undefined ? undefined : existing(folder) };
}

/** @param {readonly string[]} args */
function parse(args) {
  try {
    return parseArgs({
      args: [...args],
      options: { smoke: { type: 'boolean' }, desktop: { type: 'boolean' }, folder: { type: 'string' } },
    }).values;
  } catch (error) {
    // The parser's first sentence names what is wrong; those after it speak of its own workings.
    const [first = ''] = (error instanceof Error ? error.message : String(error)).split('. ');
    throw new SetupError(`${first.replace(/\.$/, '')}.\n\n${startUsage}`);
  }
}

/** @param {string} folder */
function existing(folder) {
  if (folder === '') throw new SetupError(`--folder needs a folder.\n\n${startUsage}`);
  const path = resolve(folder);
  const found = statSync(path, { throwIfNoEntry: false });
  if (found?.isDirectory() === true || (found?.isFile() === true && path.endsWith('.code-workspace'))) return path;
  throw new SetupError(`--folder: there is no folder (and no .code-workspace file) ${path}.`);
}
