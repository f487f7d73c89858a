// The beginning of a text, as a text of its own: what `slice` gives keeps the whole it was taken from in memory (V8), which
// is the wrong thing where a few words of a large answer are kept.

/** At most `max` UTF-16 units, as they are. */
export function ownText(text: string, max: number): string {
  return text.length <= max ? text : Buffer.from(text.slice(0, max), 'utf16le').toString('utf16le');
}
