// Decides, without starting or expanding anything, whether a definition is barred by where it stands or what it says.
// The approval of its exact launch comes on top: approvalDesk.ts.
import { parseTemplate } from '../../contract/variables.ts';
import type { ErrorCode } from '../../contract/errorCodes.ts';
import type { ServerDefinition } from '../../contract/serverConfig.ts';
import type { ConfiguredServer } from '../config/model.ts';
import { variablesIn } from '../config/usedInputs.ts';
import type { ErrorData } from '../errors.ts';
import { editorRefusal, type EditorSettings, identityOfDefinition } from '../policy/editorSettings.ts';
import { projectRefusal } from './projectRefusal.ts';

/** What the person has decided for the whole window. */
export interface Circumstances {
  /** Workspace trust (TRUST-1). */
  readonly workspaceTrusted: boolean;
  /** Whether this finished URL may be reached at all (TRUST-7). */
  readonly mayReach: (url: string) => boolean;
  /** False where no URL at all may be reached. A URL that still has variables is judged by this until it is finished. */
  readonly remoteOn?: boolean;
  /** What the editor's own settings say (POL-4); absent where there is no editor. */
  readonly editor?: EditorSettings;
}

export interface Bar {
  readonly by: 'trust' | 'policy' | 'remoteOff';
  readonly problem: { readonly code: ErrorCode; readonly data: ErrorData };
}

export function barOf(server: ConfiguredServer, circumstances: Circumstances): Bar | undefined {
  const { definition, scope, id } = server;
  const needsTrust = scope.kind === 'project' || namesWorkspace(definition);
  if (needsTrust && !circumstances.workspaceTrusted) {
    const uses = scope.kind === 'project' ? {} : { uses: 'workspace' };
    return { by: 'trust', problem: { code: 'blockedTrust', data: { server: id, ...uses } } };
  }
  const refusal = projectRefusal(server);
  if (refusal !== undefined) return { by: 'policy', problem: refusal };
  const ruled = editorRefusal(identityOfDefinition(id, definition), circumstances.editor ?? {});
  if (ruled !== undefined) return { by: 'policy', problem: { code: 'blockedEditor', data: { server: id, ...ruled } } };
  if (definition.kind === 'remote' && !mayReach(definition.url, circumstances)) {
    return { by: 'remoteOff', problem: { code: 'blockedRemoteOff', data: { server: id } } };
  }
  return undefined;
}

/** Variables have no value here: what they lead to is judged where the launch is resolved. */
function mayReach(url: string, circumstances: Circumstances): boolean {
  const template = parseTemplate(url);
  const open = !template.ok || template.parts.some(({ kind }) => kind !== 'text');
  return open ? circumstances.remoteOn !== false : circumstances.mayReach(url);
}

/** Whether a definition uses the folder that is open: in the person's own one it waits for trust as well (TRUST-1). */
function namesWorkspace(definition: ServerDefinition): boolean {
  return variablesIn(definition).some(({ kind }) => kind === 'workspaceFolder');
}

/**
 * How the exact launch of a definition stands with the person (TRUST-2, TRUST-10): nothing but `approved` may run.
 * `unlooked`: something was approved of it, and whether it is this launch is being found out.
 */
export type Standing = 'approved' | 'refused' | 'waiting' | 'unlooked';

/** Why a launch that is not approved does not run. `changed`: another launch of this definition was approved. */
export function approvalProblem(
  { id: server }: ConfiguredServer,
  standing: Standing,
  changed: boolean,
): { readonly code: 'blockedApproval'; readonly data: ErrorData } {
  const answer = standing === 'refused' ? { answer: 'refused' } : changed ? { answer: 'outdated' } : {};
  return { code: 'blockedApproval', data: { server, ...answer } };
}
