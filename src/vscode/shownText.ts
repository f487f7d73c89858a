import { exactText } from '../base/exactText.ts';
import { truncate, visibleLine } from '../base/sanitise.ts';

/**
 * Text of a server or a file as one line for the editor's own surfaces. Beyond what is hidden, this takes the life out
 * of what those surfaces would act on: `$(icon)` in labels, `[link](command:…)` in messages and prompts.
 */
export function shownLine(text: string, max?: number): string {
  return visibleLine(text, max).replace(/([\]$])\(/g, '$1 (');
}

/** The same for a name that a person tells things apart by: two names never look alike by what is hidden in them. */
export function shownName(text: string, max = 256): string {
  return exactText(truncate(text, max)).replace(/([\]$])\(/g, '$1<U+0028>');
}
