// One configuration file in one process (CFG-4, CFG-5, CFG-7). Owns its last good reading, reads again when the file
// changes, and is the only one that writes it. Promises: a refused file changes nothing but `problem`, and is never
// written over; every write starts from what is on disk under the lock, and what would be refused is never written.
// The person's rules do not go with their file: while it is gone the last ones hold, and until it was read they are unknown.
import type { Clock } from '../../base/clock.ts';
import { withDeadline } from '../../base/deadline.ts';
import { type Disposable, DisposableStore } from '../../base/disposable.ts';
import { Emitter } from '../../base/event.ts';
import { SerialQueue } from '../../base/serialQueue.ts';
import { isJsonObject, type JsonObject } from '../../contract/json.ts';
import type { ConfigScope } from '../../contract/serverConfig.ts';
import { ManagerError } from '../errors.ts';
import { limits } from '../limits.ts';
import { systemDetail } from '../systemDetail.ts';
import { makeFolder, readConfigFile, replaceFile } from './configDisk.ts';
import { type ConfigEdit, editConfigText, emptyConfigText, withCurrentVersion } from './editConfigText.ts';
import { entryEdits } from './entryEdits.ts';
import { withFileLock } from './fileLock.ts';
import type { ConfigFile, ConfigProblem } from './model.ts';
import { type NotJson, notJson } from './notJson.ts';
import { personRules } from './personRules.ts';
import { type ConfigReading, type ConfigSource, readConfigText } from './readConfigText.ts';
import { watchFile } from './watchFile.ts';

export interface ConfigStoreOptions {
  /** Absolute path. */
  readonly file: string;
  readonly scope: ConfigScope;
  readonly clock: Clock;
  /** Reads again by itself when the file changes. */
  readonly watch?: boolean;
}

export interface WriteOptions {
  /** Ends the wait for the lock; a write that has begun is finished. */
  readonly signal?: AbortSignal | undefined;
}

/** Decides, from what is on disk now, what to change. It must be pure: it runs under the lock. */
export type ConfigChange = (current: ConfigFile, raw: JsonObject) => readonly ConfigEdit[];

type WriteWhen = 'whenChanged' | 'whenMissing';

export class ConfigStore implements Disposable {
  readonly #source: ConfigSource;
  readonly #clock: Clock;
  readonly #queue = new SerialQueue();
  readonly #changed = new Emitter<ConfigFile>();
  readonly #disposables = new DisposableStore();
  #current: ConfigFile;
  /** What the current state was made of; equal evidence means that nothing changed. */
  #evidence = '';
  #disposed = false;

  constructor({ file, scope, clock, watch }: ConfigStoreOptions) {
    this.#source = { file, scope };
    this.#clock = clock;
    this.#current = { ...missing(this.#source), ...unknownRules(scope) };
    this.#disposables.add(this.#changed);
    if (watch === true) this.#disposables.add(watchFile(file, () => void this.reload(), { clock }));
  }

  /** Announces every state that differs from the one before, whoever caused it. */
  readonly onDidChange = this.#changed.event;

  /** The last good reading; empty before the first `reload`. */
  get(): ConfigFile {
    return this.#current;
  }

  /** Reads the file again, after whatever is being read or written now. Never fails: trouble is in `problem`. */
  reload(): Promise<ConfigFile> {
    return this.#queue.run(async () => {
      const reading = await this.#read().catch((error: unknown) => this.#unforeseen(error));
      if (reading.kind === 'refused') this.#refuse(reading.problem);
      else this.#accept(reading.file, reading.text);
      return this.#current;
    });
  }

  /**
   * Changes the file: reads it under the lock, applies the edits, checks the result as any reader would, and replaces
   * the file. Without edits, or with edits that change nothing, nothing is written. Throws ManagerError: the code of the
   * problem of a refused file or a refused result (nothing was written), `configLocked`, `configWriteFailed`.
   */
  transform(change: ConfigChange, options: WriteOptions = {}): Promise<ConfigFile> {
    return this.#write(change, options, 'whenChanged');
  }

  /** Makes the file, well-formed and without servers, where there is none; one that is there stays as it is. */
  create(options: WriteOptions = {}): Promise<ConfigFile> {
    return this.#write(() => [], options, 'whenMissing');
  }

  /** Adds a server or replaces its definition; keys of the entry that this build does not know stay. */
  upsert(id: string, entry: JsonObject, options: WriteOptions = {}): Promise<ConfigFile> {
    const fault = notJson(entry);
    if (fault !== undefined) return Promise.reject(notAnEntry(this.#source.file, id, fault));
    return this.transform((_, raw) => entryEdits(id, entry, entryOf(raw, id)), options);
  }

  /** Removes a server; one that is not there is no error. */
  remove(id: string, options: WriteOptions = {}): Promise<ConfigFile> {
    return this.transform(() => [{ path: ['mcpServers', id], value: undefined }], options);
  }

  /** Changes this one field of a server. Throws `unknownServer` when it is not there. */
  setEnabled(id: string, enabled: boolean, options: WriteOptions = {}): Promise<ConfigFile> {
    return this.transform((current) => {
      const server = current.servers.find((candidate) => candidate.id === id);
      if (server === undefined) throw new ManagerError('unknownServer', { server: id });
      return server.definition.enabled === enabled ? [] : [{ path: ['mcpServers', id, 'enabled'], value: enabled }];
    }, options);
  }

  dispose(): void {
    this.#disposed = true;
    this.#disposables.dispose();
  }

  #write(change: ConfigChange, options: WriteOptions, when: WriteWhen): Promise<ConfigFile> {
    return this.#queue.run(async () => {
      try {
        const path = await this.#inTime(this.#prepareFolder(), options);
        await withFileLock(path, () => this.#transformLocked(change, when), { ...options, clock: this.#clock });
      } catch (error) {
        if (error instanceof ManagerError || options.signal?.aborted === true) throw error;
        if (!isSystemError(error)) throw error;
        const data = { file: this.#source.file, detail: systemDetail(error) };
        throw new ManagerError('configWriteFailed', data, { cause: error });
      }
      return this.#current;
    });
  }

  async #transformLocked(change: ConfigChange, when: WriteWhen): Promise<void> {
    const before = await this.#read();
    if (before.kind === 'refused') {
      this.#refuse(before.problem);
      throw new ManagerError(before.problem.code, before.problem.data);
    }
    const edits = change(before.file, before.raw);
    const edited = editConfigText(before.text ?? emptyConfigText, edits);
    const missing = before.text === undefined && when === 'whenMissing';
    if (edited === (before.text ?? emptyConfigText) && !missing) {
      this.#accept(before.file, before.text);
      return;
    }
    const text = withCurrentVersion(edited);
    const result = readConfigText(text, this.#source);
    if (result.kind === 'refused') throw refusedResult(result.problems[0]);
    if (Buffer.byteLength(text) > limits.config.fileBytes) {
      throw new ManagerError('configWriteFailed', { file: this.#source.file, detail: 'the file would be too large' });
    }
    await replaceFile(before.path, text, this.#source.scope.kind === 'user' ? 0o600 : before.mode);
    this.#accept(asFile(this.#source, result), text);
  }

  /** Makes the folder; answers the path to lock. */
  async #prepareFolder(): Promise<string> {
    await makeFolder(this.#source);
    const disk = await readConfigFile(this.#source);
    if (disk.kind !== 'refused') return disk.path;
    this.#refuse(disk.problem);
    throw new ManagerError(disk.problem.code, disk.problem.data);
  }

  /** Before the lock nothing is at stake: a disk that is gone, as one of a network may be, is not waited for. */
  #inTime<T>(work: Promise<T>, { signal }: WriteOptions): Promise<T> {
    const data = { file: this.#source.file, detail: 'its disk does not answer' };
    const onTimeout = (): Error => new ManagerError('configWriteFailed', data);
    return withDeadline(work, { ms: limits.config.lockWait, clock: this.#clock, signal, onTimeout });
  }

  async #read(): Promise<GoodReading | { readonly kind: 'refused'; readonly problem: ConfigProblem }> {
    const disk = await readConfigFile(this.#source);
    if (disk.kind === 'refused') return disk;
    if (disk.kind === 'missing') {
      const file = missing(this.#source);
      return { kind: 'good', file, raw: {}, text: undefined, path: disk.path, mode: undefined };
    }
    const reading = readConfigText(disk.text, this.#source);
    if (reading.kind === 'refused') return { kind: 'refused', problem: reading.problems[0] };
    const file = asFile(this.#source, reading);
    return { kind: 'good', file, raw: reading.raw, text: disk.text, path: disk.path, mode: disk.mode };
  }

  /** A fault of ours in reading this file is trouble with this file, not with those beside it. */
  #unforeseen(error: unknown): { readonly kind: 'refused'; readonly problem: ConfigProblem } {
    const { file } = this.#source;
    const detail = `reading it failed with ${error instanceof Error ? error.name : 'an unknown error'}`;
    return { kind: 'refused', problem: { file, code: 'configUnreadable', data: { file, detail } } };
  }

  #accept(file: ConfigFile, text: string | undefined): void {
    if (text !== undefined) this.#become(file, `text ${text}`);
    else this.#become({ ...file, ...this.#keptRules() }, 'missing');
  }

  /** What the person said of tools while their file was there (CFG-5). */
  #keptRules(): Pick<ConfigFile, 'toolPolicies'> {
    return this.#source.scope.kind === 'user' ? personRules(this.#current) : {};
  }

  #refuse(problem: ConfigProblem): void {
    const unknown = this.#current.exists ? {} : unknownRules(this.#source.scope);
    this.#become({ ...this.#current, ...unknown, exists: true, problem }, `problem ${JSON.stringify(problem)}`);
  }

  #become(file: ConfigFile, evidence: string): void {
    if (evidence === this.#evidence) return;
    this.#evidence = evidence;
    this.#current = file;
    if (!this.#disposed) this.#changed.fire(file);
  }
}

interface GoodReading {
  readonly kind: 'good';
  readonly file: ConfigFile;
  readonly raw: JsonObject;
  /** Undefined where there is no file. */
  readonly text: string | undefined;
  readonly path: string;
  readonly mode: number | undefined;
}

function missing({ file, scope }: ConfigSource): ConfigFile {
  return { file, scope, exists: false, version: undefined, servers: [], inputs: [] };
}

function unknownRules({ kind }: ConfigScope): Pick<ConfigFile, 'rulesUnknown'> {
  return kind === 'user' ? { rulesUnknown: true } : {};
}

function asFile({ file, scope }: ConfigSource, reading: Extract<ConfigReading, { kind: 'config' }>): ConfigFile {
  const { version, servers, inputs, toolPolicies } = reading;
  return { file, scope, exists: true, version, servers, inputs, ...(toolPolicies && { toolPolicies }) };
}

function entryOf(raw: JsonObject, id: string): JsonObject | undefined {
  const servers = raw['mcpServers'];
  const entry = isJsonObject(servers) && Object.hasOwn(servers, id) ? servers[id] : undefined;
  return isJsonObject(entry) ? entry : undefined;
}

function notAnEntry(file: string, server: string, { path, reason }: NotJson): ManagerError {
  const field = path.length === 0 ? 'the entry' : path.join('.');
  return new ManagerError('configInvalid', { file, server, field, detail: reason });
}

/** The place of a fault in a text that was never written would mislead. */
function refusedResult(problem: ConfigProblem): ManagerError {
  const data = Object.entries(problem.data).filter(([key]) => key !== 'line' && key !== 'column');
  return new ManagerError(problem.code, Object.fromEntries(data));
}

function isSystemError(error: unknown): boolean {
  return typeof (error as NodeJS.ErrnoException).code === 'string';
}
