// `npm start` in a desktop VS Code: the one that ROUNDHOUSE_VSCODE names, else a downloaded one, with folders of its own.
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdir, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { resolveCliArgsFromVSCodeExecutablePath } from '@vscode/test-electron';
import { findDesktopEditor } from './desktopEditor.mjs';
import { run } from './run.mjs';
import { makeRunFolder } from './runFolder.mjs';
import { sampleSettings } from './sampleWorkspace.mjs';
import { SetupError, say } from './say.mjs';

/**
 * Runs until its last window is closed, or until Ctrl-C.
 * @param {{ vsix: string, folder: string }} options
 * @throws {SetupError} when there is no such editor, or it fails
 */
export async function startDesktop({ vsix, folder }) {
  const executable = await findDesktopEditor();
  const { folder: base, env: ownFolders } = await makeRunFolder();
  const home = join(base, 'home');
  const common = ['--user-data-dir', join(base, 'data'), '--extensions-dir', join(base, 'ext')];
  const env = { ...process.env, HOME: home, USERPROFILE: home, TMPDIR: ownFolders.TMPDIR };
  try {
    await mkdir(join(base, 'data', 'User'), { recursive: true });
    await mkdir(home);
    await writeFile(join(base, 'data', 'User', 'settings.json'), JSON.stringify(sampleSettings));
    const [cli = executable] = resolveCliArgsFromVSCodeExecutablePath(executable);
    await run(cli, [...common, '--install-extension', vsix], { env, failure: 'The extension could not be installed.' });
    const editor = spawn(executable, [...common, '--new-window', '--wait', folder], { env, stdio: 'ignore' });
    say(
      'editor',
      'open: trust the folder, then look at "MCP" in the Explorer. Ctrl-C, or closing the window, ends everything.',
    );
    for (const signal of /** @type {const} */ (['SIGINT', 'SIGTERM'])) process.once(signal, () => editor.kill());
    const [code] = /** @type {[number | null]} */ (await once(editor, 'exit'));
    if (code) throw new SetupError(`VS Code ended with exit code ${String(code)}.`);
  } finally {
    await rm(base, { recursive: true, force: true, maxRetries: 10, retryDelay: 100 });
  }
}
