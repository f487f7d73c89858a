// The licences of what is bundled: packages whose files the bundles hold, as esbuild's metafiles tell, and packages that
// those files hold in turn, as the `#region` comments of their own bundler tell. A licence that is not found is a failure.
import { readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { repository } from './places.mjs';
import { SetupError } from './say.mjs';

/** Packages that are neither installed nor ship a licence file: what their package.json declares. */
const declared = new Map([['@cfworker/json-schema', { licence: 'MIT', holder: 'Jeremy Danyow' }]]);

/**
 * @param {readonly { outputs: Record<string, { inputs: Record<string, { bytesInOutput: number }> }> }[]} metafiles
 * @returns {Promise<string>} the text of the notice file
 * @throws {SetupError} when a package's licence cannot be told
 */
export async function noticesOf(metafiles) {
  const outputs = metafiles.flatMap(({ outputs }) => Object.values(outputs));
  const files = outputs.flatMap(({ inputs }) =>
    // A second copy of a file has a mark behind its name (esbuild.mjs).
    Object.entries(inputs).flatMap(([file, { bytesInOutput }]) => (bytesInOutput > 0 ? file.replace(/\?.*$/, '') : [])),
  );
  /** @type {Map<string, { name: string, folder: string, version: string | undefined }>} */
  const packages = new Map();
  for (const file of new Set(files)) {
    const found = packageOf(file);
    if (found === undefined) continue;
    packages.set(found.folder, { ...found, version: undefined });
    for (const { name, version } of embeddedIn(await readFile(join(repository, file), 'utf8'))) {
      packages.set(`${name}@${version}`, { name, version, folder: join('node_modules', name) });
    }
  }
  const notices = await Promise.all([...packages.values()].map(noticeOf));
  const sorted = [...new Map(notices.map((notice) => [notice.title, notice])).values()].sort((a, b) =>
    a.title < b.title ? -1 : 1,
  );
  const parts = sorted.map(({ title, text }) => `${'='.repeat(80)}\n${title}\n${'='.repeat(80)}\n\n${text.trim()}\n`);
  return `MCP Roundhouse contains the packages below, under these licences.\n\n${parts.join('\n')}`;
}

/**
 * @param {string} file a path with slashes, from the repository
 * @returns {{ name: string, folder: string } | undefined} undefined for our own files
 */
export function packageOf(file) {
  const match = /^(?:.*\/)?node_modules\/((?:@[^/]+\/)?[^/]+)\//.exec(file);
  return match?.[1] === undefined ? undefined : { name: match[1], folder: match[0].slice(0, -1) };
}

/**
 * @param {string} text a file of a package that bundles others
 * @returns {readonly { name: string, version: string }[]}
 */
export function embeddedIn(text) {
  const regions = text.matchAll(
    /^\/\/#region .*\/\.pnpm\/[^/]*?@(\d[^/_]*)[^/]*\/node_modules\/((?:@[^/]+\/)?[^/]+)\//gm,
  );
  return [...regions].map(([, version = '', name = '']) => ({ name, version }));
}

/** @param {{ name: string, folder: string, version: string | undefined }} bundled version: undefined where it is installed */
async function noticeOf({ name, folder, version }) {
  const installed = await installedNotice(join(repository, folder));
  if (installed !== undefined) {
    return { title: `${name} ${version ?? installed.version} (${installed.licence})`, text: installed.text };
  }
  const known = declared.get(name);
  if (known === undefined) throw new SetupError(`The licence of ${name}, which is bundled, was not found.`);
  const mit = await readFile(join(repository, 'LICENSE'), 'utf8');
  return {
    title: `${name} ${version ?? ''} (${known.licence})`,
    text: mit.replace(/^Copyright .*$/m, `Copyright (c) ${known.holder}`),
  };
}

/**
 * @param {string} folder
 * @returns {Promise<{ version: string, licence: string, text: string } | undefined>}
 */
async function installedNotice(folder) {
  const names = await readdir(folder).catch(() => []);
  const file = names.find((name) => /^(licen[cs]e|copying)([.-].*)?$/i.test(name));
  if (file === undefined) return undefined;
  /** @type {{ version: string, license: string }} */
  const manifest = JSON.parse(await readFile(join(folder, 'package.json'), 'utf8'));
  return { version: manifest.version, licence: manifest.license, text: await readFile(join(folder, file), 'utf8') };
}
