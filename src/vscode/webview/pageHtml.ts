// The HTML of a page: an empty body, one script and one style of ours. Pure. The policy lets nothing in from
// the network and runs no script but the one with this page's nonce.
import { escapeHtml, htmlDocument } from './htmlDocument.ts';

export interface PageOptions {
  readonly nonce: string;
  readonly cspSource: string;
  readonly script: string;
  readonly style: string;
  /** BCP 47, as the editor names it. */
  readonly language: string;
  /** What a screen reader calls it. */
  readonly title: string;
}

export function pageHtml({ nonce, cspSource, script, style, language, title }: PageOptions): string {
  const policy = [
    "default-src 'none'",
    `script-src 'nonce-${nonce}'`,
    `style-src ${cspSource}`,
    'img-src data:',
    'media-src data:',
    "base-uri 'none'",
    "form-action 'none'",
  ];
  const head = `<link rel="stylesheet" href="${escapeHtml(style)}">`;
  const body = `<main></main>
<script nonce="${escapeHtml(nonce)}" type="module" src="${escapeHtml(script)}"></script>`;
  return htmlDocument({ language, title, policy, head, body });
}
