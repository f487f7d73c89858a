// The result page in a real browser, as the editor shows it: the same HTML and policy, the same script and style, and
// the editor's side of the messages recorded. Nothing is served but the page's own files.
import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { build } from 'esbuild';
import type { Browser, Page } from 'playwright-core';
import { launchBrowser } from '../../scripts/lib/browser.mjs';
import { ensureChromium } from '../../scripts/lib/chromium.mjs';
import type { ResultView } from '../../src/contract/pageMessages.ts';
import { resultPage } from '../../src/vscode/webview/resultPage.ts';

const origin = 'https://page.test';
const axe = readFileSync(createRequire(import.meta.url).resolve('axe-core/axe.min.js'), 'utf8');

export type Theme = 'light' | 'dark' | 'highContrast';

export interface OpenedPage {
  readonly page: Page;
  /** What the page told the editor, in order. */
  readonly sent: () => Promise<readonly unknown[]>;
  readonly show: (result: ResultView) => Promise<void>;
  /** Any message, as the editor's side would post it. */
  readonly post: (message: unknown) => Promise<void>;
  /** Requests that left the page's own files, and violations of its policy. */
  readonly strays: readonly string[];
  /** Rules of axe that the page breaks, with the elements. */
  readonly violations: () => Promise<readonly string[]>;
}

export class ResultPages {
  readonly #browser: Browser;
  readonly #files: ReadonlyMap<string, string>;

  private constructor(browser: Browser, files: ReadonlyMap<string, string>) {
    this.#browser = browser;
    this.#files = files;
  }

  static async start(): Promise<ResultPages> {
    const { outputFiles } = await build({
      bundle: true,
      platform: 'browser',
      target: 'chrome128',
      format: 'esm',
      entryPoints: { result: 'webview-ui/result/main.ts' },
      outdir: 'out/page',
      write: false,
    });
    const files = new Map(outputFiles.map(({ path, text }) => [path.replace(/.*[\\/]/, '/'), text]));
    return new ResultPages(await launchBrowser(await ensureChromium(() => undefined)), files);
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
    const html = resultPage({
      nonce: 'bm9uY2U',
      cspSource: origin,
      script: `${origin}/result.js`,
      style: `${origin}/result.css`,
      language: 'en',
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
      show: (result) => post({ type: 'show', result }),
      violations: async () => {
        await page.evaluate(axe);
        return page.evaluate(runAxe);
      },
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
  },
};

// The functions below run in the page: they may use nothing from outside of themselves.

function actAsEditor({ colours, bodyClass }: { colours: Record<string, string>; bodyClass: string }): void {
  const scope = globalThis as unknown as Record<string, unknown>;
  const sent: unknown[] = [];
  scope['sent'] = sent;
  scope['acquireVsCodeApi'] = () => ({ postMessage: (message: unknown) => sent.push(structuredClone(message)) });
  document.addEventListener('DOMContentLoaded', () => {
    document.body.className = bodyClass;
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
