// A diagnosis of a server of the manager's, beside its own connection and under the same bars: what it started ends as
// soon as the server may not run any more, because its approval was revoked, its folder lost trust, it was disabled,
// changed or removed, or remote servers were turned off (TRUST-1, TRUST-2, TRUST-7).
import type { ServerKey } from '../config/model.ts';
import { type DiagnoseOptions, diagnose } from '../diagnostics/diagnose.ts';
import type { Diagnosis } from '../diagnostics/diagnosis.ts';
import { ManagerError } from '../errors.ts';
import type { Launch } from '../transport/launch.ts';
import { type DiagnosisParts, diagnosisSteps } from './diagnosisSteps.ts';
import type { ServerManager } from './serverManager.ts';

type Judge = Pick<ServerManager, 'view' | 'onDidChange' | 'launch'>;

/** Rejects where there is no such server; otherwise as `diagnose`. */
export async function diagnoseServer(
  manager: Judge,
  key: ServerKey,
  parts: Omit<DiagnosisParts, 'resolve'>,
  options: DiagnoseOptions,
): Promise<Diagnosis> {
  const server = viewOf(manager, key)?.server;
  if (server === undefined) throw new ManagerError('unknownServer', { server: key });
  const ended = new AbortController();
  // Before the decision a bar may still be an open question, which the look at the disk answers.
  let decided = false;
  const judge = (): void => {
    if (!decided) return;
    const now = viewOf(manager, key);
    if (now?.server.fingerprint !== server.fingerprint || now.state.kind === 'disabled') {
      ended.abort(new ManagerError('cancelled'));
    } else if (now.state.kind === 'blocked') {
      const { code, data } = now.state.problem;
      ended.abort(new ManagerError(code, data));
    }
  };
  const resolve = async (_: unknown, signal: AbortSignal): Promise<Launch> => {
    const launch = await manager.launch(key, { signal });
    decided = true;
    judge();
    return launch;
  };
  const watching = manager.onDidChange(judge);
  const { signal = ended.signal } = options;
  try {
    const steps = diagnosisSteps(server, { ...parts, resolve });
    return await diagnose(server.id, steps, { ...options, signal: AbortSignal.any([signal, ended.signal]) });
  } finally {
    watching.dispose();
  }
}

function viewOf(manager: Judge, key: ServerKey) {
  return manager.view().servers.find((view) => view.key === key);
}
