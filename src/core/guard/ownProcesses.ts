// Which processes run now that we started, whoever of us did (`doctor`): as their owners wrote them down, checked with the
// system.
import { judge, type ProcessFacts, systemFacts } from '../config/processIdentity.ts';
import { pidExists } from './deadOwners.ts';
import { readLedgers } from './ownerLedger.ts';

export interface OwnedProcess {
  /** The pid of the window, proxy or command that owns it. */
  readonly owner: number;
  readonly server: string;
  readonly pid: number;
  /** When it started, in milliseconds since 1970. */
  readonly since: number;
}

export async function ownProcesses(
  home: string,
  facts: ProcessFacts = systemFacts,
  exists: (pid: number) => boolean = pidExists,
): Promise<readonly OwnedProcess[]> {
  const ledgers = await readLedgers(home);
  const here = await Promise.all(
    ledgers.map(async ({ owner, children }) =>
      (await judge(owner, facts)) === 'alive' ? children.map((child) => ({ ...child, owner: owner.pid })) : [],
    ),
  );
  return here
    .flat()
    .filter(({ pid }) => exists(pid))
    .map(({ owner, server, pid, since }) => ({ owner, server, pid, since }));
}
