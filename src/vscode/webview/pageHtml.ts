// The HTML of a page: an empty body, one script and one style of ours. Pure. The policy lets nothing in from
// the network and runs no script but the one with this page's nonce.

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
  ].join('; ');
  return `<!DOCTYPE html>
<html lang="${attribute(language)}">
<head>
  <meta charset="utf-8">
  <meta http-equiv="Content-Security-Policy" content="${attribute(policy)}">
  <meta name="viewport" content="width=device-width, initial-scale=1">
  <link rel="stylesheet" href="${attribute(style)}">
  <title>${attribute(title)}</title>
</head>
<body>
  <main></main>
  <script nonce="${attribute(nonce)}" type="module" src="${attribute(script)}"></script>
</body>
</html>`;
}

function attribute(text: string): string {
  return text.replaceAll('&', '&amp;').replaceAll('"', '&quot;').replaceAll('<', '&lt;');
}
