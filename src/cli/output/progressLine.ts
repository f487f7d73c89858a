import type { JsonObject } from '../../contract/json.ts';
import type { Host } from '../host.ts';
import { line } from './shownText.ts';

export interface ProgressLine {
  /** Shows the params of a `notifications/progress`. */
  readonly show: (params: JsonObject) => void;
  /** Takes the line away. */
  readonly clear: () => void;
}

/** One line of stderr that is written over and over; undefined where no person would see it. */
export function progressLine(host: Pick<Host, 'err' | 'errIsTerminal'>): ProgressLine | undefined {
  if (!host.errIsTerminal) return undefined;
  let shown = false;
  return {
    show: (params) => {
      shown = true;
      host.err(`\r\u001B[K${progressText(params)}`);
    },
    clear: () => {
      if (shown) host.err('\r\u001B[K');
    },
  };
}

/** `3 of 10: message`, at most one short line. */
export function progressText({ progress, total, message }: JsonObject): string {
  const count = typeof progress === 'number' ? String(progress) : '';
  const of = typeof total === 'number' ? ` of ${total}` : '';
  const text = typeof message === 'string' ? line(message, 60) : '';
  return [count + of, text].filter((part) => part !== '').join(': ');
}
