import { homedir } from 'node:os';
import { dirname } from 'node:path';
import { Agents } from '../../core/agents/agents.ts';
import type { ClientSurroundings } from '../../core/agents/clients.ts';
import { EditLedger } from '../../core/agents/editLedger.ts';
import { agentEntry } from '../../core/launcher/agentEntry.ts';
import type { InheritedEnvironment } from '../../core/transport/environment.ts';

export interface AgentsHereDeps {
  /** The product's folder. */
  readonly home: string;
  /** Our extension's folder of the person's, within those of all extensions. */
  readonly globalStorage: string;
  readonly environment: () => Promise<InheritedEnvironment>;
}

/** The agents of this machine. */
export function agentsHere({ home, globalStorage, environment }: AgentsHereDeps): Agents {
  const { platform } = process;
  const systemRoot = process.env['SystemRoot'];
  return new Agents({
    surroundings: surroundingsHere(globalStorage),
    environment,
    entry: agentEntry(home, platform, systemRoot === undefined ? {} : { systemRoot }),
    ledger: new EditLedger({ home }),
  });
}

/** Where clients keep their files on this machine, and other extensions of this editor theirs. */
export function surroundingsHere(globalStorage: string): ClientSurroundings {
  return {
    platform: process.platform,
    userHome: homedir(),
    env: process.env,
    // …/User/globalStorage/<extension>
    editorUserFolder: dirname(dirname(globalStorage)),
  };
}
