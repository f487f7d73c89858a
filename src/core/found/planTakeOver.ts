// What taking over a choice of found servers would do, before anything is done (GATE-9): where each is written and what it
// is called, which values leave for secret storage, and what becomes of each original. Decides alone; writes nothing.
import { isServerId } from '../../contract/configFile.ts';
import type { JsonObject } from '../../contract/json.ts';
import type { ConfigScope, InputDefinition, ServerId } from '../../contract/serverConfig.ts';
import type { ConfigFile } from '../config/model.ts';
import { variablesIn } from '../config/usedInputs.ts';
import { isCredentialHeader } from '../secrets/credentialHeader.ts';
import { secretNameFor } from '../secrets/withoutSecret.ts';
import { extractSecrets } from './extractSecrets.ts';
import type { ConvertedEntry } from './foundEntry.ts';
import { fateOf, type OriginalFate } from './fateOf.ts';
import type { FoundPlace, FoundServer } from './foundView.ts';
import { type FoundNames, type NameKind, OwnNames } from './ownNames.ts';

/** A file of ours that servers can be written to. */
export interface TakeOverTarget {
  readonly file: string;
  readonly scope: ConfigScope;
}

export interface PlannedOriginal {
  readonly place: FoundPlace;
  readonly fate: OriginalFate;
}

export interface PlannedSecret {
  /** Of `${secret:name}`. */
  readonly name: string;
  readonly value: string;
}

export interface PlannedServer {
  readonly found: FoundServer;
  readonly id: ServerId;
  readonly target: TakeOverTarget;
  /** As it is written. */
  readonly entry: JsonObject;
  readonly inputs: readonly InputDefinition[];
  readonly secrets: readonly PlannedSecret[];
  readonly originals: readonly PlannedOriginal[];
}

export interface PlanOptions {
  /** The person's file first, then those of the folders. */
  readonly targets: readonly TakeOverTarget[];
  /** What stands in a file of ours now. */
  readonly current: (file: string) => ConfigFile | undefined;
  /** Whether nothing is kept under this name there, but for `value`. */
  readonly isFree: (kind: NameKind, name: string, scope: ConfigScope, value?: string) => Promise<boolean>;
}

/** In the order of the choice. What is not usable, or ours already, is left out. */
export async function planTakeOver(
  chosen: readonly FoundServer[],
  { targets, current, isFree }: PlanOptions,
): Promise<readonly PlannedServer[]> {
  const planned: PlannedServer[] = [];
  const taken = new Map<string, Set<string>>();
  const namesOf = new Map<string, OwnNames>();
  for (const found of chosen) {
    const { conversion } = found;
    const target = targetOf(found, targets);
    if (conversion.kind !== 'entry' || found.ours !== undefined || target === undefined) continue;
    const file = current(target.file);
    const ids = remembered(taken, target.file, () => new Set(file?.servers.map((server): string => server.id)));
    const id = freeId(found.name, ids);
    ids.add(id);
    const isFreeThere: IsFree = (kind, name, value) => isFree(kind, name, target.scope, value);
    const names = remembered(namesOf, target.file, () => new OwnNames(file, isFreeThere));
    const renamed = await names.give(conversion.entry, namesIn(found, conversion));
    const written = conversion.off ? { ...renamed.entry, enabled: false } : renamed.entry;
    const { entry, secrets } = await withStoredSecrets(id, written, names, isFreeThere);
    planned.push({ found, id, target, entry, inputs: renamed.inputs, secrets, originals: originalsOf(found) });
  }
  return planned;
}

type IsFree = (kind: NameKind, name: string, value?: string) => Promise<boolean>;

function namesIn({ places, inputs }: FoundServer, { definition }: ConvertedEntry): FoundNames {
  const secrets = variablesIn(definition).flatMap((part) => (part.kind === 'secret' ? [part.name] : []));
  const [{ file }] = places;
  const isPersons = places.every((place) => place.file.scope.kind === 'user');
  return { inputs, secrets: [...new Set(secrets)], origin: JSON.stringify([file.path, file.keyPath]), isPersons };
}

/** The plan without some of it: what only they would have brought comes with those that need it. */
export function planWithout(
  planned: readonly PlannedServer[],
  isOut: (server: PlannedServer) => boolean,
): readonly PlannedServer[] {
  const orphans = planned.filter(isOut).flatMap(({ target, inputs }) => inputs.map((input) => ({ target, input })));
  return planned
    .filter((server) => !isOut(server))
    .map((server) => {
      const text = JSON.stringify(server.entry);
      const needed = orphans.filter(
        ({ target, input }) => target.file === server.target.file && text.includes(`\${input:${input.id}}`),
      );
      for (const orphan of needed) orphans.splice(orphans.indexOf(orphan), 1);
      return needed.length === 0
        ? server
        : { ...server, inputs: [...server.inputs, ...needed.map(({ input }) => input)] };
    });
}

/**
 * The person's own file, unless all that was found belongs to one folder: then it stays with that folder. What carries a
 * credential in a header may not stand in a project's file at all (TRUST-6).
 */
export function targetOf(found: FoundServer, targets: readonly TakeOverTarget[]): TakeOverTarget | undefined {
  const folders = new Set(
    found.places.map(({ file }) => (file.scope.kind === 'project' ? file.scope.folder : file.onlyIn)),
  );
  const [folder] = folders;
  const own = targets.find(({ scope }) => scope.kind === 'user');
  if (folders.size !== 1 || folder === undefined || hasCredentialHeader(found)) return own;
  return targets.find(({ scope }) => scope.kind === 'project' && scope.folder === folder) ?? own;
}

function hasCredentialHeader({ conversion }: FoundServer): boolean {
  if (conversion.kind !== 'entry' || conversion.definition.kind !== 'remote') return false;
  return Object.keys(conversion.definition.headers).some(isCredentialHeader);
}

function originalsOf({ places }: FoundServer): readonly PlannedOriginal[] {
  return places.map((place) => ({ place, fate: fateOf(place) }));
}

/** The name as it is, as far as an id of ours may have it; with a number where it is taken. */
export function freeId(name: string, taken: ReadonlySet<string>): ServerId {
  const cleaned = name
    .replace(/[^A-Za-z0-9_-]+/g, '-')
    .replace(/_{2,}/g, '_')
    .replace(/^[-_]+|[-_]+$/g, '')
    .slice(0, 28);
  const base = isServerId(cleaned) ? cleaned : 'server';
  for (let number = 1; ; number += 1) {
    const candidate = number === 1 ? base : `${base}-${number}`;
    if (isServerId(candidate) && !taken.has(candidate)) return candidate;
  }
}

/** Names that are taken by other values are passed over, so the extraction is done again until each has its own. */
async function withStoredSecrets(
  id: string,
  entry: JsonObject,
  names: OwnNames,
  isFree: IsFree,
): Promise<{ entry: JsonObject; secrets: readonly PlannedSecret[] }> {
  const taken = new Set<string>();
  for (;;) {
    const mine = new Map<string, string>();
    const extracted = extractSecrets(
      entry,
      (found, value) => {
        const isTaken = (name: string): boolean =>
          taken.has(name) || names.hasSecret(name) || (mine.get(name) ?? value) !== value;
        const name = secretNameFor(found, { has: isTaken });
        mine.set(name, value);
        return `\${secret:${name}}`;
      },
      id,
    );
    const free = await Promise.all([...mine].map(([name, value]) => isFree('secret', name, value)));
    const clashes = [...mine.keys()].filter((_, index) => free[index] !== true);
    for (const name of clashes) taken.add(name);
    if (clashes.length > 0) continue;
    names.reserveSecrets(mine.keys());
    return { entry: extracted.entry, secrets: [...mine].map(([name, value]) => ({ name, value })) };
  }
}

function remembered<K, V>(map: Map<K, V>, key: K, make: () => V): V {
  const known = map.get(key);
  if (known !== undefined) return known;
  const made = make();
  map.set(key, made);
  return made;
}
