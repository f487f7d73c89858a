// Looks into the known files of other clients, and nowhere else (GATE-9). Reads a file only where it changed since the last
// look, one after the other, each with a deadline; writes nothing, starts nothing and expands nothing. What cannot be read
// is a row that says so, and takes nothing away from the others. What a file comes to is thought through once for each state
// of it, an entry at a time, so that a window goes on meanwhile.
import { stat } from 'node:fs/promises';
import { setImmediate } from 'node:timers/promises';
import type { Clock } from '../../base/clock.ts';
import { withDeadline } from '../../base/deadline.ts';
import { type Disposable } from '../../base/disposable.ts';
import { Emitter } from '../../base/event.ts';
import { SerialQueue } from '../../base/serialQueue.ts';
import { type ClientReading, readClientFile } from '../agents/clientFile.ts';
import type { ClientFile } from '../agents/clients.ts';
import type { ConfiguredServer } from '../config/model.ts';
import { limits } from '../limits.ts';
import { collectFound, type FoundFile, rowsOf } from './collectFound.ts';
import { type FoundServer, type FoundView, nothingFound } from './foundView.ts';

export interface FoundServersOptions {
  /** The files that may be read now: those of a folder only where it is trusted. */
  readonly files: () => readonly ClientFile[];
  readonly own: () => readonly ConfiguredServer[];
  readonly clock: Clock;
}

interface Known extends FoundFile {
  readonly signature: string;
}

export class FoundServers implements Disposable {
  readonly #options: FoundServersOptions;
  readonly #queue = new SerialQueue();
  readonly #changed = new Emitter<FoundView>();
  #known = new Map<string, Known>();
  #view = nothingFound;
  /** What the view was made of, and how it reads. */
  #basis: readonly unknown[] = [];
  #evidence = '';
  #disposed = false;

  constructor(options: FoundServersOptions) {
    this.#options = options;
  }

  /** Announces every view that differs from the one before. */
  readonly onDidChange = this.#changed.event;

  get view(): FoundView {
    return this.#view;
  }

  /** Looks again at what changed. Never fails. */
  look(): Promise<FoundView> {
    return this.#queue.run(async () => {
      const known = new Map<string, Known>();
      for (const file of this.#options.files()) {
        if (this.#disposed) return this.#view;
        const key = JSON.stringify([file.path, file.keyPath, file.scope]);
        known.set(key, await this.#lookAt(file, this.#known.get(key)));
      }
      this.#known = known;
      this.#show();
      return this.#view;
    });
  }

  /** The same files, beside what is configured here now. */
  compare(): void {
    if (this.#known.size > 0) this.#show();
  }

  dispose(): void {
    this.#disposed = true;
    this.#changed.dispose();
  }

  async #lookAt(file: ClientFile, before: Known | undefined): Promise<Known> {
    const missing: Known = { signature: 'missing', reading: { kind: 'missing', file, path: file.path }, rows: [] };
    const look = async (): Promise<Omit<Known, 'rows'>> => {
      const signature = (await signatureOf(file.path)) ?? 'missing';
      if (signature === before?.signature) return before;
      return signature === 'missing' ? missing : { signature, reading: await readClientFile(file) };
    };
    const { clock } = this.#options;
    const onTimeout = (): Error => new Error('its disk does not answer');
    const found = await withDeadline(look(), { ms: limits.found.file, clock, onTimeout }).catch(
      () => before ?? missing,
    );
    return found === before ? before : { ...found, rows: await this.#rowsOf(found.reading) };
  }

  async #rowsOf(reading: ClientReading): Promise<readonly FoundServer[]> {
    const rows: FoundServer[] = [];
    for (const row of rowsOf(reading)) {
      rows.push(row);
      await setImmediate();
      if (this.#disposed) break;
    }
    return rows;
  }

  #show(): void {
    const files = [...this.#known.values()];
    const own = this.#options.own();
    const basis = [...files, ...own];
    if (basis.length === this.#basis.length && basis.every((part, index) => part === this.#basis[index])) return;
    this.#basis = basis;
    const view = collectFound(files, own);
    const evidence = JSON.stringify(view);
    if (evidence === this.#evidence) return;
    this.#evidence = evidence;
    this.#view = view;
    this.#changed.fire(view);
  }
}

async function signatureOf(path: string): Promise<string | undefined> {
  try {
    const { ino, size, mtimeMs, ctimeMs } = await stat(path);
    return [ino, size, mtimeMs, ctimeMs].join(':');
  } catch {
    return undefined;
  }
}
