// A launch in words, for the person who decides: all of it, nothing shortened, one argument a line, hidden characters
// and padding made visible (product TRUST-3). Pure.
import { visibleLine } from '../../base/sanitise.ts';
import type { ApprovalRequest } from '../../core/ports.ts';
import type { Translate } from '../translate.ts';

/** Several lines of plain text, each with its own label: a line that the dialog wraps is not taken for a new one. */
export function approvalText({ what }: ApprovalRequest, t: Translate): string {
  if (what.kind === 'remote') {
    const headers = what.headerNames.length === 0 ? t('none') : what.headerNames.map(exact).join(', ');
    return [t('URL: {url}', { url: exact(what.url) }), t('Headers: {names}', { names: headers })].join('\n');
  }
  return [
    t('Command: {command}', { command: exact(what.command) }),
    what.executable === undefined
      ? t('This command was not found.')
      : t('Program: {file}', { file: exact(what.executable) }),
    ...(what.args.length === 0 ? [t('No arguments')] : []),
    ...what.args.map((value, index) => t('Argument {number}: {value}', { number: index + 1, value: exact(value) })),
    t('Folder: {folder}', { folder: exact(what.cwd) }),
    ...Object.entries(what.env).map(([name, value]) =>
      t('Variable {name}: {value}', { name: exact(name), value: exact(value) }),
    ),
  ].join('\n');
}

/** More than this and a dialog would hide a part of it behind its own edge. */
export function fitsInDialog(text: string): boolean {
  const lines = text.split('\n');
  return lines.reduce((sum, line) => sum + Math.max(1, Math.ceil(line.length / 60)), 0) <= 24;
}

/** The text with everything that could hide shown: controls, bidi, line ends, and runs of blanks as their number. */
export function exact(text: string): string {
  if (text === '') return '""';
  return visibleLine(text).replace(/ {3,}|^ +| +$/g, (blanks) => `[${blanks.length} × U+0020]`);
}
