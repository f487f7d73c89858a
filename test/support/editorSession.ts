// A VS Code server of a test's own with a browser before it: folders, home and settings are its own and are removed.
import { mkdir, readFile, writeFile } from 'node:fs/promises';
import { basename, dirname, join } from 'node:path';
import { after, afterEach, before } from 'mocha';
import type { Browser, BrowserContext } from 'playwright-core';
import { launchBrowser } from '../../scripts/lib/browser.mjs';
import { ensureChromium } from '../../scripts/lib/chromium.mjs';
import { ensureEditorBuild } from '../../scripts/lib/editorBuild.mjs';
import { startEditorServer, type EditorServer } from '../../scripts/lib/editorServer.mjs';
import { repository } from '../../scripts/lib/places.mjs';
import { patience } from './patience.ts';
import { eventually } from './eventually.ts';
import { EditorWindow } from './editorWindow.ts';

export interface EditorSessionOptions {
  /** The built extension of this repository as development extension (default), none, or a packed one to install. */
  readonly extension?: 'development' | 'none' | { readonly vsix: string };
  /** Folders of further extensions, which are installed. */
  readonly others?: readonly string[];
  /** User settings beside the quiet ones. */
  readonly settings?: Record<string, unknown>;
  /** Variables added to the editor's environment. */
  readonly env?: NodeJS.ProcessEnv;
}

export interface WindowOptions {
  /** Absolute path of the folder (or .code-workspace file) to open. */
  readonly folder: string;
  /** Shares that window's browser profile: trust given there, editor state. */
  readonly sameProfileAs?: EditorWindow;
  readonly width?: number;
  readonly height?: number;
}

export interface EditorSession {
  readonly server: EditorServer;
  /** HOME of the editor. */
  readonly home: string;
  /** The person's own configuration file, which is not there before somebody writes it. */
  readonly userFile: string;
  /** Windows that were opened, in order. */
  readonly windows: readonly EditorWindow[];
  /** A new folder of its own with these files; a value that is no string is written as JSON. */
  makeFolder(files: Record<string, unknown>): Promise<string>;
  openWindow(options: WindowOptions): Promise<EditorWindow>;
  /** A window with the MCP view open, on a new folder whose configuration file has these servers; without any, no file. */
  openProject(mcpServers?: Record<string, unknown>, files?: Record<string, unknown>): Promise<OpenProject>;
  /** Writes the person's own servers. */
  writeUserServers(mcpServers: Record<string, unknown>): Promise<void>;
  /**
   * Merges into the user settings. Windows opened or reloaded afterwards have them; an open one notices the first outside
   * change of the file at most, so change settings inside it where that matters.
   */
  writeSettings(settings: Record<string, unknown>): Promise<void>;
  /** Command lines of what extensions started and still runs: every descendant of the extension hosts but the editor’s own, and the guard of ours. */
  extensionChildren(): string[];
  /** Closes the windows and ends everything; answers "PID COMMAND" of each process of an extension that had to be killed. */
  stop(): Promise<string[]>;
}

export interface OpenProject {
  readonly window: EditorWindow;
  readonly folder: string;
  /** The folder's configuration file. */
  readonly file: string;
}

/** Where a folder has its configuration. */
export const projectFile = '.roundhouse/mcp.json';

/** What a configuration file says that has these servers. */
export function configOf(mcpServers: Record<string, unknown>): Record<string, unknown> {
  return { version: 3, mcpServers };
}

/** Starts a server and a browser: about 2 s; each window takes some 5 s more. */
export async function startEditorSession(options: EditorSessionOptions = {}): Promise<EditorSession> {
  const { extension = 'development', others = [], settings, env } = options;
  const [build, chromium] = [await ensureEditorBuild(quiet), await ensureChromium(quiet)];
  const server = await startEditorServer({
    build,
    ...(settings && { settings }),
    ...(env && { env }),
    installed: others,
    ...(typeof extension === 'object' && { vsix: extension.vsix }),
  });
  const windows: EditorWindow[] = [];
  const contexts = new Map<EditorWindow, BrowserContext>();
  let browser: Browser | undefined;
  let folders = 0;

  const writeSettings = async (changes: Record<string, unknown>): Promise<void> => {
    const file = join(server.userData, 'User', 'settings.json');
    const now = JSON.parse(await readFile(file, 'utf8')) as Record<string, unknown>;
    await writeFile(file, JSON.stringify({ ...now, ...changes }, undefined, 2));
  };
  const taken = new Set<number>();
  const newestExtensionHost = (): number | undefined => {
    const hosts = server.processes().filter(({ command }) => command.includes('--type=extensionHost'));
    const pid = hosts.map((entry) => entry.pid).find((host) => !taken.has(host));
    if (pid !== undefined) taken.add(pid);
    return pid;
  };
  const session: EditorSession = {
    server,
    home: server.home,
    userFile: join(server.home, '.mcp-roundhouse', 'mcp.json'),
    windows,
    writeSettings,
    makeFolder: async (files) => {
      folders += 1;
      const folder = join(server.folder, `workspace-${folders}`);
      await mkdir(folder);
      for (const [name, content] of Object.entries(files)) {
        await mkdir(dirname(join(folder, name)), { recursive: true });
        await writeFile(
          join(folder, name),
          typeof content === 'string' ? content : JSON.stringify(content, undefined, 2),
        );
      }
      return folder;
    },
    openWindow: async ({ folder, sameProfileAs, width = 1280, height = 800 }) => {
      browser ??= await launchBrowser(chromium);
      const shared = sameProfileAs && contexts.get(sameProfileAs);
      const context = shared ?? (await browser.newContext({ viewport: { width, height }, locale: 'en' }));
      const page = await context.newPage();
      page.setDefaultTimeout(patience);
      // The test runner's transpiler wraps named functions with this helper, which the page does not have.
      await page.addInitScript('globalThis.__name = (value) => value;');
      const window = new EditorWindow(page, { newestExtensionHost });
      windows.push(window);
      contexts.set(window, context);
      await page.goto(server.address({ folder, ...(extension === 'development' && { extension: repository }) }));
      await window.waitUntilReady();
      return window;
    },
    openProject: async (mcpServers, files) => {
      const config = mcpServers && { [projectFile]: configOf(mcpServers) };
      const folder = await session.makeFolder({ ...files, ...config });
      const window = await session.openWindow({ folder });
      await window.mcp.open();
      return { window, folder, file: join(folder, projectFile) };
    },
    writeUserServers: async (mcpServers) => {
      await mkdir(dirname(session.userFile), { recursive: true });
      await writeFile(session.userFile, JSON.stringify(configOf(mcpServers)));
    },
    extensionChildren: () => {
      const all = server.processes();
      const own =
        /--type=(extensionHost|fileWatcher|ptyHost|agentHost)|[\\/]extensions[\\/][\w-]+[\\/]|copilot-runtime|[\\/]ripgrep-universal[\\/]|[\\/]dist[\\/]guard\.js/;
      const hosts = new Set(
        all.filter(({ command }) => command.includes('--type=extensionHost')).map(({ pid }) => pid),
      );
      for (let size = -1; size !== hosts.size;) {
        size = hosts.size;
        for (const entry of all) if (hosts.has(entry.parent)) hosts.add(entry.pid);
      }
      return all.filter(({ pid, command }) => hosts.has(pid) && !own.test(command)).map(({ command }) => command);
    },
    stop: async () => {
      running.delete(session);
      // Page by page: a window that just vanishes keeps its extension host for the reconnection time.
      await Promise.all(windows.map((window) => window.close()));
      const hosts = (): boolean => server.processes().some(({ command }) => command.includes('--type=extensionHost'));
      await eventually(() => !hosts(), patience, 'the end of the extension hosts').catch(() => undefined);
      await browser?.close();
      return await server.stop();
    },
  };
  running.add(session);
  return session;
}

// A session that a failed test left running would keep the whole run alive: the last hook of all ends it.
const running = new Set<EditorSession>();
after(async () => {
  await Promise.all([...running].map((session) => session.stop()));
});

/** One session for the tests of a describe block, told to `take` once it runs; what a failed test showed is kept. */
export function useEditorSession(
  take: (session: EditorSession) => void,
  options: () => EditorSessionOptions | Promise<EditorSessionOptions> = () => ({}),
): void {
  let session: EditorSession | undefined;
  before(async () => {
    session = await startEditorSession(await options());
    take(session);
  });
  after(() => session?.stop());
  captureFailures(() => session);
}

/** Keeps a picture, the page's accessible text and the server's log of each failed test in out/editor-failures/. */
function captureFailures(session: () => EditorSession | undefined): void {
  afterEach(async function () {
    const failed = this.currentTest;
    const current = session();
    if (failed?.state !== 'failed' || current === undefined) return;
    const folder = join(repository, 'out', 'editor-failures');
    await mkdir(folder, { recursive: true });
    const base = join(
      folder,
      failed
        .fullTitle()
        .replace(/[^\w-]+/g, '-')
        .slice(0, 100),
    );
    await writeFile(`${base}.log`, await readFile(current.server.log));
    for (const [index, { page }] of current.windows.entries()) {
      if (page.isClosed()) continue;
      await page.screenshot({ path: `${base}-${index + 1}.png` });
      await writeFile(`${base}-${index + 1}.yml`, await page.locator('body').ariaSnapshot());
    }
    process.stderr.write(`      kept ${basename(base)}* in out/editor-failures\n`);
  });
}

const quiet = (): void => undefined;
