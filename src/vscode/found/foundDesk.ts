// The found servers of this window, and taking them over: what the commands and the tree use, loaded late. Decisions are
// core/found's; here they get the window's files, its secret storage and its configuration.
import { readFile } from 'node:fs/promises';
import * as vscode from 'vscode';
import type { Clock } from '../../base/clock.ts';
import { type ClientFile, clients, type ClientSurroundings } from '../../core/agents/clients.ts';
import { EditLedger } from '../../core/agents/editLedger.ts';
import type { ConfigFile, ConfiguredServer } from '../../core/config/model.ts';
import type { ConfigStore } from '../../core/config/configStore.ts';
import { ManagerError } from '../../core/errors.ts';
import { FoundServers } from '../../core/found/foundServers.ts';
import type { FoundServer } from '../../core/found/foundView.ts';
import { planTakeOver } from '../../core/found/planTakeOver.ts';
import { checkBasis, previewTakeOver, type TakeOverPreview } from '../../core/found/previewTakeOver.ts';
import {
  type RemoveChanged,
  takeOver,
  type TakeOverPorts,
  type UndoneServer,
  undoTakeOver,
} from '../../core/found/takeOver.ts';
import { TakeOverLog, type TakeOverRecord } from '../../core/found/takeOverLog.ts';
import type { ConfigFiles } from '../adapters/configFiles.ts';
import type { StoredValues } from '../adapters/personalValues.ts';
import { secretOf, type StoredValue } from '../adapters/storedValue.ts';
import { surroundingsHere } from '../agents/agentsHere.ts';

export interface FoundDeskOptions {
  readonly config: ConfigFiles;
  readonly values: StoredValues;
  readonly clock: Clock;
  /** Of this extension; the editor's own folder of the person is two levels up. */
  readonly globalStorage: string;
}

export type TakeOverBasis = Pick<TakeOverPreview, 'planned' | 'basis'>;

export class FoundDesk implements vscode.Disposable {
  readonly found: FoundServers;
  readonly #options: FoundDeskOptions;
  readonly #ledger: EditLedger;
  readonly #log: TakeOverLog;

  constructor(options: FoundDeskOptions) {
    this.#options = options;
    const { config, clock } = options;
    this.#ledger = new EditLedger({ home: config.home });
    this.#log = new TakeOverLog(config.home);
    const surroundings = surroundingsHere(options.globalStorage);
    const own = (): readonly ConfiguredServer[] => config.snapshot().files.flatMap(({ servers }) => servers);
    this.found = new FoundServers({ files: () => filesNow(surroundings), own, clock });
  }

  /** What taking these over would do, with the comparison of each file. Touches nothing. */
  async preview(chosen: readonly FoundServer[]): Promise<TakeOverPreview> {
    const { config, values } = this.#options;
    const current = (file: string): ConfigFile | undefined => config.store(file)?.get();
    const planned = await planTakeOver(chosen, {
      targets: config.places(),
      current,
      isFree: async (kind, name, scope, value) => {
        const places = [true, false].map((secret): StoredValue => ({ kind, name, scope, secret }));
        // What cannot be told is not free.
        const kept = await Promise.all(places.map((place) => values.known(place).catch(() => '')));
        return kept.every((known) => known === undefined || known === value);
      },
    });
    return previewTakeOver(planned, ownText);
  }

  /** All that was shown, or nothing: see core/found/takeOver.ts. */
  async takeOver({ planned, basis }: TakeOverBasis, signal: AbortSignal): Promise<TakeOverRecord> {
    await checkBasis(basis, ownText);
    const record = await takeOver(planned, this.#ports(), signal).finally(() => this.found.look());
    return record;
  }

  /** What can be undone, newest first. */
  async records(): Promise<readonly TakeOverRecord[]> {
    return (await this.#log.records()).toReversed();
  }

  async undo(record: TakeOverRecord, removeChanged: RemoveChanged): Promise<readonly UndoneServer[]> {
    return undoTakeOver(record, this.#ports(), { removeChanged }).finally(() => this.found.look());
  }

  dispose(): void {
    this.found.dispose();
  }

  #ports(): TakeOverPorts {
    const { values } = this.#options;
    return {
      ledger: this.#ledger,
      log: this.#log,
      transform: (file, change) => this.#store(file).transform(change),
      keepSecret: (name, scope, value) => values.keep(secretOf(name, scope), value),
      forgetSecret: (name, scope) => values.forget(secretOf(name, scope)),
      now: () => Date.now(),
    };
  }

  #store(file: string): ConfigStore {
    const store = this.#options.config.store(file);
    if (store !== undefined) return store;
    throw new ManagerError('configUnreadable', { file, detail: 'its folder is not open in this window' });
  }
}

function ownText(file: string): Promise<string | undefined> {
  return readFile(file, 'utf8').catch(() => undefined);
}

/** A folder's files only where it is trusted: an untrusted one is not looked into at all. */
function filesNow(surroundings: ClientSurroundings): readonly ClientFile[] {
  const folders = (vscode.workspace.workspaceFolders ?? []).filter(({ uri }) => uri.scheme === 'file');
  const trusted = vscode.workspace.isTrusted ? folders : [];
  return clients.flatMap((client) => [
    ...client.userFiles(surroundings),
    ...trusted.flatMap(({ uri, name }) => client.projectFiles({ path: uri.fsPath, name }, surroundings)),
  ]);
}
