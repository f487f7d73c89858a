import { mkdtemp, realpath, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

/** A fresh folder, by its real path, and what removes it. */
export async function temporaryFolder(): Promise<{ readonly path: string; remove(): Promise<void> }> {
  const path = await realpath(await mkdtemp(join(tmpdir(), 'roundhouse-')));
  return { path, remove: () => rm(path, { recursive: true, force: true, maxRetries: 5 }) };
}
