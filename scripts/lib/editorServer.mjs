// Starts a VS Code server with folders of its own, so that neither this person's settings, extensions and home nor another
// run is touched, and stops it with all its processes.
import { cp, mkdir, readFile, rm, writeFile } from 'node:fs/promises';
import { basename, join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { setTimeout as pause } from 'node:timers/promises';
import { startGuarded } from './guardedProcess.mjs';
import { lastLines, run } from './run.mjs';
import { makeRunFolder } from './runFolder.mjs';
import { SetupError } from './say.mjs';

const startMs = 60_000;

// No network, no welcome, no surprise: what a test sees depends on the extension alone.
const quietSettings = {
  'workbench.startupEditor': 'none',
  'workbench.tips.enabled': false,
  // The theme is the one that the settings name, whatever the machine prefers.
  'window.autoDetectColorScheme': false,
  'window.autoDetectHighContrast': false,
  // Its copies of rows lie over the rows.
  'workbench.tree.enableStickyScroll': false,
  'editor.stickyScroll.enabled': false,
  'workbench.enableExperiments': false,
  'workbench.secondarySideBar.defaultVisibility': 'hidden',
  'telemetry.telemetryLevel': 'off',
  'update.showReleaseNotes': false,
  'extensions.autoCheckUpdates': false,
  'extensions.autoUpdate': 'off',
  'extensions.ignoreRecommendations': true,
  'security.workspace.trust.startupPrompt': 'never',
  'security.workspace.trust.banner': 'always',
  'git.openRepositoryInParentFolders': 'never',
};

// The editor's own processes, some of which linger after their server ended: only what extensions started is a fault.
const ownProcess =
  /code-server\/(out\/node\/entry|lib\/vscode\/(out\/bootstrap-fork|extensions\/|node_modules\/@github\/copilot))/;

/**
 * @typedef {object} EditorServerOptions
 * @property {import('./editorBuild.mjs').EditorBuild} build
 * @property {Record<string, unknown>} [settings] user settings beside the quiet ones
 * @property {NodeJS.ProcessEnv} [env] variables added to the cleaned environment
 * @property {string} [vsix] a packed extension to install first
 * @property {readonly string[]} [installed] folders of extensions that are there from the beginning, as if installed
 * @property {boolean} [testDriver] honours `payload` in addresses (development extension, tests); true when left out
 * @property {string} [sessionSecret] value of the cookie without which every request is refused; open when left out
 */

/**
 * @typedef {object} WindowOptions
 * @property {string} folder absolute path of the workspace folder, or of a .code-workspace file
 * @property {string} [extension] absolute path of a development extension
 * @property {string} [tests] absolute path of a module whose run() is called in the extension host
 */

/**
 * @typedef {object} EditorServer
 * @property {number} port
 * @property {string} folder holds all the folders below; removed by stop()
 * @property {string} home the HOME that the editor and its extensions see
 * @property {string} userData
 * @property {string} extensions
 * @property {string} log
 * @property {(window: WindowOptions) => string} address of a window
 * @property {() => import('./processTree.mjs').ProcessEntry[]} processes everything that runs below the server now
 * @property {Promise<string>} exited settles with the reason when the server ends, by a stop or by itself
 * @property {() => Promise<string[]>} stop ends the server; answers "PID COMMAND" of each process started by an extension that had to
 *   be killed; safe to call twice
 */

/**
 * Starts a server and waits until it answers.
 * @param {EditorServerOptions} options
 * @returns {Promise<EditorServer>}
 * @throws {SetupError} with the log's end when it does not come up in 60 s
 */
export async function startEditorServer(options) {
  const { build, testDriver = true } = options;
  const { folder, env: ownFolders } = await makeRunFolder();
  const [home, userData, extensions, log] = ['home', 'data', 'ext', 'log'].map((name) => join(folder, name));
  if (!home || !userData || !extensions || !log) throw new Error('unreachable');
  for (const path of [home, join(userData, 'User'), extensions]) await mkdir(path, { recursive: true });
  for (const path of options.installed ?? []) await cp(path, join(extensions, basename(path)), { recursive: true });
  const settings = { ...quietSettings, ...options.settings };
  await writeFile(join(userData, 'User', 'settings.json'), JSON.stringify(settings, undefined, 2));
  const config = join(folder, 'config.yaml');
  await writeFile(config, '');
  /** @type {NodeJS.ProcessEnv} */
  const env = { ...cleanEnvironment(home), ...ownFolders, ...options.env };
  if (options.sessionSecret) env['HASHED_PASSWORD'] = options.sessionSecret;
  const common = ['--user-data-dir', userData, '--extensions-dir', extensions, '--config', config];
  /** @type {import('./guardedProcess.mjs').GuardedProcess | undefined} */
  let server;
  const stop = async () => {
    const leftovers = ((await server?.stop()) ?? []).filter((line) => !ownProcess.test(line));
    await rm(folder, { recursive: true, force: true, maxRetries: 10, retryDelay: 50 });
    return leftovers;
  };
  try {
    if (options.vsix)
      await run(build.node, [build.entry, ...common, '--install-extension', options.vsix], {
        env,
        log,
        failure: `${options.vsix} could not be installed.`,
        timeout: startMs,
      });
    const started = await startGuarded({
      command: build.node,
      args: [
        build.entry,
        ...common,
        ...['--auth', options.sessionSecret ? 'password' : 'none'],
        ...['--bind-addr', '127.0.0.1:0'],
        ...['--session-socket', join(folder, 'ipc.sock')],
        '--disable-telemetry',
        '--disable-update-check',
        '--ignore-last-opened',
        // A window that crashed gives its extension host up after 5 s, not 3 h.
        ...['--reconnection-grace-time', '5'],
        ...(testDriver ? ['--vscode-option', 'enable-smoke-test-driver'] : []),
      ],
      cwd: folder,
      env,
      log,
      folder,
    });
    server = started;
    const port = await waitUntilReady(started, log);
    return {
      port,
      folder,
      home,
      userData,
      extensions,
      log,
      address: (window) => windowAddress(port, window),
      processes: started.below,
      exited: started.exited,
      stop,
    };
  } catch (error) {
    await stop();
    throw error;
  }
}

/**
 * The address of a window with a development extension and tests, where asked for.
 * @param {number} port
 * @param {WindowOptions} window
 * @returns {string}
 */
function windowAddress(port, { folder, extension, tests }) {
  const address = new URL(`http://127.0.0.1:${String(port)}/`);
  address.searchParams.set(folder.endsWith('.code-workspace') ? 'workspace' : 'folder', folder);
  /** @type {(path: string) => string} */
  const remote = (path) => `vscode-remote://${address.host}${pathToFileURL(path).pathname}`;
  const payload = [
    ...(extension ? [['extensionDevelopmentPath', remote(extension)]] : []),
    ...(tests ? [['extensionTestsPath', remote(tests)]] : []),
  ];
  if (payload.length > 0) address.searchParams.set('payload', JSON.stringify(payload));
  return address.href;
}

/**
 * @param {import('./guardedProcess.mjs').GuardedProcess} server
 * @param {string} log
 * @returns {Promise<number>} the port it chose
 */
async function waitUntilReady(server, log) {
  const deadline = Date.now() + startMs;
  while (Date.now() < deadline && server.ended() === undefined) {
    const text = await readFile(log, 'utf8').catch(() => '');
    const port = /HTTP server listening on http:\/\/127\.0\.0\.1:(\d+)/.exec(text)?.[1];
    if (port && (await answers(Number(port)))) return Number(port);
    await pause(50);
  }
  const why = server.ended() ?? 'did not answer in time';
  throw new SetupError(`The VS Code server ${why}. The last lines of its log:\n${await lastLines(log, 25)}`);
}

/** @param {number} port */
async function answers(port) {
  try {
    return (await fetch(`http://127.0.0.1:${String(port)}/healthz`, { signal: AbortSignal.timeout(5_000) })).ok;
  } catch {
    return false;
  }
}

/**
 * This process's environment without what would change how the editor runs, and with a home of its own.
 * @param {string} home
 * @returns {NodeJS.ProcessEnv}
 */
function cleanEnvironment(home) {
  const dropped =
    /^(VSCODE_|ELECTRON_|CODE_SERVER_|XDG_(CONFIG|DATA|STATE|CACHE)_HOME$|npm_|NODE_OPTIONS$|NODE_V8_COVERAGE$|(HASHED_)?PASSWORD$|PORT$|LOG_LEVEL$|INIT_CWD$)/i;
  const kept = Object.entries(process.env).filter(([name]) => !dropped.test(name));
  return { ...Object.fromEntries(kept), HOME: home, USERPROFILE: home };
}
