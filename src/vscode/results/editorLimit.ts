/**
 * Whether the editor opens a text of this length for us. Its limit is 50 Mi UTF-16 units ("Files above 50MB cannot be
 * synchronized with extensions").
 */
export function fitsInEditor(text: { readonly length: number }): boolean {
  return text.length <= 50 * 1024 * 1024;
}
