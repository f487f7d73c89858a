// Asks for a value that a definition leaves to the person. An abort closes the question: nobody waits for it any more.
import * as vscode from 'vscode';
import type { InputDefinition } from '../../contract/serverConfig.ts';
import type { StoredValue } from '../adapters/storedValue.ts';
import { shownLine } from '../shownText.ts';
import { t } from '../strings.ts';
import { closedByAbort } from './closedByAbort.ts';
import { inputQuestion } from './inputQuestion.ts';

export function askValue(
  value: StoredValue,
  definition: InputDefinition | undefined,
  signal: AbortSignal | undefined,
): Promise<string | undefined> {
  return closedByAbort(signal, (token) =>
    value.kind === 'input' ? askInput(value.name, definition, token) : askSecret(value, token),
  );
}

async function askInput(
  id: string,
  definition: InputDefinition | undefined,
  token: vscode.CancellationToken,
): Promise<string | undefined> {
  const { prompt, options, initial, password } = inputQuestion(id, definition);
  const title = t('Value of {name}', { name: shownLine(id, 100) });
  if (options !== undefined) {
    const look = { title, placeHolder: prompt, ignoreFocusOut: true };
    return (await vscode.window.showQuickPick([...options], look, token))?.value;
  }
  const look = { title, prompt, password, ignoreFocusOut: true, value: initial };
  return vscode.window.showInputBox(look, token);
}

function askSecret({ name, target }: StoredValue, token: vscode.CancellationToken): Thenable<string | undefined> {
  const shown = shownLine(name, 100);
  const look = {
    title: target === undefined ? t('Secret {name}', { name: shown }) : t('Value of {name}', { name: shown }),
    prompt:
      target === undefined
        ? t('It is kept in the editor’s secret storage.')
        : t('It is kept in the editor’s secret storage, and sent to {place} alone.', {
            place: shownLine(target.place, 200),
          }),
    password: true,
    ignoreFocusOut: true,
  };
  return vscode.window.showInputBox(look, token);
}
