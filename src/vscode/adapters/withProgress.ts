import * as vscode from 'vscode';
import { ManagerError } from '../../core/errors.ts';
import { inert } from '../surfaces/tell.ts';

/** Work shorter than this, in milliseconds, shows nothing: a notification that flashes is noise. */
const patience = 500;

export type Work<T> = (options: { signal: AbortSignal; report: (message: string) => void }) => Promise<T>;

/** Runs work that a person started; where it takes long it shows, and can be cancelled (product UI-5). */
export async function withProgress<T>(title: string, work: Work<T>): Promise<T> {
  const controller = new AbortController();
  let shown: vscode.Progress<{ message?: string }> | undefined;
  const result = work({ signal: controller.signal, report: (message) => shown?.report({ message: inert(message) }) });
  const settled = result.then(
    () => undefined,
    () => undefined,
  );
  const timer = setTimeout(() => {
    const options = { location: vscode.ProgressLocation.Notification, title: inert(title), cancellable: true };
    void vscode.window.withProgress(options, (progress, token) => {
      shown = progress;
      token.onCancellationRequested(() => controller.abort(new ManagerError('cancelled')));
      return settled;
    });
  }, patience);
  try {
    return await result;
  } finally {
    clearTimeout(timer);
  }
}
