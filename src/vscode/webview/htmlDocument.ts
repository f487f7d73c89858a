// The frame of every page of ours. Pure. What a page may do stands in its policy, and every text in it is escaped.

export interface HtmlDocument {
  /** BCP 47, as the editor names it. */
  readonly language: string;
  /** What a screen reader calls it. */
  readonly title: string;
  /** The content security policy, a directive an entry. */
  readonly policy: readonly string[];
  /** Markup, every text in it escaped. */
  readonly head: string;
  readonly body: string;
}

export function htmlDocument({ language, title, policy, head, body }: HtmlDocument): string {
  return `<!DOCTYPE html>
<html lang="${escapeHtml(language)}">
<head>
<meta charset="utf-8">
<meta http-equiv="Content-Security-Policy" content="${escapeHtml(policy.join('; '))}">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>${escapeHtml(title)}</title>
${head}
</head>
<body>
${body}
</body>
</html>`;
}

/** For text and for attributes in quotes. */
export function escapeHtml(text: string): string {
  return text
    .replaceAll('&', '&amp;')
    .replaceAll('<', '&lt;')
    .replaceAll('>', '&gt;')
    .replaceAll('"', '&quot;')
    .replaceAll("'", '&#39;');
}
