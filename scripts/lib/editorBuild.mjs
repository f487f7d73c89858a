// The VS Code build that tests and `npm start` use: VS Code's server and web workbench as the npm package code-server.
// It sits in the cache folder, outside this repository: it needs a newer Node (which comes with it) and 800 MB.
// Nothing of it is half there: it is made in a temporary folder and renamed when it works.
import { existsSync } from 'node:fs';
import { cp, mkdir, readFile, readdir, rename, rm, writeFile } from 'node:fs/promises';
import { delimiter, dirname, join } from 'node:path';
import { findProgram, installDebianPackages } from './debian.mjs';
import { withLock } from './lock.mjs';
import { cacheFolder, repository } from './places.mjs';
import { run } from './run.mjs';
import { SetupError, say } from './say.mjs';

const recipe = '1'; // Raise it when the steps below change what is built.
const recipeFolder = join(repository, 'scripts', 'editor');

// The native modules that the server loads, without a prebuilt binary for Linux. kerberos (proxy sign-in) is left out
// on purpose: it needs headers that few machines have, and is loaded only when such a proxy asks.
const nativeModules = ['@vscode/spdlog', '@vscode/native-watchdog', '@vscode/sqlite3', '@vscode/deviceid'];

/**
 * @typedef {object} EditorBuild
 * @property {string} version code-server's version
 * @property {string} node the Node that it runs on
 * @property {string} entry the program's file
 */

/**
 * The editor build, installed when it is missing (about 3 minutes on 2 cores).
 * @param {typeof say} [found] told where it is
 * @returns {Promise<EditorBuild>}
 * @throws {SetupError} on a system it does not run on, or when a step fails
 */
export async function ensureEditorBuild(found = say) {
  if (process.platform !== 'linux' || !['x64', 'arm64'].includes(process.arch))
    throw new SetupError(
      `The editor build for these tests runs on Linux (x64, arm64) only, and this is ${process.platform} ${process.arch}. ` +
        'Use `npm run test:desktop`, which runs the same suite in a desktop VS Code.',
    );
  const version = await editorVersion();
  const folder = join(cacheFolder(), `code-server-${version}`);
  if (!(await isComplete(folder)))
    await withLock(`${folder}.lock`, async () => {
      if (!(await isComplete(folder))) await install(folder, version);
    });
  found('editor', `code-server ${version} at ${folder}`);
  return describe(folder, version);
}

async function editorVersion() {
  /** @type {{ dependencies: Record<string, string> }} */
  const manifest = JSON.parse(await readFile(join(recipeFolder, 'package.json'), 'utf8'));
  return String(manifest.dependencies['code-server']);
}

/**
 * @param {string} folder
 * @param {string} version
 * @returns {EditorBuild}
 */
function describe(folder, version) {
  const modules = join(folder, 'node_modules');
  return {
    version,
    node: join(modules, `node-linux-${process.arch}`, 'bin', 'node'),
    entry: join(modules, 'code-server', 'out', 'node', 'entry.js'),
  };
}

/** @param {string} folder */
async function isComplete(folder) {
  return (await readFile(join(folder, '.complete'), 'utf8').catch(() => '')) === recipe;
}

/**
 * @param {string} folder
 * @param {string} version
 */
async function install(folder, version) {
  await ensureCompiler();
  await removeLeftovers(folder);
  const log = join(cacheFolder(), 'logs', `code-server-${version}.log`);
  await mkdir(dirname(log), { recursive: true });
  await writeFile(log, '');
  const temporary = `${folder}.installing-${String(process.pid)}`;
  await mkdir(temporary, { recursive: true });
  try {
    await cp(recipeFolder, temporary, { recursive: true });
    const build = describe(temporary, version);
    const code = join(temporary, 'node_modules', 'code-server', 'lib', 'vscode');
    const env = buildEnvironment(build.node);
    const failure = 'The VS Code build could not be installed.';
    /** @type {(cwd: string, ...args: string[]) => Promise<void>} */
    const npm = (cwd, ...args) => run('npm', args, { cwd, env, log, failure });

    say('editor', `installing code-server ${version} into ${folder} (about 3 minutes; log: ${log})`);
    await npm(temporary, 'ci', '--ignore-scripts', '--no-audit', '--no-fund');
    say('editor', 'installing the dependencies of VS Code');
    // Not `npm ci`: it refuses the published shrinkwrap, whose optional parts differ by platform.
    await npm(code, 'install', '--omit=dev', '--ignore-scripts', '--no-audit', '--no-fund');
    await npm(join(code, 'extensions'), 'install', '--omit=dev', '--ignore-scripts', '--no-audit', '--no-fund');
    say('editor', `building ${nativeModules.join(', ')}`);
    await npm(code, 'rebuild', ...nativeModules);
    const check = nativeModules.map((name) => `require(${JSON.stringify(name)})`).join(';');
    await run(build.node, ['-e', check], { cwd: code, log, failure: 'A native module of VS Code does not load.' });
    await run(build.node, [build.entry, '--version'], { cwd: temporary, log, failure: 'VS Code does not start.' });
    await writeFile(join(temporary, '.complete'), recipe);
    await rename(temporary, folder);
  } finally {
    await rm(temporary, { recursive: true, force: true });
  }
}

async function ensureCompiler() {
  const packages = { 'g++': 'g++', make: 'make', python3: 'python3' };
  const missing = Object.entries(packages).filter(([program]) => !findProgram(program));
  if (missing.length > 0)
    await installDebianPackages(
      missing.map(([, name]) => name),
      'the VS Code build (it compiles native modules)',
    );
}

/**
 * Removes an unfinished or outdated install and what a killed one left: we hold the lock, so nobody works on them.
 * @param {string} folder
 */
async function removeLeftovers(folder) {
  const prefix = `${folder}.installing-`;
  const siblings = existsSync(dirname(folder)) ? await readdir(dirname(folder)) : [];
  const leftovers = siblings.map((name) => join(dirname(folder), name)).filter((path) => path.startsWith(prefix));
  for (const path of [folder, ...leftovers]) await rm(path, { recursive: true, force: true });
}

/**
 * npm's environment for the build: the editor's own Node first on PATH, its headers for native modules (so that none are
 * downloaded), and none of the settings that an npm above us hands down, such as --ignore-scripts.
 * @param {string} node
 * @returns {NodeJS.ProcessEnv}
 */
function buildEnvironment(node) {
  const kept = /^npm_config_(.*registry|cafile|ca|.*proxy|cache|userconfig|globalconfig|strict_ssl)$/i;
  const entries = Object.entries(process.env).filter(([name]) => !/^npm_/i.test(name) || kept.test(name));
  const bin = dirname(node);
  return {
    ...Object.fromEntries(entries),
    PATH: `${bin}${delimiter}${process.env['PATH'] ?? ''}`,
    npm_config_nodedir: dirname(bin),
    JOBS: 'max',
  };
}
