// A lock between processes that set up the same thing: a folder, since making one is atomic everywhere.
// It names its owner by pid; a lock whose owner is gone is taken over, so a killed set-up blocks nobody.
import { mkdir, readFile, rm, stat, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { SetupError, say } from './say.mjs';

const ownerlessMs = 10_000; // A lock without an owner file this old was left by a process that died while making it.

/**
 * Runs the action while no other process holds the lock.
 * @template T
 * @param {string} folder the lock's path; its parent is made
 * @param {() => Promise<T>} action
 * @param {{ timeout?: number }} [options] milliseconds to wait for another owner; 30 minutes when left out
 * @returns {Promise<T>}
 * @throws {SetupError} when the other owner does not finish in time
 */
export async function withLock(folder, action, options = {}) {
  await acquire(folder, Date.now() + (options.timeout ?? 30 * 60_000));
  try {
    return await action();
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}

/**
 * @param {string} folder
 * @param {number} deadline
 */
async function acquire(folder, deadline) {
  await mkdir(dirname(folder), { recursive: true });
  let told = false;
  for (;;) {
    if (await tryMake(folder)) return;
    const owner = await ownerOf(folder);
    if (owner === 'gone') {
      await takeAway(folder);
      continue;
    }
    if (Date.now() > deadline)
      throw new SetupError(`Another set-up (process ${owner}) still holds ${folder}. End it, or remove that folder.`);
    if (!told) say('set-up', `waiting for another set-up, process ${owner}`);
    told = true;
    await pause(50);
  }
}

/**
 * Removes a lock whose owner is gone. Several may see that at once: one at a time looks again and removes, so that nobody
 * removes the lock which the next owner has just made.
 * @param {string} folder
 */
async function takeAway(folder) {
  const turn = `${folder}.turn`;
  if (!(await tryMake(turn))) {
    if ((await ageOf(turn)) > ownerlessMs) await rm(turn, { recursive: true, force: true });
    await pause(20);
    return;
  }
  try {
    if ((await ownerOf(folder)) === 'gone') await rm(folder, { recursive: true, force: true });
  } finally {
    await rm(turn, { recursive: true, force: true });
  }
}

/** @param {string} folder */
async function tryMake(folder) {
  try {
    await mkdir(folder);
  } catch (error) {
    if (error instanceof Error && 'code' in error && error.code === 'EEXIST') return false;
    throw error;
  }
  await writeFile(join(folder, 'owner'), String(process.pid));
  return true;
}

/**
 * @param {string} folder
 * @returns {Promise<string>} the owner's pid, 'gone' when no process holds the lock, 'unknown' while it is being made
 */
async function ownerOf(folder) {
  try {
    const text = await readFile(join(folder, 'owner'), 'utf8');
    if (text !== '') return isAlive(Number(text)) ? text : 'gone';
  } catch {
    // No owner file yet, or the lock was just released: its age tells.
  }
  return (await ageOf(folder)) > ownerlessMs ? 'gone' : 'unknown';
}

/**
 * @param {string} path
 * @returns {Promise<number>} milliseconds since it changed; 0 when it is not there
 */
async function ageOf(path) {
  return await stat(path).then(
    (found) => Date.now() - found.mtimeMs,
    () => 0,
  );
}

/** @param {number} pid */
function isAlive(pid) {
  try {
    process.kill(pid, 0);
    return true;
  } catch (error) {
    return error instanceof Error && 'code' in error && error.code === 'EPERM';
  }
}
