/**
 * The one spelling of a URL that credentials are bound to: host case and default port do not count, nor does a fragment,
 * which is never sent; path and query do. Throws on what is no URL.
 */
export function canonicalUrl(text: string): string {
  const url = new URL(text);
  url.hash = '';
  return url.href;
}
