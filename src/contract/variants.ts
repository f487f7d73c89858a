// Where one code has several causes that a person mends in different ways: the words for those that its data tells apart.
// Pure. A variant without a text, or without a remedy, leaves that of the code; the first that fits is taken.
import type { ErrorCode } from './errorCodes.ts';

export interface Variant {
  readonly code: ErrorCode;
  /** By the name of a value: it is there, is one of these, or looks like this. All have to hold. */
  readonly where: Readonly<Record<string, RegExp | true | readonly string[]>>;
  readonly text?: string;
  readonly remedy?: string;
}

export function variantOf(code: ErrorCode, data: Readonly<Record<string, unknown>>): Variant | undefined {
  return variants.find((variant) => variant.code === code && fits(variant, data));
}

/** Whether the data is what a variant is for. */
export function fits({ where }: Pick<Variant, 'where'>, data: Readonly<Record<string, unknown>>): boolean {
  return Object.entries(where).every(([name, wanted]) => isLike(data[name], wanted));
}

/** Also of a server of the person's own. */
const workspaceUse = 'Server "{server}" uses the folder of this workspace, so it does not run until you trust it.';

export const variants: readonly Variant[] = [
  {
    code: 'commandNotFound',
    where: { command: /^[a-z][a-z0-9+.-]+:\/\//i },
    remedy: 'Put the address into url in place of command.',
  },
  {
    code: 'commandNotFound',
    where: { command: /^~/ },
    remedy: 'Write ${userHome} in place of ~, which only a shell understands.',
  },
  {
    code: 'commandNotFound',
    where: { command: /\S\s+\S/ },
    remedy:
      'Put the program alone into command and the rest, part by part, into args. If the space belongs to its path, check that path.',
  },
  {
    code: 'commandNotFound',
    where: { path: /^$/ },
    text: 'The command {command} of server "{server}" was not found: PATH is empty.',
    remedy: 'Write its full path, or give the entry a PATH in env.',
  },
  {
    code: 'argumentsInvalid',
    where: { of: ['caller'] },
    text: 'The call of {tool} on server "{server}" names "{caller}" as its caller, which is no extension of this editor.',
    remedy: 'Name the id of the extension that calls: publisher.name.',
  },
  {
    code: 'argumentsInvalid',
    where: { of: ['shape'] },
    text: 'The arguments of {tool} on server "{server}" are no JSON object, or too large.',
  },
  {
    code: 'connectTimeout',
    where: { remote: true },
    remedy: 'Check the URL and the network, or raise timeouts.connect if it only needs longer.',
  },
  {
    code: 'urlForbidden',
    where: { endpoint: true },
    text: 'Server "{server}" wants its messages sent to another origin, {url}, which is not allowed.',
    remedy: 'Correct the address that the server gives out, as behind a proxy; if it is right, use its origin in url.',
  },
  {
    code: 'urlForbidden',
    where: { server: true, field: true },
    text: '{field} of server "{server}" is {url}, whose value is not allowed: {detail}.',
    remedy: 'Correct the value of its variables, or the URL itself.',
  },
  {
    code: 'urlForbidden',
    where: { server: true },
    text: 'The URL {url} of server "{server}" is not allowed: {detail}.',
  },
  {
    code: 'envFileUnreadable',
    where: { fault: ['line'] },
    remedy: 'Correct that line: NAME=value, or # and a comment.',
  },
  {
    code: 'envFileUnreadable',
    where: { fault: ['size'] },
    remedy: 'Name a file that holds the variables of this server alone.',
  },
  { code: 'envFileUnreadable', where: { fault: ['encoding'] }, remedy: 'Save the file as UTF-8.' },
  {
    code: 'variableUnset',
    where: { variable: /^\$\{workspaceFolder\}$/ },
    text: '{field} of server "{server}" needs an open folder for {variable}, and there is none.',
    remedy: 'Open a folder, or write the path out.',
  },
  {
    code: 'variableUnknown',
    where: { fault: ['unclosed'] },
    text: '{field} of server "{server}" has a variable without its closing brace: {variable}.',
    remedy: 'Close the brace, or write $${ where no variable is meant.',
  },
  {
    code: 'variableUnknown',
    where: { fault: ['nested'] },
    text: '{field} of server "{server}" has a variable inside of another one: {variable}.',
    remedy: 'Give the outer one a plain default; variables do not nest.',
  },
  { code: 'blockedTrust', where: { uses: ['workspace'] }, text: workspaceUse },
  { code: 'blockedTrust', where: { field: true }, text: workspaceUse },
  {
    code: 'blockedApproval',
    where: { answer: ['refused'] },
    text: 'You chose not to run server "{server}".',
    remedy: 'Review it again if you changed your mind.',
  },
  {
    code: 'blockedApproval',
    where: { answer: ['outdated'] },
    text: 'What server "{server}" runs or reaches is no longer what you approved.',
    remedy: 'Review the difference, and approve it if it is meant.',
  },
  {
    code: 'networkFailed',
    where: { detail: /EMFILE|ENFILE/ },
    text: 'Server "{server}" cannot be reached: too many files and connections are open here.',
    remedy: 'Close some programs, or raise the limit of open files, then start it again.',
  },
  {
    code: 'networkFailed',
    where: { detail: /HPE_HEADER_OVERFLOW/ },
    text: 'Server "{server}" answered with headers that are too large to be taken.',
    remedy: "Report it to the server's authors, or check the proxy before it.",
  },
  {
    code: 'networkFailed',
    where: { detail: /HPE_/ },
    text: 'Server "{server}" answered with something that is not HTTP: {detail}.',
    remedy: 'Check the URL and its port.',
  },
  {
    code: 'networkFailed',
    where: { detail: /^(?:aborted\b|the connection was lost)/ },
    text: 'The answer of server "{server}" broke off: {detail}.',
    remedy: 'Try again; if it happens each time, check the server and the proxy before it.',
  },
  {
    code: 'blockedEditor',
    where: { why: ['off'] },
    text: 'Server "{server}" may not run: {setting} turns MCP servers off in this editor.',
  },
  {
    code: 'blockedEditor',
    where: { why: ['registry'] },
    text: 'Server "{server}" may not run: {setting} lets only servers of the editor’s own registry run.',
  },
  {
    code: 'blockedEditor',
    where: { why: ['denied'] },
    text: 'Server "{server}" may not run: {setting} names it.',
  },
  {
    code: 'blockedEditor',
    where: { why: ['unclear'] },
    text: 'Server "{server}" may not run: {setting} holds something that this version does not understand.',
    remedy: 'Correct the setting, or ask whoever manages your editor; until then no server runs.',
  },
  {
    code: 'windowClosed',
    where: { during: true },
    text: 'The VS Code window was closed before it answered; {during} may have run, and is not sent again.',
    remedy: 'Look at what it did before you repeat it.',
  },
  {
    code: 'windowClosed',
    where: { why: ['restricted'] },
    text: 'The VS Code window of this folder is in Restricted Mode, where no agent is served.',
    remedy: 'Trust the folder in VS Code, then try again.',
  },
  {
    code: 'protocolError',
    where: { method: ['tools/call', 'prompts/get', 'resources/read', 'completion/complete'] },
    remedy: "Check the arguments; the message is the server's own.",
  },
];

function isLike(value: unknown, wanted: Variant['where'][string]): boolean {
  if (wanted === true) return value !== undefined;
  if (typeof value !== 'string') return false;
  return wanted instanceof RegExp ? wanted.test(value) : wanted.includes(value);
}
