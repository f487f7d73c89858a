// The environment of a stdio server (CONN-7): an allow list, the names that the person lets through, the entry's own
// variables, and our mark. Pure. What belongs to the editor or to us is never inherited, whoever asks for it.
import { posix, win32 } from 'node:path';

/** What servers inherit from; inheritedEnvironment() makes it. */
export interface InheritedEnvironment {
  /** The machine's environment, with PATH of the login shell where that is needed. */
  readonly base: Readonly<Record<string, string | undefined>>;
  /** The names of `roundhouse.env.inherit`. */
  readonly inherit: readonly string[];
}

export interface ChildEnvironmentOptions {
  readonly inherited: InheritedEnvironment;
  /** The entry's own variables; they come last. */
  readonly own: Readonly<Record<string, string>>;
  /** `undefined` leaves the mark out: for what is shown rather than run. */
  readonly mark: string | undefined;
  readonly platform: NodeJS.Platform;
}

export function childEnvironment(options: ChildEnvironmentOptions): Record<string, string> {
  const { inherited, own, mark, platform } = options;
  const names = nameRules(inherited.inherit, platform);
  const result = new Map<string, readonly [name: string, value: string]>();
  const set = (name: string, value: string): void => void result.set(names.fold(name), [name, value]);
  for (const [name, value] of Object.entries(inherited.base)) {
    if (value === undefined || !names.passes(name) || isShellFunction(value)) continue;
    if (names.fold(name) !== 'PATH') set(name, value);
    else if (foldersOf(value, platform).passed.length > 0) set(name, foldersOf(value, platform).passed);
  }
  for (const [name, value] of Object.entries(own)) set(name, value);
  result.delete(names.fold(markVariable));
  // A batch file that names a program must not find one of that name in its working folder first, as cmd.exe would.
  if (platform === 'win32') set('NoDefaultCurrentDirectoryInExePath', '1');
  if (mark !== undefined) set(markVariable, nestedMark(inherited.base[markVariable], mark));
  return Object.fromEntries(result.values());
}

/** Names of the machine's environment that the server does not get, sorted; the editor's own are not worth a word. */
export function droppedVariables(options: Omit<ChildEnvironmentOptions, 'mark'>): readonly string[] {
  const { fold } = nameRules([], options.platform);
  const passed = new Set(Object.keys(childEnvironment({ ...options, mark: undefined })).map(fold));
  return Object.entries(options.inherited.base)
    .filter(([name, value]) => value !== undefined && !passed.has(fold(name)) && !isPrivate(name))
    .map(([name]) => name)
    .sort();
}

/**
 * Folders of PATH that the server does not get: what is not absolute means its working folder, where a file of a project
 * would stand in for a program. An empty one is `""`.
 */
export function droppedFolders({ base }: InheritedEnvironment, platform: NodeJS.Platform): readonly string[] {
  const { fold } = nameRules([], platform);
  const path = Object.entries(base).find(([name]) => fold(name) === 'PATH')?.[1];
  return path === undefined || path === '' ? [] : foldersOf(path, platform).dropped;
}

/** The default of `roundhouse.env.inherit`. */
export const defaultInherit: readonly string[] = [
  ...['HTTP_PROXY', 'HTTPS_PROXY', 'NO_PROXY', 'ALL_PROXY', 'http_proxy', 'https_proxy', 'no_proxy', 'all_proxy'],
  ...['NODE_EXTRA_CA_CERTS', 'SSL_CERT_FILE', 'SSL_CERT_DIR', 'REQUESTS_CA_BUNDLE', 'CURL_CA_BUNDLE', 'AWS_CA_BUNDLE'],
  ...['DISPLAY', 'WAYLAND_DISPLAY', 'XAUTHORITY', 'DBUS_SESSION_BUS_ADDRESS', 'TERM', 'TZ'],
];

/** Holds the marks of the trees that a process belongs to; see ownerMark.ts. */
export const markVariable = 'ROUNDHOUSE_TREE';

const allowed = ['PATH', 'HOME', 'USER', 'LOGNAME', 'SHELL', 'LANG', 'TMPDIR'];
const allowedPrefixes = ['LC_', 'XDG_'];
const allowedOnWindows = [
  ...['ALLUSERSPROFILE', 'APPDATA', 'COMMONPROGRAMFILES', 'COMMONPROGRAMFILES(X86)', 'COMMONPROGRAMW6432'],
  ...['COMPUTERNAME', 'COMSPEC', 'DRIVERDATA', 'HOMEDRIVE', 'HOMEPATH', 'LOCALAPPDATA', 'NUMBER_OF_PROCESSORS', 'OS'],
  ...['PATHEXT', 'PROCESSOR_ARCHITECTURE', 'PROCESSOR_IDENTIFIER', 'PROGRAMDATA', 'PROGRAMFILES', 'PROGRAMFILES(X86)'],
  ...['PROGRAMW6432', 'PSMODULEPATH', 'PUBLIC', 'SYSTEMDRIVE', 'SYSTEMROOT', 'TEMP', 'TMP', 'USERDOMAIN', 'USERNAME'],
  ...['USERPROFILE', 'WINDIR'],
];

/** The editor's and ours: handles, switches and tokens that are no server's business. */
function isPrivate(name: string): boolean {
  return /^(?:VSCODE_|ELECTRON_|ROUNDHOUSE_|MCP_ROUNDHOUSE_)/i.test(name);
}

interface NameRules {
  /** Windows takes names that differ in case only for one. */
  readonly fold: (name: string) => string;
  readonly passes: (name: string) => boolean;
}

function nameRules(inherit: readonly string[], platform: NodeJS.Platform): NameRules {
  const windows = platform === 'win32';
  const fold = (name: string): string => (windows ? name.toUpperCase() : name);
  const names = new Set([...allowed, ...(windows ? allowedOnWindows : []), ...inherit.map(fold)]);
  return {
    fold,
    passes: (name) =>
      !isPrivate(name) && (names.has(fold(name)) || allowedPrefixes.some((prefix) => fold(name).startsWith(prefix))),
  };
}

/** A whole PATH that becomes empty is left out: an empty one stands for the working folder as well. */
function foldersOf(
  value: string,
  platform: NodeJS.Platform,
): { readonly passed: string; readonly dropped: readonly string[] } {
  const paths = platform === 'win32' ? win32 : posix;
  const folders = value.split(paths.delimiter);
  const passes = (folder: string): boolean => paths.isAbsolute(folder.replace(/^"(.*)"$/, '$1'));
  return {
    passed: folders.filter(passes).join(paths.delimiter),
    dropped: folders.filter((folder) => !passes(folder)).map((folder) => folder || '""'),
  };
}

/** Functions that old versions of bash export as variables. */
function isShellFunction(value: string): boolean {
  return value.startsWith('() {');
}

/** The marks among `NAME=value` texts: those of the last one of that name. */
export function marksIn(variables: readonly string[]): readonly string[] {
  const found = variables.findLast((text) => text.startsWith(`${markVariable}=`));
  return found === undefined ? [] : found.slice(markVariable.length + 1).split(',');
}

/** A server of a server keeps the outer mark too: the outer one's end finds it even where the inner owner died. */
function nestedMark(outer: string | undefined, mark: string): string {
  return [...(outer ?? '').split(',').filter((part) => part !== ''), mark].slice(-nestedMarks).join(',');
}

const nestedMarks = 8;
