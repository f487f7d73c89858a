import { type Disposable, DisposableStore } from '../../base/disposable.ts';

export interface FollowFoldersOptions<T> {
  readonly folders: () => readonly T[];
  readonly onDidChangeFolders: (listener: () => void) => Disposable;
  readonly watch: (folder: T) => Disposable;
  /** Told when the folders are others; they are watched already then. */
  readonly changed: () => void;
}

/** Watches every folder that the window has, those too that come later, and none any more that went. */
export function followFolders<T>({ folders, onDidChangeFolders, watch, changed }: FollowFoldersOptions<T>): Disposable {
  const own = new DisposableStore();
  const begin = (): DisposableStore => {
    const watches = new DisposableStore();
    for (const folder of folders()) watches.add(watch(folder));
    return watches;
  };
  let watches = begin();
  own.add({ dispose: () => watches.dispose() });
  own.add(
    onDidChangeFolders(() => {
      watches.dispose();
      watches = begin();
      changed();
    }),
  );
  return own;
}
