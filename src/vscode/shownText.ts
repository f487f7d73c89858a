import { visibleLine } from '../base/sanitise.ts';

/**
 * Text of a server or a file as one line for the editor's own surfaces. Beyond what is hidden, this takes the life out
 * of what those surfaces would act on: `$(icon)` in labels, `[link](command:…)` in messages and prompts.
 */
export function shownLine(text: string, max?: number): string {
  return visibleLine(text, max).replace(/([\]$])\(/g, '$1 (');
}
