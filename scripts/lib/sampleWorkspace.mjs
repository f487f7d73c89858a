// The workspace that `npm start` opens: a copy of fixtures/workspace, so that what a person does there changes no repository,
// with the published servers of our own node_modules, and the one HTTP server that it names running beside the editor.
import { cp, mkdtemp, readFile, realpath, symlink, writeFile } from 'node:fs/promises';
import { once } from 'node:events';
import { createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { pathToFileURL } from 'node:url';
import { startGuarded } from './guardedProcess.mjs';
import { repository } from './places.mjs';
import { lastLines } from './run.mjs';
import { SetupError } from './say.mjs';

const everything = join(repository, 'node_modules', '@modelcontextprotocol', 'server-everything', 'dist', 'index.js');
const startMs = 30_000;

/**
 * User settings of the sample's editor: its HTTP server can be tried, the explorer shows what is the person's, and a file is
 * saved when the person saves it: a half-written configuration is no configuration.
 */
export const sampleSettings = {
  'roundhouse.remote.enabled': true,
  'files.autoSave': 'off',
  'files.exclude': { node_modules: true },
  'workbench.startupEditor': 'readme',
};

/**
 * Makes the copy and starts its HTTP server.
 * @returns {Promise<{ folder: string, stop: () => Promise<void> }>}
 * @throws {SetupError} when the server does not come up in 30 s
 */
export async function openSampleWorkspace() {
  const base = await realpath(await mkdtemp(join(tmpdir(), 'roundhouse-')));
  const folder = join(base, 'sample');
  const port = await freePort();
  await cp(join(repository, 'fixtures', 'workspace'), folder, { recursive: true });
  await symlink(join(repository, 'node_modules'), join(folder, 'node_modules'), 'junction');
  const config = join(folder, '.roundhouse', 'mcp.json');
  await writeFile(config, (await readFile(config, 'utf8')).replace('127.0.0.1:3001', `127.0.0.1:${String(port)}`));
  const log = join(base, 'everything-http.log');
  const server = await startGuarded({
    command: process.execPath,
    args: ['--import', pathToFileURL(join(import.meta.dirname, 'loopbackOnly.mjs')).href, everything, 'streamableHttp'],
    cwd: base,
    log,
    folder: base,
    env: { ...process.env, PORT: String(port) },
  });
  const stop = async () => {
    await server.stop();
  };
  const url = `http://127.0.0.1:${String(port)}/mcp`;
  for (const deadline = Date.now() + startMs; !(await answers(url)); await pause(50))
    if (Date.now() > deadline || server.ended() !== undefined) {
      const text = await lastLines(log, 10);
      await stop();
      throw new SetupError(`The sample HTTP server ${server.ended() ?? 'did not answer in time'}:\n${text}`);
    }
  return { folder, stop };
}

async function freePort() {
  const server = createServer().listen(0, '127.0.0.1');
  await once(server, 'listening');
  const address = server.address();
  server.close();
  await once(server, 'close');
  return typeof address === 'object' && address ? address.port : 0;
}

/** @param {string} url */
async function answers(url) {
  try {
    await fetch(url, { signal: AbortSignal.timeout(2_000) }); // Any status: it listens.
    return true;
  } catch {
    return false;
  }
}
