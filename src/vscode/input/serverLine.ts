// Reads what a person types into "Add Server": a URL, or a command line with quotes as shells know them. Nothing is
// expanded and no shell is involved; an unclosed quote is refused, and so is what the file would not take (CFG-6).
import { parseEntry, isServerId } from '../../contract/configFile.ts';
import { currentConfigVersion } from '../../contract/configMigrations.ts';
import type { JsonObject } from '../../contract/json.ts';
import { checkServerUrl } from '../../contract/urlRule.ts';

export type ServerLine =
  | { readonly kind: 'stdio'; readonly command: string; readonly args: readonly string[] }
  | { readonly kind: 'remote'; readonly url: string }
  | { readonly kind: 'wrong'; readonly why: 'empty' | 'quote' | 'url' };

export function serverLine(text: string): ServerLine {
  const line = text.trim();
  if (line === '') return { kind: 'wrong', why: 'empty' };
  if (/^[a-z][a-z0-9+.-]*:\/\//i.test(line)) {
    const remote = { kind: 'remote', url: line } as const;
    return checkServerUrl(line) === undefined && isStorable(remote) ? remote : { kind: 'wrong', why: 'url' };
  }
  const words = splitWords(line);
  if (words === undefined) return { kind: 'wrong', why: 'quote' };
  const [command = '', ...args] = words;
  const stdio = { kind: 'stdio', command, args } as const;
  return isStorable(stdio) ? stdio : { kind: 'wrong', why: 'empty' };
}

/** The entry that is written for it; it names its protocol (CFG-2). */
export function entryOf(line: Exclude<ServerLine, { kind: 'wrong' }>): JsonObject {
  return line.kind === 'remote'
    ? { url: line.url, protocol: 'auto' }
    : { command: line.command, args: line.args, protocol: 'legacy' };
}

/** A legal id made from the last meaningful word: the package's or the host's name. Free of the ids in `taken`. */
export function suggestedId(line: ServerLine, taken: ReadonlySet<string>): string {
  const base = (line.kind === 'stdio' ? nameOfCommand(line) : line.kind === 'remote' ? nameOfUrl(line.url) : '')
    .replace(/[^A-Za-z0-9-]+/g, '-')
    .replace(/^-+|-+$/g, '')
    .slice(0, 28);
  const id = isServerId(base) ? base : 'server';
  if (!taken.has(id)) return id;
  for (let number = 2; ; number++) if (!taken.has(`${id}-${number}`)) return `${id}-${number}`;
}

export type IdFault = 'form' | 'taken';

/** CFG-6; the store checks again. */
export function idFault(id: string, taken: ReadonlySet<string>): IdFault | undefined {
  if (!isServerId(id)) return 'form';
  return taken.has(id) ? 'taken' : undefined;
}

function isStorable(line: Exclude<ServerLine, { kind: 'wrong' }>): boolean {
  return parseEntry(entryOf(line), currentConfigVersion).ok;
}

function splitWords(line: string): readonly string[] | undefined {
  const words: string[] = [];
  let word: string | undefined;
  let quote: string | undefined;
  for (const character of line) {
    if (quote !== undefined) {
      if (character === quote) quote = undefined;
      else word = (word ?? '') + character;
    } else if (character === '"' || character === "'") {
      // A quote inside a word, as in it's, still opens one, as shells have it.
      quote = character;
      word ??= '';
    } else if (/\s/.test(character)) {
      if (word !== undefined) words.push(word);
      word = undefined;
    } else {
      word = (word ?? '') + character;
    }
  }
  if (quote !== undefined) return undefined;
  if (word !== undefined) words.push(word);
  return words;
}

const launchers = new Set([
  'npx',
  'uvx',
  'node',
  'python',
  'python3',
  'bunx',
  'deno',
  'docker',
  'uv',
  'npm',
  'pnpm',
  'run',
  'exec',
  'dlx',
]);

function nameOfCommand({ command, args }: { command: string; args: readonly string[] }): string {
  const words = [command, ...args].map(lastPart);
  const name =
    words.find((word) => word !== '' && !word.startsWith('-') && !launchers.has(stem(word))) ?? stem(command);
  return stem(name.replace(/(.)@.*$/, '$1')).replace(/^(mcp-)?server-|-?mcp(-server)?$/g, '') || stem(name);
}

/** Of `…/name/dist/index.js` it is the name that tells: such files are called alike everywhere. */
function lastPart(word: string): string {
  const parts = word.split(/[\\/]/);
  while (parts.length > 1 && generic.has(stem(parts.at(-1) ?? '').toLowerCase())) parts.pop();
  return parts.at(-1) ?? '';
}

const generic = new Set([
  'index',
  'main',
  'server',
  'cli',
  'app',
  'start',
  '__main__',
  'dist',
  'build',
  'out',
  'lib',
  'src',
  'bin',
]);

function stem(word: string): string {
  return word.replace(/\.(exe|cmd|bat|[cm]?js|ts|py|sh)$/i, '');
}

function nameOfUrl(url: string): string {
  const labels = new URL(url).hostname.split('.').filter((label) => !['www', 'mcp', 'api'].includes(label));
  return labels.length > 1 ? (labels.at(-2) ?? '') : (labels[0] ?? '');
}
