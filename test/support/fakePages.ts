// Panels of the editor as far as questions use them: those that are open, by the title of their tab.

export class FakePages {
  readonly open = new Map<string, { readonly html: string }>();
  readonly options: unknown[] = [];
  /** What taking a panel away fails with. */
  failure: Error | undefined;

  /** The text of the open page that has this title, without what is no text. */
  text(title: string): string {
    const html = this.open.get(title)?.html ?? '';
    const lines = html
      .slice(html.indexOf('<main>'))
      .replaceAll(/<\/(?:p|h1|h2)>/g, '\n')
      .replaceAll(/<[^>]*>/g, '');
    const named = { '&lt;': '<', '&gt;': '>', '&quot;': '"', '&#39;': "'", '&amp;': '&' };
    return lines
      .replaceAll(/&(?:lt|gt|quot|#39|amp);/g, (name) => named[name as keyof typeof named])
      .replaceAll(/\n\n+/g, '\n');
  }

  readonly createWebviewPanel = (_: string, title: string, place: unknown, options: unknown): unknown => {
    const webview = { html: '' };
    this.options.push({ ...(place as object), ...(options as object) });
    this.open.set(title, webview);
    return {
      webview,
      dispose: () => {
        this.open.delete(title);
        if (this.failure !== undefined) throw this.failure;
      },
    };
  };
}
