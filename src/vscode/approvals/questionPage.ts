// The page beside a question: all that a person decides about. Pure. Nothing of the window's settings or of a workspace's
// reaches it: no script, no file, one style of its own with the browser's own colours, and every line wraps. A line begins
// at the left edge below a rule, and goes on with an indent: no part of a value can pass itself off as a line of its own.
import type { Translate } from '../translate.ts';
import { escapeHtml, htmlDocument } from '../webview/htmlDocument.ts';

export interface QuestionPage {
  /** The question itself. */
  readonly title: string;
  readonly sections: readonly PageSection[];
}

export interface PageSection {
  readonly heading?: string;
  readonly lines: readonly (string | ChangedLine)[];
}

/** A line of a comparison that one of its sides alone has. */
export interface ChangedLine {
  readonly side: 'before' | 'now';
  readonly text: string;
  /** What of it differs, where that is not all: places in `text`. */
  readonly part?: { readonly start: number; readonly end: number };
}

export interface PageFrame {
  readonly nonce: string;
  /** BCP 47, as the editor names it. */
  readonly language: string;
  /** What lies over the top of the page, in CSS pixels: it begins below that. */
  readonly room: number;
}

/** The command behind the one link of the page. */
export const backCommand = 'workbench.action.focusQuickOpen';

export function questionPage({ title, sections }: QuestionPage, frame: PageFrame, t: Translate): string {
  const { nonce, language, room } = frame;
  const policy = ["default-src 'none'", `style-src 'nonce-${nonce}'`, "base-uri 'none'", "form-action 'none'"];
  const back = escapeHtml(t('Back to the answers'));
  const head = `<style nonce="${escapeHtml(nonce)}">${style(room)}</style>`;
  // First, so that Tab leads to it without taking the text away that is read.
  const body = `<nav><a href="command:${backCommand}" title="${back}">${back}</a></nav>
<main>
<h1>${escapeHtml(title)}</h1>
${sections.map((section) => sectionHtml(section, t)).join('\n')}
</main>`;
  return htmlDocument({ language, title, policy, head, body });
}

function sectionHtml({ heading, lines }: PageSection, t: Translate): string {
  const parts: string[] = [];
  let side: ChangedLine['side'] | undefined;
  const turnTo = (next: typeof side): void => {
    if (side === next) return;
    if (side !== undefined) parts.push('</div>');
    if (next !== undefined)
      parts.push(`<div class="${next}" role="group" aria-label="${escapeHtml(sideWord(next, t))}">`);
    if (next !== undefined) parts.push(`<p class="side" aria-hidden="true">${escapeHtml(sideWord(next, t))}</p>`);
    side = next;
  };
  for (const line of lines) {
    turnTo(typeof line === 'string' ? undefined : line.side);
    parts.push(typeof line === 'string' ? lineHtml(line) : changedHtml(line));
  }
  turnTo(undefined);
  const head = heading === undefined ? '' : `<h2>${escapeHtml(heading)}</h2>\n`;
  return `<section>\n${head}${parts.join('\n')}\n</section>`;
}

function sideWord(side: ChangedLine['side'], t: Translate): string {
  return side === 'before' ? t('Before') : t('Now');
}

/** An empty line keeps its height. */
function lineHtml(text: string): string {
  return `<p class="line">${text === '' ? '&#8203;' : escapeHtml(text)}</p>`;
}

function changedHtml({ side, text, part: { start, end } = { start: 0, end: 0 } }: ChangedLine): string {
  const [sign, element] = side === 'before' ? ['−', 'del'] : ['+', 'ins'];
  const [same, differs, rest] = [text.slice(0, start), text.slice(start, end), text.slice(end)].map(escapeHtml);
  const words = differs === '' ? rest : `${same}<${element}>${differs}</${element}>${rest}`;
  return `<p class="line"><span class="sign" aria-hidden="true">${sign}</span> ${words}</p>`;
}

/**
 * The editor puts a style of its own into every page, with the colours and fonts of the window's settings: what is
 * important here overrules it.
 */
function style(room: number): string {
  return `
:root { color-scheme: light !important; background: Canvas !important; }
:root:has(body.vscode-dark), :root:has(body.vscode-high-contrast:not(.vscode-high-contrast-light)) { color-scheme: dark !important; }
html, body, body * {
  color: CanvasText !important;
  font-family: system-ui, sans-serif !important;
  opacity: 1 !important; visibility: visible !important;
}
body {
  margin: 0 !important; padding: ${room}px 20px 32px !important;
  background: Canvas !important; font-size: 13px !important; line-height: 1.5 !important;
}
main, nav { max-width: 110ch; }
h1, h2, p { margin: 0; overflow-wrap: anywhere; }
h1 { font-size: 1.4em; font-weight: 600; padding-bottom: 8px; }
h2 { font-size: 1.1em; font-weight: 600; padding: 20px 0 6px; }
section + section:not(:has(h2)) { margin-top: 20px; }
.line, .sign { font-family: ui-monospace, Menlo, Consolas, "DejaVu Sans Mono", monospace !important; }
.line {
  padding: 2px 0 2px 5ch; text-indent: -5ch; white-space: pre-wrap;
  border-top: 1px solid color-mix(in srgb, CanvasText 22%, Canvas);
}
.before, .now { margin: 6px 0; padding-left: 10px; border-left: 3px dashed CanvasText; }
.now { border-left-style: solid; }
.side { font-weight: 600; }
.sign, ins, del { font-weight: 700; }
ins, del { font-family: inherit !important; text-decoration: underline; }
nav { padding: 12px 0; }
a { text-decoration: underline; }
a:focus-visible { outline: 2px solid CanvasText !important; outline-offset: 2px; }
::selection { color: HighlightText !important; background: Highlight !important; }
`;
}
