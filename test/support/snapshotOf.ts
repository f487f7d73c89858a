import type { Generation } from '../../src/core/connection/state.ts';
import type { ServerSnapshot } from '../../src/core/discovery/snapshot.ts';

/** The first snapshot of a connection whose server offers these parts and nothing else. */
export function snapshotOf(parts: Partial<ServerSnapshot> = {}): ServerSnapshot {
  return {
    generation: 1 as Generation,
    revision: 1,
    era: 'legacy',
    tools: [],
    resources: [],
    resourceTemplates: [],
    prompts: [],
    issues: [],
    issueCount: 0,
    repairedCount: 0,
    incomplete: [],
    ...parts,
  };
}
