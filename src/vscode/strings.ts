import * as vscode from 'vscode';
import type { Translate } from './translate.ts';

/** Words for people in the editor's language; the English sentence is the key in `l10n/`. */
export const t: Translate = (message, data) =>
  data === undefined ? vscode.l10n.t(message) : vscode.l10n.t(message, data);
