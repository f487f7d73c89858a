// What servers offered when they last ran, to be seen while they do not run (DISC-8). Promises: a kept list is shown
// for the very launch that gave it and for no other, and is dropped with the right to run; what a barred definition would
// run is not found out for it (TRUST-1).
import type { KeptLists } from '../discovery/keptLists.ts';
import type { ServerSnapshot } from '../discovery/snapshot.ts';
import type { ApprovalDesk } from '../trust/approvalDesk.ts';
import type { ManagedServer } from './managedServer.ts';

export class LastOffers {
  readonly #lists: KeptLists;
  readonly #desk: ApprovalDesk;

  constructor(lists: KeptLists, desk: ApprovalDesk) {
    this.#lists = lists;
    this.#desk = desk;
  }

  /** Whether it looked; what cannot be identified shows none. */
  async lookUp(managed: ManagedServer): Promise<boolean> {
    const { server } = managed;
    if (isBarred(managed) || managed.snapshot !== undefined || !this.#lists.has(server.key)) return false;
    const fingerprint = await this.#desk.fingerprint(server).catch(() => undefined);
    if (fingerprint === undefined || managed.server !== server || isBarred(managed)) return false;
    managed.kept = this.#lists.get(server.key, fingerprint);
    return true;
  }

  keep(managed: ManagedServer, snapshot: ServerSnapshot): void {
    if (managed.launched === undefined) return;
    this.#lists.put(managed.server.key, managed.launched, snapshot);
    managed.kept = snapshot;
  }

  drop(managed: ManagedServer): void {
    managed.kept = undefined;
    this.#lists.drop(managed.server.key);
  }
}

function isBarred({ bar }: ManagedServer): boolean {
  return bar !== undefined;
}
