import * as vscode from 'vscode';
import type { RoundhouseApi } from '../../contract/publicApi.ts';
import { createApi } from '../api.ts';
import type { App } from '../app.ts';
import { lazy } from '../lazy.ts';
import { t } from '../strings.ts';
import { knownSecrets } from '../surfaces/knownSecrets.ts';

/** The interface of this window for other extensions. */
export function windowApi(app: App): RoundhouseApi {
  const { manager } = app;
  const late = lazy(async () => {
    const { lateApi } = await import('./lateApi.ts');
    return lateApi({
      manager,
      callTool: (call, options) => app.callTool(call, options),
      agentConfig: () => app.agentConfig(),
      isInstalled: (id) => vscode.extensions.getExtension(id) !== undefined,
      t,
      hide: (text) => knownSecrets.text(text),
    });
  });
  return createApi({ manager, late: () => late.get() });
}
