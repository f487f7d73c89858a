// How words for people are made in files that do not import the editor: the English sentence is the key, data goes
// into named places. The editor gives `vscode.l10n.t`; tests give `english`.
import { fillIn } from '../contract/sentences.ts';

export type Translate = (message: string, data?: Record<string, string | number | boolean>) => string;

export const english: Translate = (message, data) => (data === undefined ? message : fillIn(message, data));
