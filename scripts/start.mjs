// npm start: sets up all that is missing, then opens a real VS Code with the packed extension and a sample workspace.
// Its options: lib/startOptions.mjs.
import { join } from 'node:path';
import { ensureDependencies } from './dependencies.mjs';
import { repository } from './lib/places.mjs';
import { SetupError, runScript, say } from './lib/say.mjs';
import { readStartOptions } from './lib/startOptions.mjs';

await runScript(async () => {
  const options = readStartOptions(process.argv.slice(2));
  ensureDependencies(repository);
  // Only now is there anything to import that is not our own.
  const { packageExtension } = await import('./lib/packageExtension.mjs');
  const { openSampleWorkspace } = await import('./lib/sampleWorkspace.mjs');
  say('extension', 'building and packing');
  const vsix = await packageExtension();
  const desktop = options.desktop || process.platform !== 'linux';
  const sample = options.folder === undefined ? await openSampleWorkspace() : undefined;
  const folder = sample?.folder ?? options.folder ?? repository;
  say(sample ? 'sample' : 'folder', folder);
  try {
    if (desktop) await (await import('./lib/startDesktop.mjs')).startDesktop({ vsix, folder });
    else await startInBrowser({ vsix, folder, smoke: options.smoke, sampled: sample !== undefined });
  } finally {
    await sample?.stop();
    say('end', 'everything that was started has ended');
  }
});

/**
 * @param {{ vsix: string, folder: string, smoke: boolean, sampled: boolean }} options
 */
async function startInBrowser({ vsix, folder, smoke, sampled }) {
  const { ensureChromium } = await import('./lib/chromium.mjs');
  const { ensureEditorBuild } = await import('./lib/editorBuild.mjs');
  const { startEditorServer } = await import('./lib/editorServer.mjs');
  const { newSessionSecret, openDoorway } = await import('./lib/doorway.mjs');
  const { sampleSettings } = await import('./lib/sampleWorkspace.mjs');
  const build = await ensureEditorBuild();
  // Any browser can open the address: without Chromium only the smoke run is impossible.
  const chromium = await ensureChromium().catch((/** @type {unknown} */ error) => {
    if (smoke || !(error instanceof SetupError)) throw error;
    say('chromium', error.message);
    return undefined;
  });
  const sessionSecret = newSessionSecret();
  say('editor', 'starting, with a home, settings and extensions of its own');
  const server = await startEditorServer({ build, vsix, sessionSecret, testDriver: false, settings: sampleSettings });
  const doorway = await openDoorway(sessionSecret, server.address({ folder }));
  try {
    if (smoke) {
      const { smokeTest } = await import('./lib/smokeTest.mjs');
      const picture = join(repository, 'out', 'screenshots', 'start.png');
      await smokeTest({ chromium: chromium ?? '', address: doorway.address, picture, servers: sampled });
      say('smoke', `the workbench is up, with the MCP view; see ${picture}`);
      return;
    }
    // The one address that is printed, and last: it is the one to open.
    console.log(`
  VS Code ${build.version.replace(/^\d+/, '1')} with MCP Roundhouse is up. In it:

  1. Trust the folder: "Manage" in the bar at the top, then "Trust". Close that page.
  2. Open "MCP" at the bottom of the Explorer, choose "Review and Approve…" on a server, read its command, and run it.

  Agents find this window from its own home alone, in the opened folder:

      HOME='${server.home}' '${server.home}/.mcp-roundhouse/bin/mcp-roundhouse' proxy

  Its user settings turn remote servers on, so that the sample's HTTP server can be tried; that is off by default.
  Ctrl-C here ends everything.

  Open this address in a browser, the whole of it, as it holds the key:

      ${doorway.address}
`);
    const { openInBrowser } = await import('./lib/openInBrowser.mjs');
    openInBrowser(doorway.address, chromium);
    await untilToldToEnd(server);
  } finally {
    doorway.close();
    await server.stop();
  }
}

/**
 * @param {import('./lib/editorServer.mjs').EditorServer} server
 * @throws {SetupError} when the editor ends by itself
 */
async function untilToldToEnd(server) {
  const reason = await new Promise((done) => {
    for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP']) process.once(signal, () => done(undefined));
    void server.exited.then(done);
  });
  if (reason !== undefined) throw new SetupError(`The editor ${String(reason)}.`);
  console.log('');
  say('end', 'stopping the editor and its servers');
}
