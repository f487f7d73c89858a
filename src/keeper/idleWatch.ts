import type { Clock } from '../base/clock.ts';
import type { Disposable } from '../base/disposable.ts';
import { limits } from '../core/limits.ts';

export interface IdleWatch {
  readonly clock: Clock;
  /** Milliseconds. */
  readonly idle: number;
  /** Whether anybody is here now. */
  readonly isUsed: () => boolean;
  readonly end: () => void;
}

/** Ends the keeper once nobody was seen for so long (KEEP-4). */
export function watchIdle({ clock, idle, isUsed, end }: IdleWatch): Disposable {
  let seen = clock.now();
  const look = (): void => {
    if (isUsed()) seen = clock.now();
    if (clock.now() - seen >= idle) end();
    else timer = next();
  };
  const next = (): Disposable => clock.after(Math.min(idle / 8, limits.keeper.ownLook), look);
  let timer = next();
  return { dispose: () => timer.dispose() };
}
