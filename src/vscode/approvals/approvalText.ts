// A launch in words, for the person who decides: all of it, nothing shortened, one value a line, hidden characters and
// padding made visible (product TRUST-3). Pure.
import { visibleLine } from '../../base/sanitise.ts';
import type { ApprovalRequest } from '../../core/ports.ts';
import type { Translate } from '../translate.ts';

/** Lines of plain text, each with its own label and none indented: one that a dialog wraps is not taken for a new one. */
export function approvalText({ what, references = [] }: ApprovalRequest, t: Translate): string {
  const uses = t('Uses of yours: {references}', { references: references.map(exact).join(', ') });
  return [
    ...(what.kind === 'remote' ? remoteLines(what, t) : processLines(what, t)),
    ...(references.length > 0 ? [uses] : []),
  ].join('\n');
}

type What<K extends ApprovalRequest['what']['kind']> = Extract<ApprovalRequest['what'], { kind: K }>;

function remoteLines({ url, headers }: What<'remote'>, t: Translate): readonly string[] {
  const sent = Object.entries(headers).map(([name, value]) =>
    t('Header {name}: {value}', { name: exact(name), value: exact(value) }),
  );
  return [t('URL: {url}', { url: exact(url) }), ...(sent.length === 0 ? [t('No headers')] : sent)];
}

function processLines(
  { command, executable, args, cwd, env, envFile }: What<'stdio'>,
  t: Translate,
): readonly string[] {
  return [
    t('Command: {command}', { command: exact(command) }),
    executable === undefined ? t('This command was not found.') : t('Program: {file}', { file: exact(executable) }),
    ...(args.length === 0 ? [t('No arguments')] : []),
    ...args.map((value, index) => t('Argument {number}: {value}', { number: index + 1, value: exact(value) })),
    t('Folder: {folder}', { folder: exact(cwd) }),
    ...(envFile === undefined ? [] : [t('File of variables: {file}', { file: exact(envFile) })]),
    ...Object.entries(env).map(([name, value]) =>
      t('Variable {name}: {value}', { name: exact(name), value: exact(value) }),
    ),
  ];
}

/** More than this and a dialog would hide a part of it behind its own edge. */
export function fitsInDialog(text: string): boolean {
  const lines = text.split('\n');
  return lines.reduce((sum, line) => sum + Math.max(1, Math.ceil(widthOf(line) / 60)), 0) <= 24;
}

/**
 * The text for an editor that does not wrap: what is wider than a screen goes on in lines that begin with `↪`, which no
 * line of ours does, so that a value cannot pass a part of itself off as a line with a label.
 */
export function documentText(text: string): string {
  return text.split('\n').map(brokenLine).join('\n');
}

/** Call arguments as JSON, a value a line; padding inside of a string is shown as in a launch. */
export function exactJson(value: unknown): string {
  const lines = JSON.stringify(value, null, 2).split('\n');
  return lines
    .map((line) => line.replace(/^( *)(.*)$/s, (_, indent: string, rest: string) => indent + exact(rest)))
    .join('\n');
}

/**
 * The text with everything that could hide shown: controls, bidi, line ends, every blank that is not U+0020, and blanks
 * that stand together, or at an end, as their number.
 */
export function exact(text: string): string {
  if (text === '') return '""';
  const blanksMarked = text.replace(/([\t\p{Zs}])\1*/gu, (run, blank: string, at: number) => {
    const inside = at > 0 && at + run.length < text.length;
    const alone = !blankBeside(text, at, run.length);
    if (run.length > 1) return `[${run.length} × ${notation(blank)}]`;
    if (blank !== ' ') return `[${notation(blank)}]`;
    return inside && alone ? run : `[1 × ${notation(blank)}]`;
  });
  return visibleLine(blanksMarked);
}

const width = 100;

function brokenLine(line: string): string {
  if (widthOf(line) <= width) return line;
  const parts: string[] = [];
  let part = '';
  let used = 0;
  for (const character of line) {
    const wide = widthOf(character);
    if (used + wide > width) {
      parts.push(part);
      [part, used] = ['↪ ', 2];
    }
    part += character;
    used += wide;
  }
  return [...parts, part].join('\n');
}

/** Columns, never too few: what is not ASCII counts as two. */
function widthOf(text: string): number {
  let columns = 0;
  for (const character of text) columns += character <= '~' ? 1 : 2;
  return columns;
}

function blankBeside(text: string, at: number, length: number): boolean {
  return /[\t\p{Zs}]/u.test(text.charAt(at - 1) + text.charAt(at + length));
}

function notation(blank: string): string {
  return `U+${blank.charCodeAt(0).toString(16).toUpperCase().padStart(4, '0')}`;
}
