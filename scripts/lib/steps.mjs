// The steps of a test run. A check passes by its exit code; a suite writes its totals, and fails once more where it dies
// without them or leaves something behind; steps beside each other run two at a time.
import { spawn } from 'node:child_process';
import { mkdir, mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { leftovers } from './leftovers.mjs';
import { repository } from './places.mjs';

/**
 * @typedef {{ readonly passed: number, readonly failed: number, readonly skipped: readonly string[] }} Totals
 * @typedef {(text: string) => void} Say
 * @typedef {{ readonly title: string, readonly run: (say: Say) => Promise<Totals> }} Step
 */

/**
 * @param {string} title
 * @param {string} command
 * @param {readonly string[]} args
 * @returns {Step}
 */
export function check(title, command, args) {
  return {
    title,
    run: async (say) => {
      const failed = (await run(command, args, say)) === 0 ? 0 : 1;
      return { passed: 1 - failed, failed, skipped: [] };
    },
  };
}

/**
 * Runs with a temporary folder of its own.
 * @param {string} title
 * @param {string} command
 * @param {readonly string[]} args
 * @returns {Step}
 */
export function suite(title, command, args) {
  return {
    title,
    run: async (say) => {
      const folder = await mkdtemp(join(tmpdir(), 'rh-'));
      const file = join(folder, 'totals.json');
      const own = join(folder, 'tmp');
      await mkdir(own);
      const code = await run(command, args, say, { TOTALS_FILE: file, TMPDIR: own, TMP: own, TEMP: own });
      const read = await readFile(file, 'utf8').then(
        (text) => /** @type {Totals} */ (JSON.parse(text)),
        () => undefined,
      );
      const left = await lastLeftovers(own);
      for (const what of left) say(`Left behind by the ${title}: ${what}\n`);
      await rm(folder, { recursive: true, force: true, maxRetries: 5 });
      const died = read === undefined || (code !== 0 && read.failed === 0);
      const more = (died ? 1 : 0) + (left.length > 0 ? 1 : 0);
      const skipped = (read?.skipped ?? []).map((name) => `${title}: ${name}`);
      return { passed: read?.passed ?? 0, failed: (read?.failed ?? 0) + more, skipped };
    },
  };
}

/**
 * Runs the steps, each with its title above its words and its seconds below; of one that runs beside another it is said
 * that it started, and its words come together, when it has ended.
 * @param {readonly (Step | readonly Step[])[]} steps those of an inner list run beside each other, two at a time
 * @param {Say} [say] where words go
 * @returns {Promise<Totals & { readonly seconds: readonly string[] }>} of all
 */
export async function runSteps(steps, say = (text) => void process.stdout.write(text)) {
  const seconds = /** @type {string[]} */ ([]);
  const totals = { passed: 0, failed: 0, skipped: /** @type {string[]} */ ([]) };
  /** @type {(step: Step, say: Say) => Promise<void>} */
  const take = async (step, own) => {
    const start = Date.now();
    own(`\n# ${step.title}\n`);
    const { passed, failed, skipped } = await step.run(own);
    totals.passed += passed;
    totals.failed += failed;
    totals.skipped.push(...skipped);
    const took = `${((Date.now() - start) / 1000).toFixed(1)} s`;
    const end = failed > 0 ? ` (${String(failed)} failed)` : '';
    own(`# ${step.title}: ${took}${end}\n`);
    seconds.push(`${took} ${step.title}${end}`);
  };
  for (const step of steps) {
    if (!Array.isArray(step)) await take(/** @type {Step} */ (step), say);
    else await Promise.all([1, 2].map(async () => takeTurns(/** @type {Step[]} */ (step))));
  }
  return { ...totals, seconds };

  async function takeTurns(/** @type {Step[]} */ waiting) {
    for (let step = waiting.shift(); step !== undefined; step = waiting.shift()) {
      /** @type {string[]} */
      const words = [];
      say(`# ${step.title}: started\n`);
      await take(step, (text) => void words.push(text));
      say(words.join(''));
    }
  }
}

/**
 * @template T
 * @param {readonly T[]} all
 * @returns {readonly [T[], T[]]} every other one, and the rest
 */
export function halves(all) {
  return [all.filter((_, place) => place % 2 === 0), all.filter((_, place) => place % 2 === 1)];
}

/**
 * What has just been told to end gets a moment for it.
 * @param {string} folder
 */
async function lastLeftovers(folder) {
  for (let look = 0; look < 100 && leftovers(folder).length > 0; look += 1) await delay(100);
  return leftovers(folder);
}

/**
 * @param {string} command
 * @param {readonly string[]} args
 * @param {Say} say
 * @param {NodeJS.ProcessEnv} [env]
 * @returns {Promise<number>} the exit code
 */
function run(command, args, say, env = {}) {
  const child = spawn(command, args, {
    cwd: repository,
    stdio: ['ignore', 'pipe', 'pipe'],
    env: { ...process.env, ...env },
    shell: process.platform === 'win32',
  });
  for (const stream of [child.stdout, child.stderr]) stream.setEncoding('utf8').on('data', say);
  return new Promise((resolve) => {
    child.once('error', (error) => {
      say(`${error.message}\n`);
      resolve(1);
    });
    child.once('exit', (code) => resolve(code ?? 1));
  });
}
