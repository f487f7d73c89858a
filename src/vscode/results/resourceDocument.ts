// The document of one part of a resource: a safe file name whose ending tells the editor the language, and the
// content. Pure. An SVG is text here, so that nothing in it runs.
import { shownLine } from '../shownText.ts';
import type { JsonObject } from '../../contract/json.ts';
import type { Translate } from '../translate.ts';

export interface ResourceDocument {
  readonly name: string;
  readonly content: string | Uint8Array;
}

const endings: Readonly<Record<string, string>> = {
  'application/json': 'json',
  'text/markdown': 'md',
  'text/html': 'html',
  'text/css': 'css',
  'text/csv': 'csv',
  'text/javascript': 'js',
  'application/javascript': 'js',
  'application/xml': 'xml',
  'text/xml': 'xml',
  'image/svg+xml': 'xml',
  'application/yaml': 'yaml',
  'text/x-python': 'py',
  'application/typescript': 'ts',
};

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
  if (typeof part['text'] === 'string')
    return { name: withEnding(stem, endings[mimeType] ?? 'txt'), content: part['text'] };
  const blob = typeof part['blob'] === 'string' ? part['blob'] : '';
  const image = imageEndings[mimeType];
  const bytes = Buffer.from(blob, 'base64');
  if (image !== undefined) return { name: withEnding(stem, image, true), content: bytes };
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

/** Keeps an ending that the name already has, unless `force`: then the content decides. */
function withEnding(name: string, ending: string, force = false): string {
  const own = /\.([A-Za-z0-9]{1,8})$/.exec(name)?.[1]?.toLowerCase();
  if (own === ending || (own !== undefined && !force && own !== 'svg')) return name;
  return `${name}.${ending}`;
}
