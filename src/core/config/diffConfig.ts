// What differs between two snapshots, purely, by the name of each definition (CFG-10). Only `changed` concerns a
// connection; `adjusted` are toggles, policies and time-outs, which reconnect nothing.
import { canonicalJson } from './canonicalJson.ts';
import type { ConfigSnapshot, ConfiguredServer, ServerKey } from './model.ts';

export const adjustableFields = ['enabled', 'autostart', 'toolPolicies', 'timeouts'] as const;
export type AdjustableField = (typeof adjustableFields)[number];

export interface ConfigDiff {
  readonly added: readonly ConfiguredServer[];
  readonly removed: readonly ConfiguredServer[];
  readonly changed: readonly { readonly before: ConfiguredServer; readonly after: ConfiguredServer }[];
  readonly adjusted: readonly {
    readonly before: ConfiguredServer;
    readonly after: ConfiguredServer;
    readonly fields: readonly AdjustableField[];
  }[];
}

export function diffConfig(previous: ConfigSnapshot, next: ConfigSnapshot): ConfigDiff {
  const before = byKey(previous);
  const after = byKey(next);
  const kept = [...after.values()].flatMap((server) => {
    const old = before.get(server.key);
    return old === undefined ? [] : [{ before: old, after: server }];
  });
  return {
    added: [...after.values()].filter((server) => !before.has(server.key)),
    removed: [...before.values()].filter((server) => !after.has(server.key)),
    changed: kept.filter((pair) => pair.before.fingerprint !== pair.after.fingerprint),
    adjusted: kept
      .filter((pair) => pair.before.fingerprint === pair.after.fingerprint)
      .map((pair) => ({ ...pair, fields: adjustedFields(pair.before, pair.after) }))
      .filter((pair) => pair.fields.length > 0),
  };
}

function byKey(snapshot: ConfigSnapshot): ReadonlyMap<ServerKey, ConfiguredServer> {
  return new Map(snapshot.files.flatMap((file) => file.servers).map((server) => [server.key, server]));
}

function adjustedFields(before: ConfiguredServer, after: ConfiguredServer): readonly AdjustableField[] {
  return adjustableFields.filter(
    (field) => canonicalJson(before.definition[field]) !== canonicalJson(after.definition[field]),
  );
}
