// Whether a client takes an event stream, from its Accept header (RFC 9110, 12.5.1). Who says nothing takes everything. Pure.

/** What the protocol asks of clients, as they write it. */
export const usualAccept = 'application/json, text/event-stream';

const streams: ReadonlySet<string> = new Set(['text/event-stream', 'text/*', '*/*']);

export function acceptsStream(accept: string | undefined): boolean {
  if (accept === undefined || accept.trim() === '' || accept === usualAccept) return true;
  const ranges = accept.toLowerCase().split(',');
  const named = ranges.map((range) => range.split(';').map((part) => part.trim()));
  // The most exact range decides, such as `*/*, text/event-stream;q=0`.
  for (const type of streams) {
    const range = named.find(([name]) => name === type);
    if (range !== undefined) return !range.slice(1).some((part) => /^q=0(?:\.0*)?$/.test(part));
  }
  return false;
}
