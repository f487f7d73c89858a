// The folder of one editor: all that it writes is in it, its sockets too, so that nothing stays when it is removed.
import { mkdir, mkdtemp } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

/**
 * A socket's path has 103 bytes at most on macOS, 107 on Linux. The editor's longest, `vscode-ipc-` with a UUID and
 * `.sock`, has 52, and `/rh-XXXXXX/t/` stands before it.
 */
const longestBase = 103 - 52 - '/rh-XXXXXX/t/'.length;

/**
 * @returns {Promise<{ folder: string, env: { TMPDIR: string, XDG_RUNTIME_DIR: string } }>} absolute path of a new folder
 *   that nobody else may open, and the variables that keep an editor's sockets and temporary files in it
 */
export async function makeRunFolder() {
  const folder = await mkdtemp(join(runFolderBase(tmpdir()), 'rh-'));
  const temporary = join(folder, 't');
  await mkdir(temporary, { mode: 0o700 });
  return { folder, env: { TMPDIR: temporary, XDG_RUNTIME_DIR: temporary } };
}

/**
 * @param {string} temporary the system's temporary folder
 * @param {NodeJS.Platform} [platform]
 * @returns {string} that, or a shorter one where sockets below it would have too long a path
 */
export function runFolderBase(temporary, platform = process.platform) {
  return platform === 'win32' || Buffer.byteLength(temporary) <= longestBase ? temporary : '/tmp';
}
