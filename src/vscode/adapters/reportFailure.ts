import * as vscode from 'vscode';
import { t } from '../strings.ts';
import { problemOf } from '../../core/connection/failureState.ts';
import type { ServerKey } from '../../core/config/model.ts';
import { commandId, type CommandName, settingIds } from '../contributions.ts';
import { problemText } from '../problemText.ts';

/** Tells a person what failed, why and what to do, with the button that does it. Being cancelled is no failure. */
export async function reportFailure(error: unknown, key?: ServerKey): Promise<void> {
  const problem = problemOf(error);
  if (problem.code === 'cancelled' || isAbort(error)) return;
  const { text, remedy } = problemText(problem, t);
  const actions = actionsFor(problem.code, key);
  const picked = await vscode.window.showErrorMessage(`${text} ${remedy}`, ...actions.map(({ title }) => title));
  await actions.find(({ title }) => title === picked)?.run();
}

interface Action {
  readonly title: string;
  run(): Thenable<unknown>;
}

function actionsFor(code: ReturnType<typeof problemOf>['code'], key: ServerKey | undefined): readonly Action[] {
  const onServer = (title: string, command: CommandName): readonly Action[] =>
    key === undefined ? [] : [{ title, run: () => vscode.commands.executeCommand(commandId(command), key) }];
  switch (code) {
    case 'configUnreadable':
    case 'configSyntax':
    case 'configVersion':
    case 'configInvalid':
    case 'configStructure':
    case 'variableUnset':
    case 'variableUnknown':
    case 'blockedPolicy':
    case 'blockedConflict':
    case 'urlForbidden':
    case 'redirectForbidden':
      return onServer(t('Open File'), 'server.edit');
    case 'commandNotFound':
    case 'workingDirectoryMissing':
    case 'envFileUnreadable':
      return [...onServer(t('Open File'), 'server.edit'), ...onServer(t('Diagnose'), 'server.diagnose')];
    case 'spawnFailed':
    case 'exitedAtStart':
    case 'processExited':
    case 'connectTimeout':
    case 'connectionClosed':
    case 'sessionLost':
      return [...onServer(t('Show Log'), 'server.showLog'), ...onServer(t('Restart'), 'server.restart')];
    case 'blockedTrust':
      return [{ title: t('Manage Trust'), run: () => vscode.commands.executeCommand('workbench.trust.manage') }];
    case 'blockedRemoteOff': {
      const run = (): Thenable<unknown> =>
        vscode.commands.executeCommand('workbench.action.openSettings', settingIds.remoteEnabled);
      return [{ title: t('Open Settings'), run }];
    }
    case 'blockedApproval':
      return onServer(t('Review'), 'server.approve');
    case 'blockedInput':
      return onServer(t('Start'), 'server.start');
    case 'serverDisabled':
      return onServer(t('Enable'), 'server.enable');
    case 'networkFailed':
    case 'httpStatus':
    case 'httpUnexpectedContent':
    case 'transportFallbackFailed':
    case 'eraUnsupported':
      return onServer(t('Diagnose'), 'server.diagnose');
    default:
      return [];
  }
}

function isAbort(error: unknown): boolean {
  return error instanceof Error && (error.name === 'AbortError' || error instanceof vscode.CancellationError);
}
