// npm run test:desktop: the same suite in a desktop VS Code: the one that ROUNDHOUSE_VSCODE names, else a downloaded one.
// Expects the extension to be built (npm run build). On Linux without a display run it under xvfb-run.
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { runTests } from '@vscode/test-electron';
import { findDesktopEditor } from './lib/desktopEditor.mjs';
import { beginHostRun, buildHostTests, hostTests } from './lib/hostRun.mjs';
import { repository } from './lib/places.mjs';
import { runScript } from './lib/say.mjs';

await runScript(async () => {
  const vscodeExecutablePath = await findDesktopEditor();
  await buildHostTests();
  const run = await beginHostRun();
  const data = await mkdtemp(join(tmpdir(), 'rh-'));
  /** @type {string | undefined} */
  let outcome;
  try {
    await runTests({
      vscodeExecutablePath,
      extensionDevelopmentPath: repository,
      extensionTestsPath: hostTests,
      extensionTestsEnv: { ...run.env, HOME: join(data, 'home'), USERPROFILE: join(data, 'home') },
      launchArgs: [
        run.folder,
        '--disable-workspace-trust',
        ...['--user-data-dir', join(data, 'data')],
        ...['--extensions-dir', join(data, 'ext')],
      ],
    });
  } catch (error) {
    outcome = error instanceof Error ? error.message : String(error);
  } finally {
    process.exitCode = await run.finish(outcome);
    await rm(data, { recursive: true, force: true, maxRetries: 10, retryDelay: 100 });
  }
});
