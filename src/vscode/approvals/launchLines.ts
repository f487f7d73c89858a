// What runs or is reached, line by line: each value on its own line behind its label, nothing shortened, hidden characters
// and padding made visible (product TRUST-3). Pure.
import { exactText as exact } from '../../base/exactText.ts';
import type { InputDefinition } from '../../contract/serverConfig.ts';
import type { LaunchDescription } from '../../core/ports.ts';
import type { Translate } from '../translate.ts';

export interface LaunchLine {
  /** Names what the line tells, the same in two launches; arguments share one, as they have places, not names. */
  readonly field: string;
  /** Label and value. */
  readonly text: string;
  /** The value alone, where the label tells the place. */
  readonly value?: string;
  /** It matters only where it changed: other lines show what it stands for. */
  readonly onlyChanged?: true;
}

export const argumentField = 'argument';

/** Plain lines, none indented: one that a dialog wraps is not taken for a new one. */
export function launchLines(
  { what, references = [], inputs = [] }: LaunchDescription,
  t: Translate,
): readonly LaunchLine[] {
  const uses = t('Uses your values: {references}', { references: references.map((each) => exact(each)).join(', ') });
  return [
    ...(what.kind === 'remote' ? remoteLines(what, t) : processLines(what, t)),
    ...(references.length > 0 ? [{ field: 'references', text: uses }] : []),
    ...inputs.flatMap((input) => inputLines(input, t)),
  ];
}

/** Choices and defaults come from the file, and go into the launch. */
function inputLines(input: InputDefinition, t: Translate): readonly LaunchLine[] {
  const { id, description = id, default: suggested, password, type, options = [] } = input;
  const name = exact(`\${input:${id}}`);
  const words = { name, text: exact(description) };
  const asks =
    password === true ? t('Asks you for the password {name}: {text}', words) : t('Asks you for {name}: {text}', words);
  const choices = type === 'pickString' ? options : [];
  return [
    { field: `input ${id}`, text: asks },
    ...(suggested === undefined
      ? []
      : [{ field: `default ${id}`, text: t('Suggested for {name}: {value}', { name, value: exact(suggested) }) }]),
    ...choices.map((value) => ({
      field: `choice ${id} ${value}`,
      text: t('Choice for {name}: {value}', { name, value: exact(value) }),
    })),
  ];
}

type What<K extends LaunchDescription['what']['kind']> = Extract<LaunchDescription['what'], { kind: K }>;

/** What is reached comes first: a URL as it is written can look like another one (look-alike letters, `%2e`, numbers). */
function remoteLines({ url, reached, host, headers }: What<'remote'>, t: Translate): readonly LaunchLine[] {
  const sent = Object.entries(headers).map(([name, value]) => ({
    field: `header ${name.toLowerCase()}`,
    text: t('Header {name}: {value}', { name: exactName(name), value: exact(value) }),
  }));
  return [
    { field: 'url', text: t('URL: {url}', { url: exact(reached ?? url) }) },
    ...(host === undefined ? [] : [{ field: 'host', text: t('Host: {host}', { host: exact(host) }) }]),
    ...(reached === undefined || reached === url
      ? []
      : [{ field: 'written', text: t('Written as: {url}', { url: exact(url) }) }]),
    ...(sent.length === 0 ? [{ field: 'no header', text: t('No headers') }] : sent),
  ];
}

function processLines(what: What<'stdio'>, t: Translate): readonly LaunchLine[] {
  const { command, args, cwd, realCwd = cwd, env, envFile, envFileHash, launcherFiles = {} } = what;
  const content = t('Content of this file: SHA-256 {hash}', { hash: envFileHash ?? '' });
  return [
    { field: 'command', text: t('Command: {command}', { command: exact(command) }) },
    ...programLines(what, t),
    ...(args.length === 0 ? [{ field: 'no argument', text: t('No arguments') }] : []),
    ...args.map((value, index) => ({
      field: argumentField,
      text: t('Argument {number}: {value}', { number: index + 1, value: exact(value) }),
      value,
    })),
    { field: 'folder', text: t('Folder: {folder}', { folder: exact(cwd) }) },
    ...(realCwd === cwd
      ? []
      : [{ field: 'real folder', text: t('This folder leads to: {folder}', { folder: exact(realCwd) }) }]),
    ...(envFile === undefined
      ? []
      : [{ field: 'envFile', text: t('File of variables: {file}', { file: exact(envFile) }) }]),
    ...(envFileHash === undefined ? [] : [{ field: 'envFile content', text: content, onlyChanged: true } as const]),
    ...Object.entries(launcherFiles).map(([file, hash]) => ({
      field: `launcher file ${file}`,
      text: t('Decides what runs, too: {file}, SHA-256 {hash}', { file: exact(file), hash }),
    })),
    ...Object.entries(env).map(([name, value]) => ({
      field: `variable ${name}`,
      text: t('Variable {name}: {value}', { name: exactName(name), value: exact(value) }),
    })),
  ];
}

function programLines(
  { command, executable, calledAs, executableOpen }: What<'stdio'>,
  t: Translate,
): readonly LaunchLine[] {
  if (executableOpen) return [{ field: 'program', text: t('Which program that is depends on values of yours.') }];
  if (executable === undefined) return [{ field: 'program', text: t('This command was not found.') }];
  const program = { field: 'program', text: t('Program: {file}', { file: exact(calledAs ?? executable) }) };
  // A path that leads nowhere else says it all.
  if (calledAs === undefined) return executable === command ? [] : [program];
  return [program, { field: 'link', text: t('This program is a link to: {file}', { file: exact(executable) }) }];
}

/** Cannot be taken for the beginning of the value behind it. */
function exactName(name: string): string {
  return exact(name, ':');
}
