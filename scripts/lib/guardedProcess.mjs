// A long-running program that ends, with all it started, when it is stopped or when this process dies in any way.
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { processesBelow } from './processTree.mjs';
import { SetupError } from './say.mjs';

/**
 * @typedef {object} GuardOrder
 * @property {string} command
 * @property {readonly string[]} args
 * @property {string | undefined} cwd
 * @property {string} log the file that takes its output
 * @property {string} [folder] a folder of its own, removed after its end
 * @property {string} mark NAME=VALUE in its environment, by which orphans are found
 * @property {number} graceMs from the request to end until it is forced
 */

/**
 * @typedef {{ kind: 'started', pid: number } | { kind: 'exited', reason: string } | { kind: 'stopped', leftovers: string[] }} GuardMessage
 */

/**
 * @typedef {object} GuardedProcess
 * @property {number} pid the program's
 * @property {() => import('./processTree.mjs').ProcessEntry[]} below the living processes it started, whoever owns them now
 * @property {() => string | undefined} ended why it ended by itself, or undefined while it runs
 * @property {Promise<string>} exited settles with the reason when it ends, by a stop or by itself
 * @property {() => Promise<string[]>} stop ends it; answers "PID COMMAND" of each process that had to be killed
 */

/**
 * Starts a program under a guard.
 * @param {Omit<GuardOrder, 'mark' | 'graceMs'> & { env: NodeJS.ProcessEnv, graceMs?: number }} options
 * @returns {Promise<GuardedProcess>}
 * @throws {SetupError} when it cannot be started
 */
export async function startGuarded(options) {
  const { command, args, cwd, log, folder, env, graceMs = 8_000 } = options;
  const name = 'ROUNDHOUSE_HARNESS_RUN';
  const value = `${String(process.pid)}-${String(Date.now())}-${String(Math.random()).slice(2)}`;
  /** @type {GuardOrder} */
  const order = { command, args, cwd, log, ...(folder && { folder }), mark: `${name}=${value}`, graceMs };
  const guard = spawn(process.execPath, [join(import.meta.dirname, 'guard.mjs'), JSON.stringify(order)], {
    env: { ...env, [name]: value },
    stdio: ['pipe', 'pipe', 'inherit'],
  });
  guard.stdin.on('error', () => undefined); // The guard is gone; its exit says so.
  /** @type {string | undefined} */
  let reason;
  /** @type {string[]} */
  let leftovers = [];
  /** @type {(why: string) => void} */
  let exit = () => undefined;
  /** @type {Promise<string>} */
  const exited = new Promise((resolve) => (exit = resolve));
  /** @type {Promise<number>} */
  const started = new Promise((resolve, reject) => {
    createInterface(guard.stdout).on('line', (line) => {
      /** @type {GuardMessage} */
      const message = JSON.parse(line);
      switch (message.kind) {
        case 'started':
          return resolve(message.pid);
        case 'exited':
          reason = message.reason;
          reject(new SetupError(`${command} ${reason}.`));
          return exit(reason);
        case 'stopped':
          leftovers = message.leftovers;
          return;
      }
    });
  });
  const closed = once(guard, 'close').then(() => exit((reason ??= 'ended')));
  /** @type {number} */
  let pid;
  try {
    pid = await started;
  } catch (error) {
    guard.stdin.end();
    await closed;
    throw error;
  }
  return {
    pid,
    below: () => processesBelow([pid], order.mark).filter((entry) => entry.pid !== guard.pid),
    ended: () => reason,
    exited,
    stop: async () => {
      guard.stdin.end();
      await closed;
      return leftovers;
    },
  };
}
