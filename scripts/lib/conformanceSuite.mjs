// The official conformance suite as the scripts run it: the Node that it needs, what it requires, one run of it.
import { build } from 'esbuild';
import { spawn } from 'node:child_process';
import { join } from 'node:path';
import { ensureEditorBuild } from './editorBuild.mjs';
import { repository } from './places.mjs';
import { SetupError } from './say.mjs';

/** The revisions whose frozen requirement sets are run. */
export const revisions = ['2025-11-25', '2026-07-28'];

/** What the scripts build and write for the suite. */
export const conformanceFolder = join(repository, 'out', 'conformance');

const suite = join(repository, 'node_modules', '@modelcontextprotocol', 'conformance', 'dist', 'index.js');

/**
 * Builds a program that the suite runs, into one file.
 * @param {string} entry below the repository
 * @param {string} outfile
 */
export async function bundleForSuite(entry, outfile) {
  await build({
    entryPoints: [join(repository, entry)],
    outfile,
    bundle: true,
    platform: 'node',
    target: 'node20.19',
    format: 'esm',
    mainFields: ['module', 'main'],
    banner: {
      js: "import { createRequire as __createRequire } from 'node:module'; const require = __createRequire(import.meta.url);",
    },
    logLevel: 'warning',
  });
}

/** The suite needs Node 22 or newer; where this one is older, the editor build brings one. */
export async function newerNode() {
  if (Number(process.versions.node.split('.')[0]) >= 22) return process.execPath;
  return (await ensureEditorBuild()).node;
}

/**
 * Scenarios of one requirement set: those that count, and those that are only run.
 * @param {string} node
 * @param {string} revision
 * @param {'client' | 'server'} side
 */
export async function scenariosOf(node, revision, side) {
  const { code, text } = await runSuite(node, ['list', '--requirements', revision], { timeout: 30_000 });
  if (code !== 0) throw new SetupError(`The conformance suite did not list ${revision}:\n${text}`);
  const [required = '', rest = ''] = text.split('Run and reported, but never scored:');
  const [servers = '', clients = ''] = required.split('Client scenarios');
  const scored = [...(side === 'client' ? clients : servers).matchAll(/^ +- (\S+)/gm)].map(([, name = '']) => name);
  const unscored = [...rest.matchAll(/^ +- (\S+) \[(\w+)\]/gm)]
    .filter(([, , of]) => of === side)
    .map(([, name = '']) => name);
  return { scored, unscored };
}

/**
 * Runs the suite once; `timeout`, in milliseconds, ends it.
 * @param {string} node
 * @param {readonly string[]} args
 * @param {{ timeout: number }} options
 * @returns {Promise<{ code: number | null, text: string }>}
 */
export function runSuite(node, args, { timeout }) {
  return new Promise((resolve, reject) => {
    const child = spawn(node, [suite, ...args], { cwd: repository, stdio: ['ignore', 'pipe', 'pipe'], timeout });
    let text = '';
    for (const stream of [child.stdout, child.stderr]) stream.on('data', (chunk) => (text += chunk));
    child.once('error', reject);
    child.once('close', (code) => resolve({ code, text }));
  });
}
