// The browser that editor and page tests run in: one already on the machine, else Debian's.
import { accessSync, constants } from 'node:fs';
import { findProgram, installDebianPackages } from './debian.mjs';
import { SetupError, say } from './say.mjs';

const names = ['chromium', 'chromium-browser', 'google-chrome-stable', 'google-chrome', 'microsoft-edge'];
const places = {
  darwin: [
    '/Applications/Google Chrome.app/Contents/MacOS/Google Chrome',
    '/Applications/Chromium.app/Contents/MacOS/Chromium',
    '/Applications/Microsoft Edge.app/Contents/MacOS/Microsoft Edge',
  ],
  win32: [
    'C:\\Program Files\\Google\\Chrome\\Application\\chrome.exe',
    'C:\\Program Files (x86)\\Microsoft\\Edge\\Application\\msedge.exe',
  ],
};

/**
 * The browser's path: ROUNDHOUSE_CHROMIUM where set, else the first one known on this machine.
 * @param {NodeJS.ProcessEnv} [env]
 * @returns {string | undefined}
 * @throws {SetupError} when ROUNDHOUSE_CHROMIUM names no program
 */
export function findChromium(env = process.env) {
  const named = env['ROUNDHOUSE_CHROMIUM'];
  if (named) {
    if (isProgram(named)) return named;
    throw new SetupError(`ROUNDHOUSE_CHROMIUM names ${named}, which is not a program.`);
  }
  if (process.platform === 'darwin' || process.platform === 'win32') return places[process.platform].find(isProgram);
  return names.map((name) => findProgram(name, env)).find((file) => file !== undefined);
}

/**
 * The browser's path; installs Debian's chromium when there is none.
 * @param {typeof say} [tell] told where it is
 * @returns {Promise<string>}
 * @throws {SetupError} when there is none and it cannot be installed here
 */
export async function ensureChromium(tell = say) {
  const found = findChromium();
  if (found) {
    tell('chromium', found);
    return found;
  }
  if (process.platform !== 'linux')
    throw new SetupError('No Chromium, Chrome or Edge was found. Install one, or name it in ROUNDHOUSE_CHROMIUM.');
  await installDebianPackages(['chromium', 'fonts-dejavu-core'], 'editor and page tests');
  const installed = findChromium();
  if (!installed) throw new SetupError('Chromium was installed but is not on PATH. Name it in ROUNDHOUSE_CHROMIUM.');
  tell('chromium', installed);
  return installed;
}

/** @param {string} file */
function isProgram(file) {
  try {
    accessSync(file, constants.X_OK);
    return true;
  } catch {
    return false;
  }
}
