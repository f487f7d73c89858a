// npm run test:host: the suite of test/host inside the extension host of a real VS Code, opened in Chromium.
// Expects the extension to be built (npm run build).
import { setTimeout as pause } from 'node:timers/promises';
import { launchBrowser } from './lib/browser.mjs';
import { ensureChromium } from './lib/chromium.mjs';
import { ensureEditorBuild } from './lib/editorBuild.mjs';
import { startEditorServer } from './lib/editorServer.mjs';
import { beginHostRun, buildHostTests, hostTests } from './lib/hostRun.mjs';
import { repository } from './lib/places.mjs';
import { runScript } from './lib/say.mjs';

const limitMs = 10 * 60_000;

await runScript(async () => {
  const [chromium, build] = [await ensureChromium(), await ensureEditorBuild()];
  await buildHostTests();
  const run = await beginHostRun();
  // Trust is tested through the window, in test/editor; here every folder is trusted.
  const settings = { 'security.workspace.trust.enabled': false };
  const server = await startEditorServer({ build, env: run.env, settings });
  const browser = await launchBrowser(chromium);
  /** @type {string | undefined} */
  let outcome;
  try {
    const page = await browser.newPage();
    /** @type {Promise<string | undefined>} */
    const exit = new Promise((resolve) => {
      void page.exposeFunction('codeAutomationExit', (/** @type {number} */ code, /** @type {unknown} */ logs) =>
        resolve(code === 0 ? undefined : complaint(logs)),
      );
    });
    await page.exposeFunction('codeAutomationLog', () => undefined);
    await page.goto(server.address({ folder: run.folder, extension: repository, tests: hostTests }), {
      timeout: 120_000,
    });
    const late = pause(limitMs, `It ran longer than ${String(limitMs / 60_000)} minutes.`, { ref: false });
    outcome = await Promise.race([exit, late]);
    await page.close();
  } catch (error) {
    outcome = String(error);
  } finally {
    await browser.close();
    await server.stop();
    process.exitCode = await run.finish(outcome);
  }
});

/**
 * The lines of the window's logs that tell why a run failed to start.
 * @param {unknown} logs
 */
function complaint(logs) {
  const files = Array.isArray(logs) ? /** @type {{ relativePath: string, contents: string }[]} */ (logs) : [];
  const lines = files.flatMap(({ contents }) => contents.split('\n')).filter((line) => /\[error\]|Error:/.test(line));
  return `The editor's log says:\n${lines.slice(-20).join('\n')}`;
}
