// The document of one part of a resource: a safe file name whose ending tells the editor the language, and the
// content. Pure. An SVG is text here, so that nothing in it runs. Only endings are used whose language support fetches
// nothing that a text names: a `$schema` in JSON or YAML, or a DTD in XML, would make the editor visit the server's URL.
import { shownLine } from '../shownText.ts';
import type { JsonObject } from '../../contract/json.ts';
import type { Translate } from '../translate.ts';

export interface ResourceDocument {
  readonly name: string;
  readonly content: string | Uint8Array;
}

/**
 * JSON of a server is opened as JSON Lines: coloured and folded like JSON, though left alone by the support for JSON,
 * which fetches the URL of a `$schema` wherever the document comes from.
 */
export const serverJsonEnding = 'jsonl';

const endings: Readonly<Record<string, string>> = {
  'application/json': serverJsonEnding,
  'text/markdown': 'md',
  'text/html': 'html',
  'text/css': 'css',
  'text/csv': 'csv',
  'text/javascript': 'js',
  'application/javascript': 'js',
  'text/x-python': 'py',
  'application/typescript': 'ts',
};

/** Endings of languages that resolve no references of a text. */
const quietEndings: ReadonlySet<string> = new Set([
  ...Object.values(endings),
  ...['txt', 'log', 'diff', 'patch', 'sh', 'ps1', 'sql', 'tsv', 'ini'],
  ...['tsx', 'jsx', 'c', 'h', 'cpp', 'hpp', 'cs', 'go', 'rs', 'rb', 'php', 'java', 'kt', 'swift', 'lua'],
]);

const imageEndings: Readonly<Record<string, string>> = {
  'image/png': 'png',
  'image/jpeg': 'jpg',
  'image/gif': 'gif',
  'image/webp': 'webp',
};

export function documentOf(part: JsonObject, requested: string, t: Translate): ResourceDocument {
  const uri = typeof part['uri'] === 'string' ? part['uri'] : requested;
  const mimeType =
    (typeof part['mimeType'] === 'string' ? part['mimeType'] : '').split(';', 1)[0]?.trim().toLowerCase() ?? '';
  const stem = nameOf(uri);
  if (typeof part['text'] === 'string') return { name: textName(stem, endings[mimeType]), content: part['text'] };
  const blob = typeof part['blob'] === 'string' ? part['blob'] : '';
  const image = imageEndings[mimeType];
  const bytes = Buffer.from(blob, 'base64');
  if (image !== undefined) return { name: endingOf(stem) === image ? stem : `${stem}.${image}`, content: bytes };
  const facts = [
    t('This resource is binary and is not shown.'),
    t('Address: {uri}', { uri: shownLine(uri) }),
    t('Type: {type}', { type: shownLine(mimeType) || t('unknown') }),
    t('Size: {size} bytes', { size: bytes.length }),
  ];
  return { name: `${stem}.txt`, content: `${facts.join('\n')}\n` };
}

/** The last part of the path, without anything that a path or an editor could take for more than letters. */
function nameOf(uri: string): string {
  const path = uri.split(/[?#]/, 1)[0] ?? '';
  const last =
    path
      .split('/')
      .filter((part) => part !== '')
      .at(-1) ?? 'resource';
  const safe = last
    .replace(/[^\p{L}\p{N}._-]+/gu, '_')
    .replace(/^\.+/, '')
    .slice(0, 80);
  return safe === '' ? 'resource' : safe;
}

/** Keeps an ending that is quiet, gives JSON its own, and hides every other one behind that of its type or of plain text. */
function textName(stem: string, ending = 'txt'): string {
  const own = endingOf(stem);
  if (own !== undefined && quietEndings.has(own)) return stem;
  if (own === 'json') return `${stem.slice(0, -own.length)}${serverJsonEnding}`;
  return `${stem}.${ending}`;
}

function endingOf(name: string): string | undefined {
  return /\.([A-Za-z0-9-]{1,20})$/.exec(name)?.[1]?.toLowerCase();
}
