// The list of what was taken over and not undone (GATE-9), in the product's folder, for the person alone. It names what was
// written and where it came from, with references in the place of secrets; what was changed in other programs' files is on the
// list of their edits. An entry is on it before anything is done, so that what a crash leaves can be undone.
import { mkdir } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import * as z from 'zod/mini';
import type { JsonObject } from '../../contract/json.ts';
import type { ConfigScope } from '../../contract/serverConfig.ts';
import { makeFolder, readConfigFile, replaceFile } from '../config/configDisk.ts';
import { withFileLock } from '../config/fileLock.ts';
import { ManagerError } from '../errors.ts';
import { limits } from '../limits.ts';

export interface TakenPlace {
  /** As its client opens it. */
  readonly path: string;
  readonly client: string;
  readonly keyPath: readonly string[];
  readonly name: string;
}

export interface TakenServer {
  readonly id: string;
  /** Our file that it was written to. */
  readonly file: string;
  readonly scope: ConfigScope;
  /** As it was written. */
  readonly entry: JsonObject;
  /** Ids of inputs that came with it. */
  readonly inputs: readonly string[];
  /** Names of values that were put into secret storage for it. */
  readonly secrets: readonly string[];
  /** Places whose original was to be changed. */
  readonly places: readonly TakenPlace[];
}

export interface TakeOverRecord {
  readonly id: string;
  /** Milliseconds since 1970. */
  readonly at: number;
  readonly servers: readonly TakenServer[];
}

export class TakeOverLog {
  readonly #file: string;

  /** `home` is the product's folder. */
  constructor(home: string) {
    this.#file = join(home, 'agents', 'takeovers.json');
  }

  /** Oldest first. Throws `agentRecordsUnreadable`. */
  async records(): Promise<readonly TakeOverRecord[]> {
    const disk = await readConfigFile({ file: this.#file, scope: { kind: 'user' } });
    if (disk.kind === 'missing') return [];
    const parsed = disk.kind === 'text' ? fileSchema.safeParse(jsonOf(disk.text)) : undefined;
    if (parsed?.success === true) return parsed.data.takeOvers as unknown as readonly TakeOverRecord[];
    const detail = disk.kind === 'refused' ? String(disk.problem.data['detail']) : 'it is no such list';
    throw new ManagerError('agentRecordsUnreadable', { file: this.#file, detail });
  }

  add(record: TakeOverRecord, signal?: AbortSignal): Promise<void> {
    return this.#change((records) => [...records, record].slice(-limits.found.records), signal);
  }

  remove(id: string, signal?: AbortSignal): Promise<void> {
    return this.#change((records) => records.filter((record) => record.id !== id), signal);
  }

  async #change(
    change: (records: readonly TakeOverRecord[]) => readonly TakeOverRecord[],
    signal: AbortSignal | undefined,
  ): Promise<void> {
    await mkdir(dirname(dirname(this.#file)), { recursive: true, mode: 0o700 });
    await makeFolder({ file: this.#file, scope: { kind: 'user' } });
    await withFileLock(
      this.#file,
      async () => {
        const takeOvers = change(await this.records());
        await replaceFile(this.#file, `${JSON.stringify({ version: 1, takeOvers }, undefined, 2)}\n`, 0o600);
      },
      { signal },
    );
  }
}

function jsonOf(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

const names = z.array(z.string());

const fileSchema = z.object({
  version: z.literal(1),
  takeOvers: z.array(
    z.object({
      id: z.string(),
      at: z.number(),
      servers: z.array(
        z.object({
          id: z.string(),
          file: z.string(),
          scope: z.union([
            z.object({ kind: z.literal('user') }),
            z.object({ kind: z.literal('project'), folder: z.string(), name: z.string() }),
          ]),
          entry: z.record(z.string(), z.unknown()),
          inputs: names,
          secrets: names,
          places: z.array(z.object({ path: z.string(), client: z.string(), keyPath: names, name: z.string() })),
        }),
      ),
    }),
  ),
});
