// Finds a desktop VS Code: the one that ROUNDHOUSE_VSCODE names, else a downloaded one (ROUNDHOUSE_VSCODE_VERSION, or stable).
import { downloadAndUnzipVSCode } from '@vscode/test-electron';
import { SetupError, say } from './say.mjs';

/**
 * @returns {Promise<string>} its executable
 * @throws {SetupError} when none is named and none can be downloaded
 */
export async function findDesktopEditor() {
  const executable = process.env['ROUNDHOUSE_VSCODE'] ?? (await download());
  say('editor', executable);
  return executable;
}

async function download() {
  try {
    return await downloadAndUnzipVSCode({ version: process.env['ROUNDHOUSE_VSCODE_VERSION'] ?? 'stable' });
  } catch (error) {
    const why = error instanceof Error ? error.message : String(error);
    throw new SetupError(
      `No desktop VS Code: the download failed (${why}). Name an installed one in ROUNDHOUSE_VSCODE, ` +
        'or use `npm run test:host`, which needs no download of the editor.',
    );
  }
}
