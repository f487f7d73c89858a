// Which of the windows a proxy goes to (GATE-5): the nearest to its folder, then the one that was in front last. Where the
// nearest is in Restricted Mode the answer is that one, and no other will do. Pure.
import type { AnnouncedWindow, WindowDescriptor } from '../../contract/windowDescriptor.ts';
import { chooseWindow } from '../../gateway/chooseWindow.ts';

type Windows = readonly AnnouncedWindow[];

/**
 * The window to go to; undefined where there is none for now. `lost`: the one that just went away, and may be loading
 * again: one that is farther than it was is none yet.
 */
export function nextWindow(windows: Windows, folder: string, lost?: WindowDescriptor): AnnouncedWindow | undefined {
  if (lost === undefined) return chooseWindow(windows, folder);
  const behind = { ...lost, focusedAt: Number.NEGATIVE_INFINITY };
  const chosen = chooseWindow<AnnouncedWindow>([...windows, behind], folder);
  return chosen === behind ? undefined : chosen;
}

/** One that is nearer than `current`; which one was in front last is no reason to leave a window. */
export function nearerWindow(windows: Windows, folder: string, current: WindowDescriptor): AnnouncedWindow | undefined {
  const before = { ...current, focusedAt: Number.POSITIVE_INFINITY };
  const others = windows.filter((window) => !isSame(current, window));
  const chosen = chooseWindow<AnnouncedWindow>([before, ...others], folder);
  return chosen === before ? undefined : chosen;
}

/** Whether two descriptors are of one life of one window. */
export function isSame(one: WindowDescriptor, two: AnnouncedWindow): boolean {
  return (
    two.kind === 'serving' && one.process.pid === two.process.pid && one.url === two.url && one.token === two.token
  );
}
