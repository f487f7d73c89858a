// Tells which server is in another state, once for each change, from what it was on.
import { type Disposable, DisposableStore } from '../../base/disposable.ts';
import { Emitter } from '../../base/event.ts';
import type { ApiServer, ApiStatusChange } from '../../contract/publicApi.ts';
import type { ServerKey } from '../../core/config/model.ts';
import type { ServerManager } from '../../core/manager/serverManager.ts';
import type { ServerView } from '../../core/manager/view.ts';

export interface FollowStatusOptions {
  readonly manager: Pick<ServerManager, 'view' | 'onDidChange'>;
  readonly before: readonly ServerView[];
  readonly serverOf: (view: ServerView) => ApiServer;
}

export function followStatus(
  { manager, before, serverOf }: FollowStatusOptions,
  listener: (change: ApiStatusChange) => void,
): Disposable {
  const own = new DisposableStore();
  // One that throws hears the next change all the same.
  const told = own.add(new Emitter<ApiStatusChange>());
  own.add(told.event(listener));
  const byKey = (views: readonly ServerView[]): ReadonlyMap<ServerKey, ApiServer> =>
    new Map(views.map((view) => [view.key, serverOf(view)]));
  let last = byKey(before);
  const look = (): void => {
    const [old, now] = [last, byKey(manager.view().servers)];
    last = now;
    for (const [key, server] of old) if (!now.has(key)) told.fire(Object.freeze({ kind: 'removed', server }));
    for (const [key, server] of now) {
      const known = old.get(key);
      if (known !== undefined && statusOf(known) === statusOf(server)) continue;
      told.fire(Object.freeze({ kind: 'changed', server }));
    }
  };
  own.add(manager.onDidChange(look));
  look();
  return own;
}

/** All that is told of a server but its tools. */
function statusOf(server: ApiServer): string {
  return JSON.stringify({ ...server, tools: undefined });
}
