// The approvals that the person chose to remember (product TRUST-2): the fingerprint of one launch for each definition, and
// nothing else, in the editor's own state for all workspaces. No file of ours: whoever can write one could approve with it.
import type * as vscode from 'vscode';
import type { ServerKey } from '../../core/config/model.ts';
import type { ApprovalMemory } from '../../core/ports.ts';
import type { LaunchFingerprint } from '../../core/transport/launch.ts';

const prefix = 'approval:';

export class RememberedApprovals implements ApprovalMemory {
  readonly #state: Pick<vscode.Memento, 'get' | 'update' | 'keys'>;

  constructor(state: Pick<vscode.Memento, 'get' | 'update' | 'keys'>) {
    this.#state = state;
  }

  get(key: ServerKey): LaunchFingerprint | undefined {
    const kept = this.#state.get<unknown>(prefix + key);
    return typeof kept === 'string' && /^[0-9a-f]{64}$/.test(kept) ? (kept as LaunchFingerprint) : undefined;
  }

  async set(key: ServerKey, fingerprint: LaunchFingerprint): Promise<void> {
    await this.#state.update(prefix + key, fingerprint);
  }

  async delete(key: ServerKey): Promise<void> {
    await this.#state.update(prefix + key, undefined);
  }

  keys(): readonly ServerKey[] {
    const kept = this.#state.keys().filter((key) => key.startsWith(prefix));
    return kept.map((key) => key.slice(prefix.length) as ServerKey);
  }
}
