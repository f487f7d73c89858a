// The quick fix: keeps a secret in the editor's secret storage and takes it out of the open document (product TRUST-6).
// It stores first, so that nothing is lost where that fails. The value is in no title, message, log or argument of a command.
import * as vscode from 'vscode';
import type { ConfigScope } from '../../contract/serverConfig.ts';
import type { BoundTarget } from '../../core/ports.ts';
import { canonicalUrl } from '../../core/secrets/canonicalUrl.ts';
import { findAgain, findSecrets, type FoundSecret } from '../../core/secrets/findSecrets.ts';
import { keptValueOf, secretNameFor, withoutSecret } from '../../core/secrets/withoutSecret.ts';
import type { StoredValues } from '../adapters/personalValues.ts';
import { boundValueOf, secretOf, type StoredValue } from '../adapters/storedValue.ts';
import { askValue } from '../input/askValue.ts';
import { t } from '../strings.ts';
import { tell } from '../surfaces/tell.ts';
import { movedText } from './secretText.ts';
import { textChange } from './textChange.ts';

/** `path` names the field, as in `FoundSecret`. What is no longer there as it was stored stays in the file. */
export async function moveSecret(
  document: vscode.TextDocument,
  scope: ConfigScope,
  path: string,
  values: StoredValues,
): Promise<void> {
  const found = findSecrets(document.getText(), scope.kind).find((secret) => pathOf(secret) === path);
  if (found?.remedy === undefined) return;
  const place = await placeFor(found, scope, values);
  const value = keptValueOf(found) ?? (await askValue(place.stored, undefined, undefined));
  if (value === undefined || value === '') return;
  await values.keep(place.stored, value);
  switch (await takeOut(document, scope, found, place.reference)) {
    case 'out':
      void tell.info(movedText(found, place.shown, t));
      return;
    case 'unsaved':
      void tell.warn(t('The value is stored and out of the text, though the file could not be saved: save it.'));
      return;
    case 'changed':
      void tell.warn(t('The value is stored, though it is still in the file: the file changed meanwhile.'));
  }
}

export function pathOf({ path }: FoundSecret): string {
  return JSON.stringify(path);
}

interface Place {
  readonly stored: StoredValue;
  /** What stands in the file in its place. */
  readonly reference: string;
  readonly shown: string;
}

async function placeFor(found: FoundSecret, scope: ConfigScope, values: StoredValues): Promise<Place> {
  if (found.remedy?.kind === 'bind' && scope.kind === 'project') {
    const url = canonicalUrl(found.remedy.url);
    const target: BoundTarget = { folder: scope.folder, server: found.server as BoundTarget['server'], url };
    const kind = found.place === 'clientSecret' ? 'clientSecret' : 'header';
    const stored = boundValueOf(target, { kind, name: found.name });
    return { stored, reference: '', shown: stored.target?.place ?? '' };
  }
  const name = await freeName(found, scope, values);
  const reference = `\${secret:${name}}`;
  return { stored: secretOf(name, scope), reference, shown: reference };
}

/** A name that keeps nothing yet, or this very value. */
async function freeName(found: FoundSecret, scope: ConfigScope, values: StoredValues): Promise<string> {
  const taken = new Set<string>();
  for (;;) {
    const name = secretNameFor(found, taken);
    const known = await values.known(secretOf(name, scope));
    if (known === undefined || known === keptValueOf(found)) return name;
    taken.add(name);
  }
}

/** Saves a document that was saved before, so that the secret leaves the disk too. */
async function takeOut(
  document: vscode.TextDocument,
  scope: ConfigScope,
  earlier: FoundSecret,
  reference: string,
): Promise<'out' | 'unsaved' | 'changed'> {
  const saved = !document.isDirty;
  const text = document.getText();
  const found = findAgain(text, scope.kind, earlier);
  if (found === undefined) return 'changed';
  const change = textChange(text, withoutSecret(text, found, reference));
  const edit = new vscode.WorkspaceEdit();
  const range = new vscode.Range(document.positionAt(change.start), document.positionAt(change.end));
  edit.replace(document.uri, range, change.text);
  if (!(await vscode.workspace.applyEdit(edit))) return 'changed';
  return saved && !(await document.save()) ? 'unsaved' : 'out';
}
