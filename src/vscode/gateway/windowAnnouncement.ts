// Tells other processes of the person's that this window is there, by its descriptor (GATE-5): which folders it has, and
// when it was in front last; in Restricted Mode, that it serves nobody. Written anew at each change, one after the other; what
// cannot be written is logged, and tried again with the next change. The token goes into that one file, and nowhere else.
import { realpath } from 'node:fs/promises';
import type { Clock } from '../../base/clock.ts';
import type { Disposable } from '../../base/disposable.ts';
import type { Event } from '../../base/event.ts';
import { SerialQueue } from '../../base/serialQueue.ts';
import type { ProcessIdentity } from '../../core/config/processIdentity.ts';
import type { Log } from '../../core/ports.ts';
import { removeWindow, writeWindow } from '../../gateway/windowFiles.ts';
import type { GatewayAddress } from './gatewayAccess.ts';

/** The window as it is now. */
export interface WindowState {
  /** Absolute paths of its folders on this machine. */
  readonly folders: readonly string[];
  readonly focused: boolean;
}

export interface WindowWatch {
  readonly state: () => WindowState;
  readonly onDidChange: Event<void>;
}

export interface WindowAnnouncementParts {
  /** The product's folder. */
  readonly home: string;
  readonly process: ProcessIdentity;
  /** Undefined in Restricted Mode: whoever works in its folders is served by nobody. */
  readonly address: GatewayAddress | undefined;
  readonly window: WindowWatch;
  readonly clock: Clock;
  readonly log: Log;
}

export class WindowAnnouncement {
  readonly #parts: WindowAnnouncementParts;
  readonly #queue = new SerialQueue();
  readonly #watch: Disposable;
  #focusedAt = 0;
  #ended = false;

  constructor(parts: WindowAnnouncementParts) {
    this.#parts = parts;
    this.#watch = parts.window.onDidChange(() => void this.update());
  }

  /** Answers when what holds now is written, or could not be. */
  update(): Promise<void> {
    const { window, clock } = this.#parts;
    const { focused, folders } = window.state();
    if (focused) this.#focusedAt = clock.now();
    return this.#queue.run(() => this.#write(folders));
  }

  /** Takes it back: nobody is sent here any more. */
  async end(): Promise<void> {
    this.#ended = true;
    this.#watch.dispose();
    await this.#queue.run(() => removeWindow(this.#parts.home, this.#parts.process));
  }

  async #write(folders: readonly string[]): Promise<void> {
    if (this.#ended) return;
    const { home, process, address, log } = this.#parts;
    try {
      const own = await Promise.all(folders.slice(0, mostFolders).map(withoutLinks));
      const common = { version: 1 as const, process, folders: own, focusedAt: this.#focusedAt };
      if (address === undefined) await writeWindow(home, { ...common, kind: 'restricted' });
      else {
        const { url, socket, token } = address;
        await writeWindow(home, { ...common, kind: 'serving', url, token, ...(socket !== undefined && { socket }) });
      }
    } catch (error) {
      log.warn(`Agents cannot find this window: ${error instanceof Error ? error.message : String(error)}`);
    }
  }
}

/** As many as a descriptor may have. */
const mostFolders = 100;

function withoutLinks(folder: string): Promise<string> {
  return realpath(folder).catch(() => folder);
}
