// A launch in words, for the person who decides: all of it, nothing shortened, one value a line, hidden characters and
// padding made visible (product TRUST-3). Pure.
import { exactPart, exactText as exact } from '../../base/exactText.ts';
import type { ApprovalRequest } from '../../core/ports.ts';
import type { Translate } from '../translate.ts';

/** Lines of plain text, each with its own label and none indented: one that a dialog wraps is not taken for a new one. */
export function approvalText({ what, references = [] }: ApprovalRequest, t: Translate): string {
  const uses = t('Uses of yours: {references}', { references: references.map((each) => exact(each)).join(', ') });
  return [
    ...(what.kind === 'remote' ? remoteLines(what, t) : processLines(what, t)),
    ...(references.length > 0 ? [uses] : []),
  ].join('\n');
}

type What<K extends ApprovalRequest['what']['kind']> = Extract<ApprovalRequest['what'], { kind: K }>;

/** What is reached comes first: a URL as it is written can look like another one (look-alike letters, `%2e`, numbers). */
function remoteLines({ url, reached, host, headers }: What<'remote'>, t: Translate): readonly string[] {
  const sent = Object.entries(headers).map(([name, value]) =>
    t('Header {name}: {value}', { name: exactName(name), value: exact(value) }),
  );
  return [
    t('URL: {url}', { url: exact(reached ?? url) }),
    ...(host === undefined ? [] : [t('Host: {host}', { host: exact(host) })]),
    ...(reached === undefined || reached === url ? [] : [t('Written as: {url}', { url: exact(url) })]),
    ...(sent.length === 0 ? [t('No headers')] : sent),
  ];
}

function processLines(
  { command, executable, args, cwd, realCwd = cwd, env, envFile }: What<'stdio'>,
  t: Translate,
): readonly string[] {
  return [
    t('Command: {command}', { command: exact(command) }),
    executable === undefined ? t('This command was not found.') : t('Program: {file}', { file: exact(executable) }),
    ...(args.length === 0 ? [t('No arguments')] : []),
    ...args.map((value, index) => t('Argument {number}: {value}', { number: index + 1, value: exact(value) })),
    t('Folder: {folder}', { folder: exact(cwd) }),
    ...(realCwd === cwd ? [] : [t('This folder leads to: {folder}', { folder: exact(realCwd) })]),
    ...(envFile === undefined ? [] : [t('File of variables: {file}', { file: exact(envFile) })]),
    ...Object.entries(env).map(([name, value]) =>
      t('Variable {name}: {value}', { name: exactName(name), value: exact(value) }),
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
 * line of ours does, so that a value cannot pass a part of itself off as a line with a label. There is room above it for
 * a list of that many choices, which lies over the first lines of an editor.
 */
export function documentText(text: string, choices = 0): string {
  const room = choices === 0 ? 0 : Math.min(choices, 14) + 4;
  return '\n'.repeat(room) + text.split('\n').map(brokenLine).join('\n');
}

/** Call arguments as JSON, a value a line; padding inside of a string is shown as in a launch. */
export function exactJson(value: unknown): string {
  const lines = JSON.stringify(value, null, 2).split('\n');
  return lines
    .map((line) => line.replace(/^( *)(.*)$/s, (_, indent: string, rest: string) => indent + exactPart(rest)))
    .join('\n');
}

/** Cannot be taken for the beginning of the value behind it. */
function exactName(name: string): string {
  return exact(name, ':');
}

/** Columns: beside the Explorer and a map of the text, an editor of an ordinary window shows these. */
const width = 76;

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
