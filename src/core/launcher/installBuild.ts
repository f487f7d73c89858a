// Copies one build of the command line into its folder beside the launcher. Promises: each file is what was built, none is
// reached through a link, the folder appears whole (a draft that is renamed), and one that is there already is looked
// through and mended file by file, so that a process that runs it never misses one. Must run under the lock.
import { randomBytes } from 'node:crypto';
import { lstat, open, rename } from 'node:fs/promises';
import { join } from 'node:path';
import { usedFolder } from './binPaths.ts';
import { type BuildManifest, buildName } from './buildManifest.ts';
import { ownFolder } from './ownFolder.ts';
import { textOrNothing, verifiedFile } from './wholeFile.ts';

export interface BuildPlaces {
  /** Where builds are made, one folder each. */
  readonly folder: string;
  /** Where the build's own files are. */
  readonly source: string;
}

/** Answers the name of its folder. Fails with an error that says which file is wrong. */
export async function installBuild(manifest: BuildManifest, { folder, source }: BuildPlaces): Promise<string> {
  const name = buildName(manifest);
  const target = join(folder, name);
  const there = await lstat(target).catch(() => undefined);
  if (there?.isDirectory() === true) {
    await fill(target, manifest, source);
    return name;
  }
  // What stands in the way is no build of ours: it goes where it is cleaned away.
  if (there !== undefined) await rename(target, join(folder, leftOverName()));
  const draft = join(folder, leftOverName());
  await fill(draft, manifest, source);
  await rename(draft, target);
  return name;
}

/** The name of what nobody needs: a draft, or what is about to be removed. */
export function leftOverName(): string {
  return `.left-${randomBytes(8).toString('hex')}`;
}

export function isLeftOverName(name: string): boolean {
  return /^\.left-[0-9a-f]{16}$/.test(name);
}

/** Node takes a file that ends with `.js` for a module by what stands beside it. */
const packageFile = { name: 'package.json', text: '{ "type": "module" }\n' };

async function fill(target: string, manifest: BuildManifest, source: string): Promise<void> {
  await ownFolder(target);
  await ownFolder(join(target, usedFolder));
  if (manifest.files.some(({ path }) => path.startsWith('chunks/'))) await ownFolder(join(target, 'chunks'));
  const known = await textOrNothing(join(target, packageFile.name), packageFile.text.length);
  if (known !== packageFile.text) await write(join(target, packageFile.name), packageFile.text);
  for (const file of manifest.files) {
    const path = join(target, ...file.path.split('/'));
    const right = await verifiedFile(path, file).then(
      () => true,
      () => false,
    );
    if (!right) await write(path, await verifiedFile(join(source, ...file.path.split('/')), file));
  }
}

/** Whole and in one step; what is there is replaced, a link itself and never what it leads to. */
async function write(path: string, content: Buffer | string): Promise<void> {
  const draft = `${path}.${randomBytes(8).toString('hex')}.tmp`;
  const handle = await open(draft, 'wx', 0o600);
  try {
    await handle.writeFile(content);
    await handle.sync();
  } finally {
    await handle.close();
  }
  await rename(draft, path);
}
