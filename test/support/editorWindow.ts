// One window of the real VS Code, driven as a person drives it: by roles and names, with a deadline on every wait.
//
//   describe('the tree', function () {
//     let session: EditorSession;
//     before(async () => { session = await startEditorSession(); });            // test/support/editorSession.ts
//     after(() => session.stop());
//     captureFailures(() => session);                                            // screenshot of a failed test
//
//     it('shows what a server offers', async () => {
//       const folder = await session.makeFolder({ '.roundhouse/mcp.json': { version: 3, mcpServers: { ... } } });
//       const window = await session.openWindow({ folder });                     // Restricted Mode at first
//       await window.mcp.open();                                                 // the MCP view alone in the Explorer
//       assert.match(await window.mcp.text(), /blocked/);
//       await window.grantTrust();
//       await window.dialog.press(/wants to run/, 'Run');                        // a modal dialog
//       await window.mcp.waitFor(['everything'], (row) => row.description.includes('ready'));
//       const tools = await window.mcp.expand(['everything', 'Tools']);          // TreeRow[]
//       await window.mcp.pressAction(['everything'], 'Restart Server');          // also: click, chooseFromMenu, tooltip
//       await window.runCommand('MCP: Call Tool...');                            // the title as the palette shows it
//       await window.quickInput.pick('Choose a tool', 'echo');                   // matches title, placeholder or message
//       await window.quickInput.enter(/message/, 'hi');
//       assert.match(await window.editorText(/echo/), /hi/);                     // waits for the editor's tab
//       await window.notifications.waitFor(/line 3/);
//       await window.setTheme('highContrastDark');
//       await window.screenshot('tree-high-contrast');                           // out/screenshots/NAME.png
//       await window.close();
//     });
//   });
//
// Anything else: `window.page` is the playwright page. Two windows of one profile: openWindow({ folder, sameProfileAs: w }).
import { mkdir } from 'node:fs/promises';
import { join } from 'node:path';
import type { Frame, Page } from 'playwright-core';
import { repository } from '../../scripts/lib/places.mjs';
import { EditorDialog, EditorNotifications, EditorQuickInput } from './editorDialogs.ts';
import { patience } from './patience.ts';
import { EditorTree } from './editorTree.ts';
import { eventually } from './eventually.ts';

/** The name in the theme picker, and the class that the workbench then has. */
const themes = {
  light: ['Light Modern', 'vs'],
  dark: ['Dark Modern', 'vs-dark'],
  highContrastDark: ['Dark High Contrast', 'hc-black'],
  highContrastLight: ['Light High Contrast', 'hc-light'],
} as const;

export type EditorTheme = keyof typeof themes;

/** What a window needs of its session. */
export interface WindowSeams {
  /** Pid of an extension host that no window took yet; undefined while there is none. */
  readonly newestExtensionHost: () => number | undefined;
}

export class EditorWindow {
  readonly page: Page;
  /** The view of this extension. */
  readonly mcp: EditorTree;
  readonly quickInput: EditorQuickInput;
  readonly dialog: EditorDialog;
  readonly notifications: EditorNotifications;
  readonly #newestHost: WindowSeams['newestExtensionHost'];
  #extensionHost = 0;

  /** Use `EditorSession.openWindow`. */
  constructor(page: Page, seams: WindowSeams) {
    this.page = page;
    this.#newestHost = seams.newestExtensionHost;
    this.mcp = this.tree('MCP');
    this.quickInput = new EditorQuickInput(page);
    this.dialog = new EditorDialog(page);
    this.notifications = new EditorNotifications(page);
  }

  /** Waits until the workbench is there and the process that runs its extensions. */
  async waitUntilReady(): Promise<void> {
    await this.page.getByRole('tab', { name: /^Explorer/ }).waitFor({ timeout: patience });
    this.#extensionHost = await eventually(() => this.#newestHost(), patience, 'an extension host');
  }

  /** Pid of the process that runs this window's extensions: kill it to see a crash. */
  get extensionHost(): number {
    return this.#extensionHost;
  }

  /** Any tree view by its title. */
  tree(title: string): EditorTree {
    return new EditorTree(this.page, title);
  }

  /** Whether the window says that it is in Restricted Mode. */
  async isRestricted(): Promise<boolean> {
    return await this.page
      .getByRole('status')
      .getByRole('button', { name: /^Restricted Mode/ })
      .isVisible();
  }

  async waitUntilRestricted(): Promise<void> {
    await this.page
      .getByRole('status')
      .getByRole('button', { name: /^Restricted Mode/ })
      .waitFor();
  }

  /** Trusts the folder through the banner and the trust editor, and leaves that editor. */
  async grantTrust(): Promise<void> {
    await this.page.getByRole('banner').getByRole('button', { name: 'Manage' }).click();
    const editor = this.page.getByRole('dialog', { name: 'Workspace Trust' });
    await editor.getByRole('button', { name: 'Trust', exact: true }).click();
    await this.page.getByRole('banner').waitFor({ state: 'detached' });
    // A modal of the extension may already lie over the trust editor: then Escape would answer that one.
    if ((await this.dialog.state()) === undefined)
      await editor
        .getByRole('button', { name: /^Close Modal Editor/ })
        .click({ timeout: 5_000 })
        .catch(() => undefined);
  }

  /** Answers the one question about all servers that wait for approval; what is approved starts. */
  async approve(answer: 'once' | 'remember' = 'once'): Promise<void> {
    await this.page.getByRole('button', { name: /MCP servers? to approve/ }).click();
    const wanted = answer === 'once' ? /^Run (?:All )?Once$/ : /^Remember/;
    const question = async (): Promise<'dialog' | 'list' | undefined> => {
      if ((await this.dialog.state())?.message.startsWith('Run ') === true) return 'dialog';
      return (await this.quickInput.state())?.title.startsWith('Run ') === true ? 'list' : undefined;
    };
    if ((await eventually(question, patience, 'the question for approval')) === 'list') {
      await this.quickInput.pick(/^Run /, wanted);
      await this.quickInput.waitUntilClosed();
      return;
    }
    const button = (await this.dialog.state())?.buttons.find((each) => wanted.test(each));
    await this.dialog.press(/^Run /, button ?? '');
  }

  /** Closes a modal editor (trust, settings), where one is open. */
  async closeModalEditor(): Promise<void> {
    const close = this.page.getByRole('button', { name: /^Close Modal Editor/ });
    if (await close.isVisible()) await close.click();
  }

  /** Runs a command by its title as the palette shows it, e.g. `MCP: Restart Server`. */
  async runCommand(title: string): Promise<void> {
    const shown = title.replace(/[.*+?^${}()|[\]\\]/g, '\\$&');
    const option = this.page.locator('.quick-input-widget').getByRole('option', { name: new RegExp(`^${shown}(,|$)`) });
    await this.#openPalette(`>${title}`);
    try {
      await option.first().click();
    } catch (error) {
      const state = await this.quickInput.state();
      await this.quickInput.cancel(paletteHint);
      throw new Error(`The palette has no "${title}": ${JSON.stringify(state?.items.map(({ label }) => label))}`, {
        cause: error,
      });
    }
  }

  /** Titles in the palette that match the typed text, as far as they are visible. */
  async commandTitles(text: string): Promise<string[]> {
    await this.#openPalette(`>${text}`);
    const items = await eventually(
      async () => {
        const state = await this.quickInput.state();
        return state !== undefined && state.items.length > 0 ? state.items : undefined;
      },
      patience,
      'the palette',
    );
    await this.quickInput.cancel(paletteHint);
    return items.map(({ label }) => label);
  }

  /** Titles of the open editors. */
  async editorTitles(): Promise<string[]> {
    const tabs = await this.page.getByRole('main').getByRole('tab').all();
    return await Promise.all(tabs.map(async (tab) => (await tab.locator('.label-name').innerText()).trim()));
  }

  /**
   * The whole text of the text editor whose tab matches; of the active one when no title is given. Lines are as shown:
   * a wrapped line counts as several.
   */
  async editorText(title: string | RegExp = /./, ms = patience): Promise<string> {
    const tab = this.page.getByRole('tab', { name: title, selected: true });
    const group = this.page.getByRole('main').locator('.editor-group-container').filter({ has: tab });
    await group.first().waitFor({ timeout: ms });
    const editor = group.locator('.monaco-editor[role=code]').first();
    await editor.locator('.view-line').first().waitFor({ timeout: ms });
    return await editor.evaluate(readEditor);
  }

  /** Opens a file of the workspace by its path, as in quick open. */
  async openFile(path: string): Promise<void> {
    await this.page.keyboard.press('Control+p');
    await this.quickInput.fill(/Search files/, path);
    await this.page
      .locator('.quick-input-widget')
      .getByRole('option', { name: path.split('/').pop() ?? path })
      .first()
      .click();
  }

  /** Closes all editors without saving. */
  async closeEditors(): Promise<void> {
    await this.runCommand('View: Close All Editors');
    if ((await this.dialog.state()) !== undefined) await this.dialog.press(/save/i, "Don't Save");
    await this.page.getByRole('main').getByRole('tab').first().waitFor({ state: 'detached' });
  }

  /** Names of the status bar's entries, e.g. to see that one of ours is there. */
  async statusBar(): Promise<string[]> {
    const entries = await this.page.getByRole('status').getByRole('button').all();
    return await Promise.all(entries.map(async (entry) => (await entry.getAttribute('aria-label')) ?? ''));
  }

  /** Waits for the frame of a webview (a Markdown preview, a page of ours) whose text matches. */
  async webview(text: RegExp, ms = patience): Promise<Frame> {
    const look = async (): Promise<Frame | undefined> => {
      for (const frame of this.page.frames().slice(1)) {
        // A frame may go away while it is read.
        const body = await frame.evaluate(() => document.body.innerText).catch(() => '');
        if (text.test(body)) return frame;
      }
      return undefined;
    };
    return await eventually(look, ms, `a webview with ${String(text)}`);
  }

  /** The text of the page of ours that matches, a line for each of its lines. Its frame runs no script. */
  async pageText(text: RegExp, ms = patience): Promise<string> {
    const frame = await this.webview(text, ms);
    return await frame.evaluate(() => document.body.innerText.replaceAll(/\n\n+/g, '\n'));
  }

  /** Changes the colour theme through the palette and waits until it shows. */
  async setTheme(theme: EditorTheme): Promise<void> {
    const [label, shown] = themes[theme];
    await this.runCommand('Preferences: Color Theme');
    await this.quickInput.fill(/Select Color Theme/, label);
    await this.quickInput.pick(/Select Color Theme/, label);
    await this.page.locator(`.monaco-workbench.${shown}`).waitFor();
  }

  /** Narrow is 480 pixels wide. */
  async resize(width: number, height = 800): Promise<void> {
    await this.page.setViewportSize({ width, height });
  }

  /** Writes out/screenshots/NAME.png; answers its path. */
  async screenshot(name: string): Promise<string> {
    const path = join(repository, 'out', 'screenshots', `${name}.png`);
    await mkdir(join(path, '..'), { recursive: true });
    await this.page.screenshot({ path, animations: 'disabled' });
    return path;
  }

  /**
   * What the extension keeps in the editor's own state, as it was put by. In a browser that follows a moment later, and a
   * window that is loaded again before has lost it.
   */
  async keptState(): Promise<string> {
    return await this.page.evaluate(readKeptState);
  }

  /** Loads the window again: its extension host is replaced. */
  async reload(): Promise<void> {
    await this.page.reload();
    await this.waitUntilReady();
  }

  /** Closes the window as a person does: its extension host deactivates and ends. */
  async close(): Promise<void> {
    await this.page.close();
  }

  async #openPalette(text: string): Promise<void> {
    await eventually(
      async () => {
        await this.page.keyboard.press('F1');
        return (await this.quickInput.state())?.placeholder === paletteHint;
      },
      patience,
      'the command palette',
    );
    await this.quickInput.fill(paletteHint, text);
  }
}

/** What the empty command palette says: another quick input may be on the screen, or about to be. */
const paletteHint = 'Type the name of a command to run.';

// The functions below run in the page: they may use nothing from outside of themselves.
async function readKeptState(): Promise<string> {
  const kept: string[] = [];
  for (const { name = '' } of await indexedDB.databases()) {
    if (!name.startsWith('vscode-web-state-db')) continue;
    const answer = <T>(request: IDBRequest<T>): Promise<T> =>
      new Promise((resolve, reject) => {
        request.onsuccess = () => resolve(request.result);
        request.onerror = () => reject(request.error ?? new Error('no answer'));
      });
    const database = await answer(indexedDB.open(name));
    const items = database.transaction('ItemTable').objectStore('ItemTable');
    const [keys, values] = await Promise.all([answer(items.getAllKeys()), answer(items.getAll())]);
    keys.forEach((key, at) => JSON.stringify(key).includes('roundhouse') && kept.push(String(values[at])));
    database.close();
  }
  return kept.join('\n');
}

async function readEditor(editor: Element): Promise<string> {
  const area = editor.querySelector('.monaco-scrollable-element.editor-scrollable')!;
  const scroll = (delta: number): Promise<void> => {
    area.dispatchEvent(
      new WheelEvent('wheel', { ...{ wheelDeltaY: -delta * 2.4 }, deltaY: delta, bubbles: true, cancelable: true }),
    );
    return new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(() => done())));
  };
  const lines = new Map<number, string>();
  const collect = (): number => {
    const size = lines.size;
    for (const line of editor.querySelectorAll<HTMLElement>('.view-lines .view-line'))
      lines.set(Number.parseFloat(line.style.top), line.textContent.replaceAll('\u00a0', ' ').replaceAll('\u200c', ''));
    return lines.size - size;
  };
  await scroll(-1e7);
  for (let idle = 0; idle < 4;) {
    idle = collect() > 0 ? 0 : idle + 1;
    await scroll(Math.max(19, area.clientHeight / 2));
  }
  await scroll(-1e7);
  return [...lines.entries()]
    .sort(([a], [b]) => a - b)
    .map(([, text]) => text)
    .join('\n');
}
