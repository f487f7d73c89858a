// The agents of this machine: which are there, which are connected to us, and connecting and disconnecting one (GATE-8).
// Only the person's own files are ever written, never a project's. Nothing is changed that was not planned, and shown,
// over exactly these bytes; an entry of the person's own is replaced only where they said so.
import { lstat } from 'node:fs/promises';
import { sep } from 'node:path';
import type { ConfigProblem } from '../config/model.ts';
import { ManagerError } from '../errors.ts';
import { agentKey, type AgentEntry } from '../launcher/agentEntry.ts';
import type { InheritedEnvironment } from '../transport/environment.ts';
import { findCommand } from '../transport/findCommand.ts';
import {
  type ClientReading,
  type FoundEntry,
  hashOf,
  planEdit,
  type PlannedEdit,
  readClientFile,
} from './clientFile.ts';
import { sameValue } from './clientText.ts';
import {
  clientOf,
  clients,
  type ClientId,
  type ClientSurroundings,
  type EntryShape,
  type KnownClient,
} from './clients.ts';
import type { EditLedger, UndoOptions, UndoOutcome } from './editLedger.ts';
import type { EditRecord } from './editRecord.ts';
import { launchOf, writeEntry } from './entryShapes.ts';
import { startsOurLauncher } from './ourEntry.ts';
import { type OwnCommands, ownCommands, runOwnCommand } from './ownCommand.ts';

export type AgentState =
  | { readonly kind: 'notInstalled' }
  | { readonly kind: 'notConnected' }
  | { readonly kind: 'connected' }
  /** `launcher`: it starts an older launcher of ours; `edited`: somebody changed our entry. */
  | { readonly kind: 'stale'; readonly why: 'launcher' | 'edited' }
  /** An entry of our name that we did not write. */
  | { readonly kind: 'taken' }
  | { readonly kind: 'refused'; readonly problem: ConfigProblem };

export interface AgentView {
  readonly id: ClientId;
  readonly name: string;
  readonly state: AgentState;
  /** The file that is written to, as the agent opens it. */
  readonly file: string;
}

/** What connecting would do. With commands of the agent's own, `edit` is what these are expected to do. */
export interface ConnectPlan {
  readonly agent: AgentView;
  readonly edit: PlannedEdit;
  readonly commands?: OwnCommands;
}

export interface Undone {
  readonly record: EditRecord;
  readonly outcome: UndoOutcome | { readonly failed: unknown };
}

export interface AgentsDeps {
  readonly surroundings: ClientSurroundings;
  readonly environment: () => Promise<InheritedEnvironment>;
  /** The entry that starts our proxy. */
  readonly entry: AgentEntry;
  readonly ledger: EditLedger;
}

interface WorkOptions {
  readonly signal?: AbortSignal | undefined;
}

interface DisconnectOptions extends WorkOptions {
  readonly removeChanged?: boolean;
}

export class Agents {
  readonly #deps: AgentsDeps;

  constructor(deps: AgentsDeps) {
    this.#deps = deps;
  }

  /** In the order of the table. */
  async views(): Promise<readonly AgentView[]> {
    const records = await this.#deps.ledger.records();
    const connecting = clients.filter(({ connects }) => connects);
    return Promise.all(connecting.map(async (client) => (await this.#look(client, records)).view));
  }

  async view(id: ClientId): Promise<AgentView> {
    return (await this.#look(clientOf(id), await this.#deps.ledger.records())).view;
  }

  /** Plans the edit; `replace` allows the place of an entry of the person's own. Throws what keeps it from being made. */
  async planConnect(id: ClientId, { replace = false }: { readonly replace?: boolean } = {}): Promise<ConnectPlan> {
    const client = clientOf(id);
    const { view, reading, entry } = await this.#look(client, await this.#deps.ledger.records());
    if (view.state.kind === 'taken' && !replace) {
      throw new ManagerError('agentEntryTaken', { agent: client.name, name: agentKey, file: view.file });
    }
    const value = writeEntry(reading.file.shape, this.#deps.entry);
    const edit = planEdit(reading, { kind: 'set', name: agentKey, value });
    const { surroundings } = this.#deps;
    const environment = await this.#deps.environment();
    // An entry of the person's own is put back by its text, which no command does.
    const commands =
      view.state.kind === 'taken'
        ? undefined
        : await ownCommands(id, this.#deps.entry, { environment, surroundings, replace: entry !== undefined });
    return { agent: view, edit, ...(commands && { commands }) };
  }

  /** Does what was planned. Throws what went wrong; then nothing was changed, or it was the agent's own command's doing. */
  async connect({ edit, commands }: ConnectPlan, { signal }: WorkOptions = {}): Promise<void> {
    const { ledger, surroundings } = this.#deps;
    if (commands === undefined) {
      await ledger.apply(edit, { purpose: 'connect', signal });
      return;
    }
    const before = await readClientFile(edit.file);
    if (hashIn(before) !== edit.hash) throw new ManagerError('agentFileChanged', { file: edit.file.path });
    const environment = await this.#deps.environment();
    // On the list before it is in the file: a crash in between leaves nothing that nobody knows of.
    const noted = await ledger.note(edit, { purpose: 'connect', signal });
    try {
      for (const command of commands.connect) await runOwnCommand(command, { environment, surroundings, signal });
      const written = entryIn(await readClientFile(edit.file));
      if (written === undefined || !sameLaunch(edit.file.shape, written, this.#deps.entry)) {
        const detail = `it did not write the server into ${edit.file.path}`;
        throw new ManagerError('agentCommandFailed', { command: 'claude mcp add-json', detail });
      }
      await ledger.amend(noted, { raw: written.raw, text: written.text });
    } catch (error) {
      const left = entryIn(await readClientFile(edit.file));
      const isMade = left !== undefined && !sameValue(left.raw, edit.entryBefore?.raw);
      // The reason is what counts.
      if (!isMade) await ledger.unnote(noted).catch(() => undefined);
      throw error;
    }
  }

  /**
   * Takes our entry out of an agent's files. `changedSince`: it was changed after us, and left alone until the person wants
   * it gone all the same, `removeChanged`.
   */
  async disconnect(id: ClientId, { signal, removeChanged = false }: DisconnectOptions = {}): Promise<UndoOutcome> {
    const { ledger } = this.#deps;
    const record = (await ledger.records()).findLast((one) => one.client === id && one.purpose === 'connect');
    if (record !== undefined) return this.#undo(record, { signal, changed: removeChanged ? 'remove' : 'leave' });
    const { reading, entry } = await this.#look(clientOf(id), []);
    if (entry === undefined || !startsOurLauncher(reading.file.shape, entry.raw)) return 'alreadyGone';
    // Ours by what it starts, though nothing is noted of it.
    const removed = await ledger.apply(planEdit(reading, { kind: 'remove', name: agentKey }), {
      purpose: 'connect',
      signal,
    });
    await ledger.forget(removed.id, signal);
    return 'undone';
  }

  /** Whether there is anything in files of other programs that could be undone. */
  async hasEdits(): Promise<boolean> {
    return (await this.#deps.ledger.records()).length > 0;
  }

  /** Undoes every edit of ours in other programs' files, the newest first; one that fails does not keep the others. */
  async disconnectAll({ signal }: WorkOptions = {}): Promise<readonly Undone[]> {
    const results: Undone[] = [];
    for (const record of [...(await this.#deps.ledger.records())].reverse()) {
      signal?.throwIfAborted();
      const outcome = await this.#undo(record, { signal }).catch((error: unknown) => ({ failed: error }));
      results.push({ record, outcome });
    }
    return results;
  }

  /** What the agent's own command wrote is taken out by it, where it is there; else by an edit. */
  async #undo(record: EditRecord, { signal, changed }: UndoOptions): Promise<UndoOutcome> {
    const { ledger, surroundings, entry } = this.#deps;
    const byCommand = record.purpose === 'connect' && record.hunk === undefined && record.before === undefined;
    if (byCommand && (await ledger.planUndo(record)).result.kind === 'text') {
      const environment = await this.#deps.environment();
      const commands = await ownCommands(record.client, entry, { environment, surroundings, replace: false });
      if (commands !== undefined) {
        await runOwnCommand(commands.disconnect, { environment, surroundings, signal }).catch((error: unknown) => {
          // The edit is tried in its place.
          if (signal?.aborted === true) throw error;
        });
        if ((await ledger.planUndo(record)).result.kind === 'alreadyGone') {
          await ledger.forget(record.id, signal);
          return 'undone';
        }
      }
    }
    return ledger.undo(record.id, { signal, changed });
  }

  async #look(
    client: KnownClient,
    records: readonly EditRecord[],
  ): Promise<{ readonly view: AgentView; readonly reading: ClientReading; readonly entry?: FoundEntry }> {
    const files = client.userFiles(this.#deps.surroundings);
    const readings = await Promise.all(files.map(readClientFile));
    const reading = await chosen(client, readings, this.#deps.surroundings);
    if (reading === undefined) throw new Error(`${client.id} has no file here`);
    const entry = entryIn(reading);
    const record = records.findLast(({ client: id, purpose }) => id === client.id && purpose === 'connect');
    const state = await this.#state(client, reading, entry, record);
    const view = { id: client.id, name: client.name, state, file: reading.file.path };
    return { view, reading, ...(entry && { entry }) };
  }

  async #state(
    client: KnownClient,
    reading: ClientReading,
    entry: FoundEntry | undefined,
    record: EditRecord | undefined,
  ): Promise<AgentState> {
    if (reading.kind === 'refused') return { kind: 'refused', problem: reading.problem };
    if (entry === undefined) return { kind: (await this.#isInstalled(client)) ? 'notConnected' : 'notInstalled' };
    if (sameLaunch(reading.file.shape, entry, this.#deps.entry)) return { kind: 'connected' };
    const written = record?.after !== undefined && sameValue(record.after.raw, entry.raw);
    if (written) return { kind: 'stale', why: 'launcher' };
    if (startsOurLauncher(reading.file.shape, entry.raw))
      return { kind: 'stale', why: record === undefined ? 'launcher' : 'edited' };
    return { kind: 'taken' };
  }

  async #isInstalled(client: KnownClient): Promise<boolean> {
    const { surroundings } = this.#deps;
    const { platform, userHome } = surroundings;
    if ((await Promise.all(client.traces(surroundings).map(isThere))).some(Boolean)) return true;
    const { base } = await this.#deps.environment();
    const env = Object.fromEntries(
      Object.entries(base).filter((pair): pair is [string, string] => pair[1] !== undefined),
    );
    const found = await Promise.all(
      client.commands.map((command) => findCommand(command, { env, cwd: userHome, platform })),
    );
    return found.some(({ kind }) => kind === 'found');
  }
}

/** The file with our entry, else one that is there, else one whose program was there before. */
async function chosen(
  client: KnownClient,
  readings: readonly ClientReading[],
  surroundings: ClientSurroundings,
): Promise<ClientReading | undefined> {
  const found =
    readings.find((reading) => entryIn(reading) !== undefined) ?? readings.find(({ kind }) => kind !== 'missing');
  if (found !== undefined) return found;
  for (const trace of client.traces(surroundings)) {
    const beside = readings.find(({ file }) => file.path.startsWith(trace + sep));
    if (beside !== undefined && (await isThere(trace))) return beside;
  }
  return readings[0];
}

function entryIn(reading: ClientReading): FoundEntry | undefined {
  return reading.kind === 'read' ? reading.entries.find(({ name }) => name === agentKey) : undefined;
}

function hashIn(reading: ClientReading): string | undefined {
  return reading.kind === 'read' ? hashOf(reading.text) : undefined;
}

/** Whether the agent would start exactly this, and starts it at all. */
function sameLaunch(shape: EntryShape, { raw }: FoundEntry, entry: AgentEntry): boolean {
  const isOff = raw['enabled'] === false || raw['disabled'] === true;
  const { command, args } = entry;
  return !isOff && sameValue({ ...launchOf(shape, raw) }, { command, args: [...args] });
}

async function isThere(path: string): Promise<boolean> {
  return (await lstat(path).catch(() => undefined)) !== undefined;
}
