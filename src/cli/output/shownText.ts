// Text of servers and files as a terminal may show it. Apart from words.ts, which comes with the sentences of every failure.
import { stripTerminal, visibleLine, visibleText } from '../../base/sanitise.ts';

/** Text of servers and files on one line of a terminal, without anything live or hidden; two names that differ in a blank do not look alike. */
export function line(text: string, max = 400): string {
  return visibleLine(stripTerminal(text), max).replace(/[\u00A0\u202F]/g, (blank) =>
    blank === '\u00A0' ? '[U+00A0]' : '[U+202F]',
  );
}

/** The same with its line ends, at most `max` UTF-16 units of it. */
export function lines(text: string, max: number): string {
  return visibleText(stripTerminal(text), max);
}
