import * as vscode from 'vscode';
import { t } from '../strings.ts';
import { tell } from '../surfaces/tell.ts';
import type { ErrorCode } from '../../contract/errorCodes.ts';
import { problemOf } from '../../core/connection/failureState.ts';
import type { ServerKey } from '../../core/config/model.ts';
import { commandId, settingIds } from '../contributions.ts';
import { type FailureAction, failureActions } from '../failureActions.ts';
import { problemText } from '../problemText.ts';

/**
 * Tells a person what failed, why and what to do, with the button that does it. Being cancelled, or refused by the same
 * person, is no failure.
 */
export async function reportFailure(error: unknown, key?: ServerKey): Promise<void> {
  const problem = problemOf(error);
  if (problem.code === 'cancelled' || problem.code === 'toolNotConfirmed' || isAbort(error)) return;
  if (problem.code === 'blockedApproval' && problem.data['answer'] === 'refused') return;
  const { text, remedy } = problemText(problem, t);
  const actions = actionsFor(problem.code, key);
  const picked = await tell.error(`${text} ${remedy}`, ...actions.map(({ title }) => title));
  await actions.find(({ title }) => title === picked)?.run();
}

interface Action {
  readonly title: string;
  run(): Thenable<unknown>;
}

function actionsFor(code: ErrorCode, key: ServerKey | undefined): readonly Action[] {
  return failureActions[code].flatMap((action): readonly Action[] => {
    const title = titleOf(action);
    switch (action) {
      case 'manageTrust':
        return [{ title, run: () => vscode.commands.executeCommand('workbench.trust.manage') }];
      case 'remoteSetting':
        return [{ title, run: () => openSetting(settingIds.remoteEnabled) }];
      case 'journalSetting':
        return [{ title, run: () => openSetting(settingIds.journalEnabled) }];
      default:
        return key === undefined ? [] : [{ title, run: () => vscode.commands.executeCommand(commandId(action), key) }];
    }
  });
}

function openSetting(id: string): Thenable<unknown> {
  return vscode.commands.executeCommand('workbench.action.openSettings', id);
}

function titleOf(action: FailureAction): string {
  switch (action) {
    case 'server.edit':
      return t('Open File');
    case 'server.diagnose':
      return t('Diagnose');
    case 'server.showLog':
      return t('Show Log');
    case 'server.restart':
      return t('Restart');
    case 'server.retry':
      return t('Retry Now');
    case 'server.refresh':
      return t('Refresh');
    case 'server.start':
      return t('Start');
    case 'server.enable':
      return t('Enable');
    case 'server.approve':
      return t('Review');
    case 'manageTrust':
      return t('Manage Trust');
    case 'remoteSetting':
    case 'journalSetting':
      return t('Open Settings');
  }
}

function isAbort(error: unknown): boolean {
  return error instanceof Error && (error.name === 'AbortError' || error instanceof vscode.CancellationError);
}
