// Looks once in a while whether the keeper can be found and is the one of its place (KEEP-4): writes its file anew where
// somebody took it away or changed it, and ends it where the lock is not its own any more, since there may be another one.
import { isDeepStrictEqual as isSame } from 'node:util';
import type { Clock } from '../base/clock.ts';
import type { Disposable } from '../base/disposable.ts';
import type { KeeperDescriptor } from '../contract/keeperWire.ts';
import { writeDescriptor } from '../core/config/descriptorFile.ts';
import { lockHolder } from '../core/config/fileLock.ts';
import { type KeeperFiles, readKeeper } from '../core/keeper/keeperFiles.ts';
import { limits } from '../core/limits.ts';

export interface PlaceWatch {
  readonly files: KeeperFiles;
  readonly descriptor: KeeperDescriptor;
  readonly clock: Clock;
  readonly end: () => void;
}

/** What it answers ends the watch, and resolves when it writes nothing any more. */
export function watchPlace({ files, descriptor, clock, end }: PlaceWatch): () => Promise<void> {
  const { pid, start } = descriptor.process;
  let isOver = false;
  let looking = Promise.resolve();
  const look = async (): Promise<void> => {
    const holder = await lockHolder(files.elected);
    if (holder?.pid !== pid || holder.start !== start) {
      end();
      return;
    }
    const isFound = isSame(await readKeeper(files), descriptor);
    // A full disk has room again some time.
    if (!isFound) await writeDescriptor(files.folder, files.descriptor, descriptor).catch(() => undefined);
    timer = next();
  };
  const next = (): Disposable =>
    clock.after(limits.keeper.ownLook, () => {
      if (!isOver) looking = look();
    });
  let timer = next();
  return async () => {
    isOver = true;
    await looking;
    timer.dispose();
  };
}
