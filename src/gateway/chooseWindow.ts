// Which window serves an agent that works in a folder (GATE-5): the one whose folder is nearest around it, among equals the
// one that was in front last; where none is around it, the one that was in front last. One in Restricted Mode is chosen where
// it alone is the nearest around the folder, and then nobody serves; elsewhere it does not count. Pure; paths are absolute,
// without links, and compared part by part.
import path from 'node:path';
import type { AnnouncedWindow } from '../contract/windowDescriptor.ts';

type Candidate = Pick<AnnouncedWindow, 'kind' | 'folders' | 'focusedAt'>;

/** Undefined where there is no window. */
export function chooseWindow<T extends Candidate>(
  windows: readonly T[],
  folder: string,
  system: Pick<typeof path, 'relative' | 'isAbsolute' | 'sep'> = path,
): T | undefined {
  const ranked = windows
    .map((window) => ({
      window,
      refuses: window.kind === 'restricted' ? 1 : 0,
      distance: Math.min(...window.folders.map((own) => distanceTo(own, folder, system))),
    }))
    .filter(({ window, distance }) => window.kind === 'serving' || distance < Number.POSITIVE_INFINITY);
  // A folder that is trusted in one window is trusted, whatever stands beside it in another one.
  ranked.sort(
    (one, two) =>
      one.distance - two.distance || one.refuses - two.refuses || two.window.focusedAt - one.window.focusedAt,
  );
  return ranked[0]?.window;
}

/** How many folders deep `folder` lies in `own`; infinite where it does not. */
function distanceTo(
  own: string,
  folder: string,
  { relative, isAbsolute, sep }: Pick<typeof path, 'relative' | 'isAbsolute' | 'sep'>,
): number {
  const way = relative(own, folder);
  if (way === '') return 0;
  const parts = way.split(sep);
  return parts[0] === '..' || isAbsolute(way) ? Number.POSITIVE_INFINITY : parts.length;
}
