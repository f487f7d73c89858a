// What a person should know about one server beyond its row, as data: why it does not run, what is incomplete.
import { keysWithoutEffect } from '../../contract/withoutEffect.ts';
import type { Problem } from '../../core/connection/state.ts';
import type { Incomplete } from '../../core/discovery/snapshot.ts';
import type { ServerRole } from '../../core/config/resolveRoles.ts';
import type { ServerView } from '../../core/manager/view.ts';
import { rulesWithoutTool } from '../../core/manager/rulesWithoutTool.ts';

export type Note =
  /** `waiting`: it will be started again by itself. */
  | { readonly kind: 'problem' | 'waiting'; readonly problem: Problem }
  | { readonly kind: 'installing'; readonly detail: string }
  | { readonly kind: 'role'; readonly role: ServerRole }
  | { readonly kind: 'empty' }
  | { readonly kind: `incomplete:${string}`; readonly incomplete: Incomplete }
  | { readonly kind: 'leftOut' | 'repaired'; readonly count: number }
  | { readonly kind: 'noise' | 'changedTools'; readonly count: number }
  | { readonly kind: 'withoutEffect' | 'outOfPlace' | 'rulesWithoutTool'; readonly keys: readonly string[] }
  | { readonly kind: `warning:${number}`; readonly problem: Problem };

/** In the order of the tree: what stops the server, then what is odd about it. Kinds are unique in one server. */
export function notesOf(server: ServerView): readonly Note[] {
  return [
    ...stateNotes(server),
    ...roleNotes(server),
    ...changeNotes(server),
    ...ruleNotes(server),
    ...snapshotNotes(server),
    ...warningNotes(server),
    ...definitionNotes(server),
  ];
}

function definitionNotes({ server }: ServerView): readonly Note[] {
  const keys = keysWithoutEffect(server.definition);
  const { outOfPlace = [] } = server;
  return [
    ...(keys.length === 0 ? [] : [{ kind: 'withoutEffect', keys } as const]),
    ...(outOfPlace.length === 0 ? [] : [{ kind: 'outOfPlace', keys: outOfPlace } as const]),
  ];
}

function stateNotes({ state, snapshot, role }: ServerView): readonly Note[] {
  // Another definition is used: nobody has to do anything about this one.
  if (role === 'overridden') return [];
  switch (state.kind) {
    case 'blocked':
    case 'signInNeeded':
    case 'failed':
      return [{ kind: 'problem', problem: state.problem }];
    case 'backingOff':
      return [{ kind: 'waiting', problem: state.problem }];
    case 'installing':
      return [{ kind: 'installing', detail: state.detail }];
    case 'ready':
      return snapshot !== undefined && isEmpty(snapshot) ? [{ kind: 'empty' }] : [];
    case 'disabled':
    case 'stopped':
    case 'connecting':
      return [];
  }
}

function isEmpty(snapshot: NonNullable<ServerView['snapshot']>): boolean {
  const { tools, resources, resourceTemplates, prompts } = snapshot;
  return tools.length + resources.length + resourceTemplates.length + prompts.length === 0;
}

function roleNotes({ role, state }: ServerView): readonly Note[] {
  // A waiting or conflicting definition already says so by its state.
  const told = role === 'serving' || (state.kind === 'blocked' && (role === 'waiting' || role === 'conflict'));
  return told ? [] : [{ kind: 'role', role }];
}

function changeNotes({ policies }: ServerView): readonly Note[] {
  const count = policies.changed?.size ?? 0;
  return count === 0 ? [] : [{ kind: 'changedTools', count }];
}

function ruleNotes(server: ServerView): readonly Note[] {
  const keys = rulesWithoutTool(server);
  return keys.length === 0 ? [] : [{ kind: 'rulesWithoutTool', keys }];
}

function snapshotNotes({ snapshot }: ServerView): readonly Note[] {
  if (snapshot === undefined) return [];
  const incomplete = snapshot.incomplete.map((entry): Note => ({
    kind: `incomplete:${entry.kind}`,
    incomplete: entry,
  }));
  const { issueCount, repairedCount } = snapshot;
  const odd: readonly Note[] = [
    { kind: 'leftOut', count: issueCount - repairedCount },
    { kind: 'repaired', count: repairedCount },
  ];
  return [...incomplete, ...odd.filter((note) => 'count' in note && note.count > 0)];
}

function warningNotes({ warnings, noiseCount, state }: ServerView): readonly Note[] {
  const list = warnings.map((problem, index): Note => ({ kind: `warning:${index}`, problem }));
  // A reason that counts them counts to the last; the view knows the number of some time before.
  const counted = 'problem' in state && state.problem.data['noiseLines'] !== undefined;
  return noiseCount > 0 && !counted ? [...list, { kind: 'noise', count: noiseCount }] : list;
}
