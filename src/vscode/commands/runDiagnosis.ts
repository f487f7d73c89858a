import * as vscode from 'vscode';
import { checkNames } from '../../contract/checkNames.ts';
import type { ServerKey } from '../../core/config/model.ts';
import type { Diagnosis } from '../../core/diagnostics/diagnosis.ts';
import { withProgress } from '../adapters/withProgress.ts';
import type { App } from '../app.ts';
import { diagnosisReport } from '../results/diagnosisReport.ts';
import { t } from '../strings.ts';

/** Tries a server in a process of its own, which is gone at the end; the one that may be running is not touched. */
export function runDiagnosis(app: App, key: ServerKey): Promise<Diagnosis> {
  const server = app.model.server(key)?.server.id ?? '';
  const all = Object.keys(checkNames).length;
  return withProgress(t('Checking “{server}”', { server }), ({ signal, report }) =>
    app.diagnose(key, { signal, onCheck: (done) => report(t('{done} of {all} checks', { done, all })) }),
  );
}

export async function showDiagnosis(app: App, diagnosis: Diagnosis): Promise<void> {
  const uri = app.documents.put(`/diagnosis/${diagnosis.server}.md`, diagnosisReport(diagnosis, t));
  try {
    await vscode.commands.executeCommand('markdown.showPreview', uri);
  } catch {
    await vscode.window.showTextDocument(uri, { preview: true }); // The editor's Markdown support is turned off.
  }
}
