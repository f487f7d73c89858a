// Looks into the known files of other clients, and nowhere else (GATE-9). Reads a file only where it changed since the last
// look, one after the other, each with a deadline; writes nothing, starts nothing and expands nothing. What cannot be read
// is a row that says so, and takes nothing away from the others.
import { stat } from 'node:fs/promises';
import type { Clock } from '../../base/clock.ts';
import { withDeadline } from '../../base/deadline.ts';
import { type Disposable } from '../../base/disposable.ts';
import { Emitter } from '../../base/event.ts';
import { SerialQueue } from '../../base/serialQueue.ts';
import { type ClientReading, readClientFile } from '../agents/clientFile.ts';
import type { ClientFile } from '../agents/clients.ts';
import type { ConfiguredServer } from '../config/model.ts';
import { limits } from '../limits.ts';
import { collectFound } from './collectFound.ts';
import { type FoundView, nothingFound } from './foundView.ts';

export interface FoundServersOptions {
  /** The files that may be read now: those of a folder only where it is trusted. */
  readonly files: () => readonly ClientFile[];
  readonly own: () => readonly ConfiguredServer[];
  /** The product's folder. */
  readonly home: string;
  readonly clock: Clock;
}

interface Known {
  readonly signature: string;
  readonly reading: ClientReading;
}

export class FoundServers implements Disposable {
  readonly #options: FoundServersOptions;
  readonly #queue = new SerialQueue();
  readonly #changed = new Emitter<FoundView>();
  #known = new Map<string, Known>();
  #view = nothingFound;
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
    const missing: Known = { signature: 'missing', reading: { kind: 'missing', file, path: file.path } };
    const look = async (): Promise<Known> => {
      const signature = await signatureOf(file.path);
      if (signature === undefined) return missing;
      if (signature === before?.signature) return before;
      return { signature, reading: await readClientFile(file) };
    };
    const { clock } = this.#options;
    const onTimeout = (): Error => new Error('its disk does not answer');
    return withDeadline(look(), { ms: limits.found.file, clock, onTimeout }).catch(() => before ?? missing);
  }

  #show(): void {
    const { own, home } = this.#options;
    const view = collectFound(
      [...this.#known.values()].map(({ reading }) => reading),
      { own: own(), home },
    );
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
