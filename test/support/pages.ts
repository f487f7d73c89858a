// A page of ours in a real browser, as the editor shows it: the same HTML and policy, the same script and style, and the
// editor's side of the messages recorded. Nothing is served but the page's own files.
import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { build } from 'esbuild';
import type { Browser, Page } from 'playwright-core';
import { launchBrowser } from '../../scripts/lib/browser.mjs';
import { ensureChromium } from '../../scripts/lib/chromium.mjs';
import { pageHtml } from '../../src/vscode/webview/pageHtml.ts';

const origin = 'https://page.test';
const axe = readFileSync(createRequire(import.meta.url).resolve('axe-core/axe.min.js'), 'utf8');

export type Theme = 'light' | 'dark' | 'highContrast';

export interface OpenedPage {
  readonly page: Page;
  /** What the page told the editor, in order. */
  readonly sent: () => Promise<readonly unknown[]>;
  /** Any message, as the editor's side would post it. */
  readonly post: (message: unknown) => Promise<void>;
  /** Requests that left the page's own files, and violations of its policy. */
  readonly strays: readonly string[];
  /** Rules of axe that the page breaks, with the elements. */
  readonly violations: () => Promise<readonly string[]>;
  /** How many pixels the page is wider than its window. */
  readonly overflow: () => Promise<number>;
}

export class Pages {
  readonly #browser: Browser;
  readonly #files: ReadonlyMap<string, string>;

  private constructor(browser: Browser, files: ReadonlyMap<string, string>) {
    this.#browser = browser;
    this.#files = files;
  }

  /** `name` is that of its folder in webview-ui. */
  static async start(name: 'result' | 'calls'): Promise<Pages> {
    const { outputFiles } = await build({
      bundle: true,
      platform: 'browser',
      target: 'chrome128',
      format: 'esm',
      entryPoints: { page: `webview-ui/${name}/main.ts` },
      outdir: 'out/page',
      write: false,
    });
    const files = new Map(outputFiles.map(({ path, text }) => [path.replace(/.*[\\/]/, '/'), text]));
    return new Pages(await launchBrowser(await ensureChromium(() => undefined)), files);
  }

  async open(options: { theme?: Theme; width?: number } = {}): Promise<OpenedPage> {
    const { theme = 'dark', width = 900 } = options;
    const page = await this.#browser.newPage({ viewport: { width, height: 700 } });
    page.setDefaultTimeout(10_000);
    const strays: string[] = [];
    page.on('dialog', (dialog) => {
      strays.push(`dialog ${dialog.message()}`);
      void dialog.dismiss();
    });
    page.on('pageerror', (error) => strays.push(`error ${error.message}`));
    page.on('console', (message) => {
      if (message.type() === 'error') strays.push(`console ${message.text()}`);
    });
    const html = pageHtml({
      nonce: 'bm9uY2U',
      cspSource: origin,
      script: `${origin}/page.js`,
      style: `${origin}/page.css`,
      language: 'en',
      title: 'A page',
    });
    await page.route('**/*', (route) => {
      const url = new URL(route.request().url());
      const body = url.pathname === '/' ? html : this.#files.get(url.pathname);
      if (url.origin === origin && body !== undefined) {
        return route.fulfill({ body, contentType: contentType(url.pathname) });
      }
      strays.push(`request ${url.href}`);
      return route.abort();
    });
    await page.addInitScript(`globalThis.__name = (value) => value;`);
    await page.addInitScript(actAsEditor, { colours: themes[theme], bodyClass: bodyClasses[theme] });
    await page.goto(`${origin}/`);
    await page.waitForFunction(() => (globalThis as unknown as { sent: unknown[] }).sent.length > 0);
    const post = (message: unknown): Promise<void> =>
      page.evaluate((data) => {
        window.dispatchEvent(new MessageEvent('message', { data }));
      }, message);
    return {
      page,
      strays,
      post,
      sent: () => page.evaluate(() => (globalThis as unknown as { sent: unknown[] }).sent),
      violations: async () => {
        await page.evaluate(axe);
        return page.evaluate(runAxe);
      },
      overflow: () => page.evaluate(() => document.documentElement.scrollWidth - document.documentElement.clientWidth),
    };
  }

  stop(): Promise<void> {
    return this.#browser.close();
  }
}

function contentType(path: string): string {
  if (path === '/') return 'text/html';
  return path.endsWith('.css') ? 'text/css' : 'text/javascript';
}

const bodyClasses: Record<Theme, string> = {
  light: 'vscode-light',
  dark: 'vscode-dark',
  highContrast: 'vscode-high-contrast',
};

/** The colours that the editor's default themes give to pages. */
const themes: Record<Theme, Record<string, string>> = {
  light: {
    foreground: '#3b3b3b',
    'editor-foreground': '#3b3b3b',
    'editor-background': '#ffffff',
    descriptionForeground: '#3b3b3b',
    'textCodeBlock-background': '#f8f8f8',
    'panel-border': '#e5e5e5',
    'button-secondaryForeground': '#3b3b3b',
    'button-secondaryBackground': '#e5e5e5',
    'inputValidation-errorBackground': '#f2dede',
    'inputValidation-errorBorder': '#be1100',
    focusBorder: '#005fb8',
    'input-background': '#ffffff',
    'input-foreground': '#3b3b3b',
    'input-border': '#cecece',
    'dropdown-background': '#ffffff',
    'dropdown-foreground': '#3b3b3b',
    'dropdown-border': '#cecece',
    'list-hoverBackground': '#f2f2f2',
    'testing-iconPassed': '#369432',
    'testing-iconFailed': '#ad0707',
    'testing-iconQueued': '#895503',
  },
  dark: {
    foreground: '#cccccc',
    'editor-foreground': '#cccccc',
    'editor-background': '#1f1f1f',
    descriptionForeground: '#9d9d9d',
    'textCodeBlock-background': '#2b2b2b',
    'panel-border': '#2b2b2b',
    'button-secondaryForeground': '#cccccc',
    'button-secondaryBackground': '#313131',
    'inputValidation-errorBackground': '#5a1d1d',
    'inputValidation-errorBorder': '#be1100',
    focusBorder: '#0078d4',
    'input-background': '#313131',
    'input-foreground': '#cccccc',
    'input-border': '#3c3c3c',
    'dropdown-background': '#313131',
    'dropdown-foreground': '#cccccc',
    'dropdown-border': '#3c3c3c',
    'list-hoverBackground': '#2a2d2e',
    'testing-iconPassed': '#369432',
    'testing-iconFailed': '#f14c4c',
    'testing-iconQueued': '#cca700',
  },
  highContrast: {
    foreground: '#ffffff',
    'editor-foreground': '#ffffff',
    'editor-background': '#000000',
    descriptionForeground: '#ffffff',
    'textCodeBlock-background': '#000000',
    contrastBorder: '#6fc3df',
    'button-secondaryForeground': '#ffffff',
    'button-border': '#6fc3df',
    'inputValidation-errorBackground': '#000000',
    'inputValidation-errorBorder': '#6fc3df',
    focusBorder: '#f38518',
    'input-background': '#000000',
    'input-foreground': '#ffffff',
    'input-border': '#6fc3df',
    'dropdown-background': '#000000',
    'dropdown-foreground': '#ffffff',
    'dropdown-border': '#6fc3df',
    'testing-iconPassed': '#369432',
    'testing-iconFailed': '#f14c4c',
    'testing-iconQueued': '#cca700',
  },
};

// The functions below run in the page: they may use nothing from outside of themselves.

function actAsEditor({ colours, bodyClass }: { colours: Record<string, string>; bodyClass: string }): void {
  const scope = globalThis as unknown as Record<string, unknown>;
  const sent: unknown[] = [];
  scope['sent'] = sent;
  scope['acquireVsCodeApi'] = () => ({
    postMessage: (message: unknown) => sent.push(structuredClone(message)),
    // The editor keeps it while the page is hidden; the browser does while it is loaded again.
    setState: (state: unknown) => sessionStorage.setItem('state', JSON.stringify(state)),
    getState: () => JSON.parse(sessionStorage.getItem('state') ?? 'null') as unknown,
  });
  document.addEventListener('DOMContentLoaded', () => {
    document.body.className = bodyClass;
    document.documentElement.style.setProperty('--vscode-font-family', '"DejaVu Sans", system-ui, sans-serif');
    for (const [name, value] of Object.entries(colours)) {
      document.documentElement.style.setProperty(`--vscode-${name}`, value);
    }
  });
}

async function runAxe(): Promise<string[]> {
  interface Axe {
    run(): Promise<{ violations: { id: string; nodes: { html: string }[] }[] }>;
  }
  const { violations } = await (globalThis as unknown as { axe: Axe }).axe.run();
  return violations.map(({ id, nodes }) => `${id}: ${nodes.map(({ html }) => html).join(' ')}`);
}
