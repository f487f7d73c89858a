// The end of what a window serves: its gateway first, so that agents hear that the window closed, not that one server after
// the other did (GATE-5); then the servers, whether or not the gateway was quick. Never fails.
import type { Clock } from '../base/clock.ts';
import { withDeadline } from '../base/deadline.ts';
import { ManagerError } from '../core/errors.ts';
import { limits } from '../core/limits.ts';

export interface ServingParts {
  readonly gateway: { end(): Promise<void> };
  readonly manager: { dispose(): Promise<void> };
  readonly clock: Clock;
}

export async function endServing({ gateway, manager, clock }: ServingParts): Promise<void> {
  const closed = gateway.end().catch(() => undefined);
  const patience = { ms: limits.stop.gateway, clock, onTimeout: () => new ManagerError('cancelled') };
  await withDeadline(closed, patience).catch(() => undefined);
  await Promise.allSettled([closed, manager.dispose()]);
}
