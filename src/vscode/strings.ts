import * as vscode from 'vscode';
import { visibleText } from '../base/sanitise.ts';
import type { Translate } from './translate.ts';

/**
 * Words for people in the editor's language; the English sentence is the key in `l10n/`. Nothing hidden gets in with the
 * data, wherever that is from and whoever forgot to look at it.
 */
export const t: Translate = (message, data) =>
  data === undefined ? vscode.l10n.t(message) : vscode.l10n.t(message, visible(data));

function visible(data: Readonly<Record<string, string | number | boolean>>): Record<string, string | number | boolean> {
  const entries = Object.entries(data).map(([name, value]) => [
    name,
    typeof value === 'string' ? visibleText(value) : value,
  ]);
  return Object.fromEntries(entries) as Record<string, string | number | boolean>;
}
