// Asks for a value that a definition leaves to the person. An abort closes the question: nobody waits for it any more.
import * as vscode from 'vscode';
import type { InputDefinition } from '../../contract/serverConfig.ts';
import type { StoredValue } from '../adapters/storedValue.ts';
import { shownLine } from '../shownText.ts';
import { t } from '../strings.ts';
import { closedByAbort } from './closedByAbort.ts';
import { inputQuestion } from './inputQuestion.ts';

/** `users`: the servers that want it, and their fields. */
export function askValue(
  value: StoredValue,
  definition: InputDefinition | undefined,
  signal: AbortSignal | undefined,
  users = '',
): Promise<string | undefined> {
  const wanted = users === '' ? '' : ` ${t('Wanted by {users}.', { users })}`;
  return closedByAbort(signal, (token) =>
    value.kind === 'input' ? askInput(value.name, definition, wanted, token) : askSecret(value, wanted, token),
  );
}

async function askInput(
  id: string,
  definition: InputDefinition | undefined,
  wanted: string,
  token: vscode.CancellationToken,
): Promise<string | undefined> {
  const { prompt, options, initial, password } = inputQuestion(id, definition);
  const title = t('Value of {name}', { name: shownLine(id, 100) });
  if (options !== undefined) {
    const look = { title, placeHolder: prompt + wanted, ignoreFocusOut: true };
    return (await vscode.window.showQuickPick([...options], look, token))?.value;
  }
  const look = { title, prompt: prompt + wanted, password, ignoreFocusOut: true, value: initial };
  return vscode.window.showInputBox(look, token);
}

function askSecret(
  { name, target }: StoredValue,
  wanted: string,
  token: vscode.CancellationToken,
): Thenable<string | undefined> {
  const shown = shownLine(name, 100);
  const look = {
    title: target === undefined ? t('Secret {name}', { name: shown }) : t('Value of {name}', { name: shown }),
    prompt:
      target === undefined
        ? t('It is kept in the editor’s secret storage.') + wanted
        : t('It is kept in the editor’s secret storage, and sent to {place} alone.', {
            place: shownLine(target.place, 200),
          }),
    password: true,
    ignoreFocusOut: true,
  };
  return vscode.window.showInputBox(look, token);
}
