// Where the keeper of this person and machine has its files: in `keeper/` of the product's folder, named by the machine, and
// on Linux by the container. Others that share the folder have a keeper of their own, and none is taken for another's.
import { createHash } from 'node:crypto';
import { mkdir } from 'node:fs/promises';
import { join } from 'node:path';
import { type KeeperDescriptor, keeperDescriptor } from '../../contract/keeperWire.ts';
import { isHere, readDescriptor } from '../config/descriptorFile.ts';
import { type ProcessFacts, systemFacts } from '../config/processIdentity.ts';
import { ownFolder } from '../launcher/ownFolder.ts';
import { limits } from '../limits.ts';

export interface KeeperFiles {
  readonly folder: string;
  /** Its name in the folder. */
  readonly descriptor: string;
  readonly socket: string;
  /** Held by the keeper for as long as it lives, as `withFileLock` has it. */
  readonly elected: string;
  /** Held by whoever starts one. */
  readonly starting: string;
}

/** `home` is the product's folder. */
export async function keeperFiles(home: string, facts: ProcessFacts = systemFacts): Promise<KeeperFiles> {
  const place = JSON.stringify([facts.host, await facts.namespace()]);
  const name = createHash('sha256').update(place).digest('hex').slice(0, 12);
  const folder = join(home, 'keeper');
  return {
    folder,
    descriptor: `${name}.json`,
    socket: join(folder, `${name}.sock`),
    elected: join(folder, name),
    starting: join(folder, `${name}.start`),
  };
}

/** Makes the folder where it is missing. Fails unless it is the person's alone. */
export async function makeKeeperFolder({ folder }: KeeperFiles): Promise<void> {
  await mkdir(join(folder, '..'), { recursive: true, mode: 0o700 });
  await ownFolder(folder);
}

/** As it is on the disk: whether its process lives is another question. Undefined for what is none of this place. */
export async function readKeeper(
  { folder, descriptor }: KeeperFiles,
  facts: ProcessFacts = systemFacts,
): Promise<KeeperDescriptor | undefined> {
  const found = await readDescriptor(join(folder, descriptor), keeperDescriptor, limits.keeper.descriptor);
  return found !== undefined && (await isHere(found.process, facts)) ? found : undefined;
}
