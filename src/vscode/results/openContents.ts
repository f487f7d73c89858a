// Opens what `resources/read` answered in read-only editors: text with its language, images as images, other bytes
// as a summary. The names come from the URI, made safe for a path.
import * as vscode from 'vscode';
import { isJsonObject, type JsonObject, type JsonValue } from '../../contract/json.ts';
import type { MemoryFiles } from '../adapters/memoryFiles.ts';
import { t } from '../strings.ts';
import { tell } from '../surfaces/tell.ts';
import { openDocument } from './openDocument.ts';
import { documentOf } from './resourceDocument.ts';

/** A resource of many parts opens its first ones; more would bury the person's own editors. */
const openedAtOnce = 5;

export async function openContents(
  documents: MemoryFiles,
  server: string,
  uri: string,
  result: JsonObject,
): Promise<void> {
  const contents = Array.isArray(result['contents']) ? (result['contents'] as readonly JsonValue[]) : [];
  const parts = contents.filter(isJsonObject);
  if (parts.length === 0) void tell.info(t('The resource is empty.'));
  for (const [index, part] of parts.slice(0, openedAtOnce).entries()) {
    const document = documentOf(part, uri, t);
    const folder = parts.length === 1 ? '' : `${index + 1}/`;
    const path = `/resource/${server}/${folder}${document.name}`;
    const options = { preview: parts.length === 1 };
    // Text always opens as text: a preview of a server's Markdown would fetch the images that it names.
    if (typeof document.content === 'string') await openDocument(documents, path, document.content, options);
    else await vscode.commands.executeCommand('vscode.open', documents.put(path, document.content), options);
  }
  if (parts.length > openedAtOnce) {
    const message = t('{count} parts; the first {shown} are open.', { count: parts.length, shown: openedAtOnce });
    void tell.info(message);
  }
}
