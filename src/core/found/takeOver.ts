// Taking over what was planned, and undoing it (GATE-9). Promises: all of it is done, or none is left; our own entry is
// there before an original goes, and an original is back before our entry goes, so that at no moment a server is nowhere.
// A file of another client that is not what was shown is not written. Undoing is never cancelled half way.
import { randomUUID } from 'node:crypto';
import { isJsonObject, type JsonObject } from '../../contract/json.ts';
import type { ConfigScope, InputDefinition } from '../../contract/serverConfig.ts';
import { type EntryEdit, planEdit, readClientFile } from '../agents/clientFile.ts';
import { sameValue } from '../agents/clientText.ts';
import type { EditLedger, UndoOutcome } from '../agents/editLedger.ts';
import type { ConfigChange } from '../config/configStore.ts';
import type { ConfigEdit } from '../config/editConfigText.ts';
import type { ConfigFile } from '../config/model.ts';
import { ManagerError } from '../errors.ts';
import type { FoundPlace } from './foundView.ts';
import type { OriginalFate } from './fateOf.ts';
import type { PlannedServer } from './planTakeOver.ts';
import type { TakenPlace, TakenServer, TakeOverLog, TakeOverRecord } from './takeOverLog.ts';

export interface TakeOverPorts {
  readonly ledger: Pick<EditLedger, 'apply' | 'records' | 'undo'>;
  readonly log: Pick<TakeOverLog, 'add' | 'remove'>;
  /** Changes a file of ours; fails where its folder is gone. */
  transform(file: string, change: ConfigChange): Promise<ConfigFile>;
  keepSecret(name: string, scope: ConfigScope, value: string): Promise<void>;
  forgetSecret(name: string, scope: ConfigScope): Promise<void>;
  now(): number;
}

/** Throws what kept it from being done; then everything is as before. `signal` ends it between two steps. */
export async function takeOver(
  planned: readonly PlannedServer[],
  ports: TakeOverPorts,
  signal: AbortSignal,
): Promise<TakeOverRecord> {
  const record: TakeOverRecord = { id: randomUUID(), at: ports.now(), servers: planned.map(asTaken) };
  const written = new Set<string>();
  await ports.log.add(record, signal);
  try {
    for (const { secrets, target } of planned) {
      for (const { name, value } of secrets) await ports.keepSecret(name, target.scope, value);
    }
    for (const [file, servers] of byFile(planned)) {
      signal.throwIfAborted();
      await ports.transform(file, (current, raw) => entriesOf(servers, current, raw));
      written.add(file);
    }
    for (const { originals } of planned) {
      for (const { place, fate } of originals) {
        if (fate.kind === 'stays') continue;
        signal.throwIfAborted();
        await changeOriginal(place, fate, ports, record.id);
      }
    }
  } catch (error) {
    // What cannot be taken back now stays on the list, to be undone by the person.
    await rollBack(record, written, ports).catch(() => undefined);
    throw error;
  }
  return record;
}

/** What was not written is not taken out: somebody else's entry of that name may be why. */
async function rollBack(record: TakeOverRecord, written: ReadonlySet<string>, ports: TakeOverPorts): Promise<void> {
  const servers = record.servers.filter(({ file }) => written.has(file));
  for (const server of record.servers) {
    if (!written.has(server.file)) await forgetUnused(server, ports);
  }
  await undoTakeOver({ ...record, servers }, ports, { removeChanged: () => Promise.resolve(false) });
}

export interface UndoneServer {
  readonly id: string;
  /** `kept`: the person was asked, and wants it to stay. */
  readonly ours: 'removed' | 'gone' | 'kept';
  readonly originals: readonly { readonly place: TakenPlace; readonly outcome: UndoOutcome }[];
}

/** Why the person is asked: somebody changed ours, or an original, which is not put back then. */
export type RemovalDoubt = 'oursChanged' | 'originalChanged';

/** Whether ours is to go all the same. */
export type RemoveChanged = (server: TakenServer, doubt: RemovalDoubt) => Promise<boolean>;

/**
 * Puts the originals back, then takes out what was written here. Throws what kept it from being done; it stays on the list
 * then, and where ours is kept in the place of an original, and can be tried again.
 */
export async function undoTakeOver(
  record: TakeOverRecord,
  ports: Undoing,
  { removeChanged }: { readonly removeChanged: RemoveChanged },
): Promise<readonly UndoneServer[]> {
  const edits = (await ports.ledger.records()).filter(({ purpose }) => purpose === 'takeOver');
  const undone: UndoneServer[] = [];
  // The last change of a file is taken back first: its text is then found where it was put.
  for (const server of record.servers.toReversed()) {
    const originals: UndoneServer['originals'][number][] = [];
    for (const place of server.places.toReversed()) {
      const edit = edits.find(({ takeOver: of, ...edited }) => of === record.id && isSamePlace(edited, place));
      const outcome = edit === undefined ? 'alreadyGone' : await ports.ledger.undo(edit.id);
      originals.push({ place, outcome });
    }
    const isBack = !originals.some(({ outcome }) => outcome === 'changedSince');
    const ours = await removeOurs(server, ports, { isBack, removeChanged });
    undone.push({ id: server.id, ours, originals });
  }
  if (!undone.some(isStillOurs)) await ports.log.remove(record.id);
  return undone.toReversed();
}

/** Whether it runs here only, since an original could not be put back. */
export function isStillOurs({ ours, originals }: UndoneServer): boolean {
  return ours === 'kept' && originals.some(({ outcome }) => outcome === 'changedSince');
}

function asTaken({ id, target, entry, inputs, secrets, originals }: PlannedServer): TakenServer {
  return {
    id,
    file: target.file,
    scope: target.scope,
    entry,
    inputs: inputs.map((input) => input.id),
    secrets: secrets.map(({ name }) => name),
    places: originals
      .filter(({ fate }) => fate.kind !== 'stays')
      .map(({ place: { file, name } }) => ({ path: file.path, client: file.client, keyPath: file.keyPath, name })),
  };
}

function byFile(planned: readonly PlannedServer[]): ReadonlyMap<string, readonly PlannedServer[]> {
  const files = new Map<string, PlannedServer[]>();
  for (const server of planned) {
    const { file } = server.target;
    files.set(file, [...(files.get(file) ?? []), server]);
  }
  return files;
}

/** An id or an input that somebody wrote meanwhile is not written over. */
function entriesOf(servers: readonly PlannedServer[], current: ConfigFile, raw: JsonObject): readonly ConfigEdit[] {
  const present = raw['mcpServers'];
  const isTaken = servers.some(({ id }) => isJsonObject(present) && Object.hasOwn(present, id));
  const added = servers.flatMap(({ inputs }) => inputs);
  if (isTaken || added.some(({ id }) => current.inputs.some((input) => input.id === id))) {
    throw new ManagerError('agentFileChanged', { file: current.file });
  }
  return entryEditsOf(servers, raw);
}

/** What is written into a file of ours. */
export function entryEditsOf(servers: readonly PlannedServer[], raw: JsonObject): readonly ConfigEdit[] {
  const added = servers.flatMap(({ inputs }) => inputs);
  const list = Array.isArray(raw['inputs']) ? (raw['inputs'] as readonly JsonObject[]) : [];
  return [
    ...(added.length === 0 ? [] : [{ path: ['inputs'], value: [...list, ...added.map(asJson)] }]),
    ...servers.map(({ id, entry }) => ({ path: ['mcpServers', id], value: entry })),
  ];
}

function asJson(input: InputDefinition): JsonObject {
  return { ...input };
}

async function changeOriginal(
  place: FoundPlace,
  fate: Exclude<OriginalFate, { kind: 'stays' }>,
  { ledger }: TakeOverPorts,
  takeOver: string,
): Promise<void> {
  const reading = await readClientFile(place.file);
  const now = reading.kind === 'read' ? reading.entries.find(({ name }) => name === place.name) : undefined;
  // Somebody wrote the entry anew since it was shown: what we have is not what they have.
  if (now === undefined || !sameValue(now.raw, place.raw)) {
    throw new ManagerError('agentFileChanged', { file: place.file.path });
  }
  await ledger.apply(planEdit(reading, editOf(place.name, fate)), { purpose: 'takeOver', takeOver });
}

export function editOf(name: string, fate: Exclude<OriginalFate, { kind: 'stays' }>): EntryEdit {
  return fate.kind === 'removed'
    ? { kind: 'remove', name }
    : { kind: 'setField', name, field: fate.field, value: fate.value };
}

function isSamePlace(edit: { path: string; keyPath: readonly string[]; name: string }, place: TakenPlace): boolean {
  return (
    edit.path === place.path && edit.name === place.name && edit.keyPath.join('\0').startsWith(place.keyPath.join('\0'))
  );
}

type Undoing = Pick<TakeOverPorts, 'ledger' | 'log' | 'transform' | 'forgetSecret'>;

async function removeOurs(
  server: TakenServer,
  ports: Undoing,
  { isBack, removeChanged }: { readonly isBack: boolean; readonly removeChanged: RemoveChanged },
): Promise<UndoneServer['ours']> {
  const standing = await ourStanding(server, ports);
  const doubt = !isBack ? 'originalChanged' : standing === 'changed' ? 'oursChanged' : undefined;
  if (standing !== 'gone' && doubt !== undefined && !(await removeChanged(server, doubt))) return 'kept';
  if (standing !== 'gone') await ports.transform(server.file, (current, raw) => removalOf(server, current, raw));
  await forgetUnused(server, ports);
  return standing === 'gone' ? 'gone' : 'removed';
}

type Standing = 'same' | 'changed' | 'gone';

async function ourStanding(server: TakenServer, ports: Undoing): Promise<Standing> {
  let standing: Standing = 'gone';
  await ports.transform(server.file, (_, raw) => {
    standing = standingOf(server, raw);
    return [];
  });
  return standing;
}

/** A value that another server of the file names stays. */
async function forgetUnused(server: TakenServer, ports: Undoing): Promise<void> {
  let text = '';
  await ports.transform(server.file, (_, raw) => {
    text = JSON.stringify(raw);
    return [];
  });
  for (const name of server.secrets) {
    if (!text.includes(`\${secret:${name}}`)) await ports.forgetSecret(name, server.scope);
  }
}

function standingOf({ id, entry }: TakenServer, raw: JsonObject): Standing {
  const servers = raw['mcpServers'];
  if (!isJsonObject(servers) || !Object.hasOwn(servers, id)) return 'gone';
  return sameValue(servers[id], entry) ? 'same' : 'changed';
}

/** With the inputs that came with it, where no other server names them. */
function removalOf(server: TakenServer, current: ConfigFile, raw: JsonObject): readonly ConfigEdit[] {
  const others = current.servers.filter(({ id }) => id !== server.id);
  const used = new Set(others.flatMap(({ inputs = [] }) => inputs.map(({ id }) => id)));
  const gone = server.inputs.filter((id) => !used.has(id));
  const list = Array.isArray(raw['inputs']) ? (raw['inputs'] as readonly JsonObject[]) : [];
  const left = list.filter((input) => !gone.some((id) => input['id'] === id));
  return [
    { path: ['mcpServers', server.id], value: undefined },
    ...(left.length === list.length ? [] : [{ path: ['inputs'], value: left.length === 0 ? undefined : left }]),
  ];
}
