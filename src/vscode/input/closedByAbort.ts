import * as vscode from 'vscode';

/** Runs a question of the editor's with a token that closes it once `signal` aborts: nobody waits for its answer then. */
export async function closedByAbort<T>(
  signal: AbortSignal | undefined,
  question: (token: vscode.CancellationToken) => Thenable<T>,
): Promise<T> {
  const closing = new vscode.CancellationTokenSource();
  const close = (): void => closing.cancel();
  if (signal?.aborted === true) close();
  signal?.addEventListener('abort', close, { once: true });
  try {
    return await question(closing.token);
  } finally {
    signal?.removeEventListener('abort', close);
    closing.dispose();
  }
}
