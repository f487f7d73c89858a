import type { AgentMcpConfig } from '../../contract/publicApi.ts';
import type { Log } from '../../core/ports.ts';
import { type Lazy, lazy } from '../lazy.ts';

export interface LauncherDeps {
  /** The product's folder. */
  readonly home: string;
  /** Holds the built command line. */
  readonly source: string;
  readonly log: Log;
}

/**
 * The copy of the command line that agents start (GATE-5). Made in the background once the window has read its
 * configuration; what could not be made is tried again when somebody asks for it.
 */
export class LazyLauncher {
  readonly #ending = new AbortController();
  readonly #deps: LauncherDeps;
  readonly #made: Lazy<AgentMcpConfig>;

  constructor(deps: LauncherDeps) {
    this.#deps = deps;
    const { signal } = this.#ending;
    this.#made = lazy(async () => {
      const { installForAgents } = await import('./installForAgents.ts');
      return installForAgents(deps, signal);
    });
  }

  begin(): void {
    // Said in the log; whoever needs it is told when they ask.
    this.#made.get().catch(() => undefined);
  }

  /** What an agent is given, once it works. Fails with ManagerError. */
  async agentConfig(): Promise<AgentMcpConfig> {
    const config = await this.#made.get();
    const { isInstalled } = await import('./installForAgents.ts');
    if (await isInstalled(this.#deps)) return config;
    // The extension was uninstalled from another editor, and took it along.
    this.#made.forget();
    return this.#made.get();
  }

  dispose(): void {
    this.#ending.abort();
  }
}
