// Decides, without starting or expanding anything, whether a definition is barred by where it stands or what it says.
// The approval of its exact launch comes on top, in the manager.
import type { ErrorCode } from '../../contract/errorCodes.ts';
import type { ConfiguredServer } from '../config/model.ts';
import type { ErrorData } from '../errors.ts';
import { projectRefusal } from './projectRefusal.ts';

/** What the person has decided for the whole window. */
export interface Circumstances {
  /** Workspace trust (TRUST-1). */
  readonly workspaceTrusted: boolean;
  /** Whether this URL may be reached at all (TRUST-7). */
  readonly mayReach: (url: string) => boolean;
}

export interface Bar {
  readonly by: 'trust' | 'policy' | 'remoteOff';
  readonly problem: { readonly code: ErrorCode; readonly data: ErrorData };
}

export function barOf(server: ConfiguredServer, circumstances: Circumstances): Bar | undefined {
  const { definition, scope, id } = server;
  if (scope.kind === 'project' && !circumstances.workspaceTrusted) {
    return { by: 'trust', problem: { code: 'blockedTrust', data: { server: id } } };
  }
  const refusal = projectRefusal(server);
  if (refusal !== undefined) return { by: 'policy', problem: refusal };
  if (definition.kind === 'remote' && !circumstances.mayReach(definition.url)) {
    return { by: 'remoteOff', problem: { code: 'blockedRemoteOff', data: { server: id } } };
  }
  return undefined;
}

/** Whether the exact launch needs a person's approval before it may run (TRUST-2). */
export function needsApproval(server: ConfiguredServer): boolean {
  return server.scope.kind === 'project';
}
