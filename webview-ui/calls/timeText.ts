/** A moment as the person's clock has it: the time alone where it is of today. */
export function timeText(
  at: number,
  language: string,
  now: Date,
): { readonly short: string; readonly full: string; readonly machine: string } {
  const date = new Date(at);
  // A moment that no calendar knows, such as one of a damaged record.
  if (Number.isNaN(date.getTime())) return { short: '?', full: '?', machine: '' };
  const today = date.toDateString() === now.toDateString();
  const day = today ? {} : ({ year: 'numeric', month: '2-digit', day: '2-digit' } as const);
  const clock = { hour: '2-digit', minute: '2-digit', second: '2-digit' } as const;
  return {
    short: new Intl.DateTimeFormat(language, { ...day, ...clock }).format(date),
    full: new Intl.DateTimeFormat(language, { dateStyle: 'full', timeStyle: 'medium' }).format(date),
    machine: date.toISOString(),
  };
}
