// What taking over a choice of found servers would do, before anything is done (GATE-9): where each is written and what it
// is called, which values leave for secret storage, and what becomes of each original. Decides alone; writes nothing.
import { isServerId } from '../../contract/configFile.ts';
import type { JsonObject } from '../../contract/json.ts';
import type { ConfigScope, InputDefinition, ServerId } from '../../contract/serverConfig.ts';
import type { ConfigFile } from '../config/model.ts';
import { isCredentialHeader } from '../secrets/credentialHeader.ts';
import { secretNameFor } from '../secrets/withoutSecret.ts';
import { extractSecrets } from './extractSecrets.ts';
import type { ConvertedEntry } from './foundEntry.ts';
import { fateOf, type OriginalFate } from './fateOf.ts';
import type { FoundPlace, FoundServer } from './foundView.ts';

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
  /** Whether nothing else is kept under this name there. */
  readonly isFree: (name: string, value: string, scope: ConfigScope) => Promise<boolean>;
}

/** In the order of the choice. What is not usable, or ours already, is left out. */
export async function planTakeOver(
  chosen: readonly FoundServer[],
  { targets, current, isFree }: PlanOptions,
): Promise<readonly PlannedServer[]> {
  const planned: PlannedServer[] = [];
  const taken = new Map<string, Set<string>>();
  const inputsOf = new Map<string, InputDefinition[]>();
  const values = new Map<string, string>();
  for (const found of chosen) {
    const { conversion } = found;
    const target = targetOf(found, targets);
    if (conversion.kind !== 'entry' || found.ours !== undefined || target === undefined) continue;
    const file = current(target.file);
    const ids = remembered(taken, target.file, () => new Set(file?.servers.map((server): string => server.id)));
    const id = freeId(found.name, ids);
    ids.add(id);
    const inputs = remembered(inputsOf, target.file, () => [...(file?.inputs ?? [])]);
    const renamed = withFreeInputs(conversion.entry, found.inputs, inputs);
    inputs.push(...renamed.inputs);
    const written = conversion.off ? { ...renamed.entry, enabled: false } : renamed.entry;
    const { entry, secrets } = await withStoredSecrets(id, written, target.scope, values, isFree);
    planned.push({ found, id, target, entry, inputs: renamed.inputs, secrets, originals: originalsOf(found) });
  }
  return planned;
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

interface WithInputs {
  readonly entry: ConvertedEntry['entry'];
  /** Those that the file of ours lacks. */
  readonly inputs: readonly InputDefinition[];
}

/** An input of the same id that asks for something else gets another id. */
function withFreeInputs(
  entry: JsonObject,
  wanted: readonly InputDefinition[],
  present: readonly InputDefinition[],
): WithInputs {
  let text = JSON.stringify(entry);
  const added: InputDefinition[] = [];
  for (const input of wanted) {
    const same = (other: InputDefinition): boolean => JSON.stringify(sorted(other)) === JSON.stringify(sorted(input));
    const known = present.find(({ id }) => id === input.id);
    if (known !== undefined && same(known)) continue;
    const id = known === undefined ? input.id : freeInputId(input.id, [...present, ...added]);
    text = text.split(`\${input:${input.id}}`).join(`\${input:${id}}`);
    added.push({ ...input, id });
  }
  return { entry: JSON.parse(text) as JsonObject, inputs: added };
}

function freeInputId(id: string, present: readonly InputDefinition[]): string {
  for (let number = 2; ; number += 1) {
    const candidate = `${id.slice(0, 60)}-${number}`;
    if (!present.some((input) => input.id === candidate)) return candidate;
  }
}

function sorted(value: object): readonly unknown[] {
  return Object.entries(value).sort(([a], [b]) => (a < b ? -1 : 1));
}

/** Names that are taken by other values are passed over, so the extraction is done again until each has its own. */
async function withStoredSecrets(
  id: string,
  entry: JsonObject,
  scope: ConfigScope,
  values: Map<string, string>,
  isFree: PlanOptions['isFree'],
): Promise<{ entry: JsonObject; secrets: readonly PlannedSecret[] }> {
  const taken = new Set<string>();
  for (;;) {
    const mine = new Map<string, string>();
    const extracted = extractSecrets(
      entry,
      (found, value) => {
        const others = [...values, ...mine].filter(([, other]) => other !== value).map(([name]) => name);
        const name = secretNameFor(found, new Set([...taken, ...others]));
        mine.set(name, value);
        return `\${secret:${name}}`;
      },
      id,
    );
    const clashes = await Promise.all([...mine].map(async ([name, value]) => !(await isFree(name, value, scope))));
    const names = [...mine.keys()].filter((_, index) => clashes[index] === true);
    for (const name of names) taken.add(name);
    if (names.length > 0) continue;
    for (const [name, value] of mine) values.set(name, value);
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
