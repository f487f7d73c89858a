// The part of the interface for other extensions that needs words or calls.
import type { AgentMcpConfig } from '../../contract/publicApi.ts';
import type { Problem } from '../../core/connection/state.ts';
import type { ServerManager } from '../../core/manager/serverManager.ts';
import type { LateApi } from '../api.ts';
import type { App } from '../app.ts';
import type { ProblemText } from '../problemText.ts';
import type { Translate } from '../translate.ts';
import { callFromExtension } from './callFromExtension.ts';
import { deepFrozen } from './deepFrozen.ts';
import { followStatus } from './followStatus.ts';
import { outwardText } from './outwardText.ts';
import { RoundhouseError } from './roundhouseError.ts';
import { serverOf } from './serverOf.ts';

export interface LateApiDeps {
  readonly manager: Pick<ServerManager, 'view' | 'onDidChange' | 'keyOf'>;
  readonly callTool: App['callTool'];
  readonly agentConfig: () => Promise<AgentMcpConfig>;
  /** Whether there is an extension with this id. */
  readonly isInstalled: (id: string) => boolean;
  readonly t: Translate;
  /** Takes out what no surface shows. */
  readonly hide: (text: string) => string;
}

export function lateApi(deps: LateApiDeps): LateApi {
  const { manager, t, hide } = deps;
  const words = (problem: Problem): ProblemText => {
    const { text, remedy } = outwardText(problem, t);
    return { text: hide(text), remedy: hide(remedy) };
  };
  return {
    servers: () => Object.freeze(manager.view().servers.map((view) => serverOf(view, words))),
    follow: (before, listener) =>
      followStatus({ manager, before, serverOf: (view) => serverOf(view, words) }, listener),
    call: (call, options) => callFromExtension({ ...deps, words }, call, options),
    agentConfig: async () => {
      try {
        return deepFrozen(structuredClone(await deps.agentConfig()));
      } catch (error) {
        throw new RoundhouseError(error, words);
      }
    },
  };
}
