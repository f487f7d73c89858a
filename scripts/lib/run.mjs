// Runs a command of the set-up to its end, with its output in a log file and a failure that quotes the log's end.
import { spawn } from 'node:child_process';
import { createWriteStream } from 'node:fs';
import { readFile, mkdir } from 'node:fs/promises';
import { dirname } from 'node:path';
import { once } from 'node:events';
import { SetupError } from './say.mjs';

/**
 * @typedef {object} RunOptions
 * @property {string} [cwd]
 * @property {NodeJS.ProcessEnv} [env] the whole environment of the child
 * @property {string} [log] file that takes stdout and stderr; without it they go to the terminal
 * @property {string} [failure] the sentence said when the command fails
 * @property {number} [timeout] milliseconds; 20 minutes when left out
 */

/**
 * Resolves when the command exited with 0.
 * @param {string} command
 * @param {readonly string[]} args
 * @param {RunOptions} [options]
 * @throws {SetupError} when it cannot start, fails, or outlives its time
 */
export async function run(command, args, options = {}) {
  const { cwd, env = process.env, log, failure, timeout = 20 * 60_000 } = options;
  if (log) await mkdir(dirname(log), { recursive: true });
  const sink = log ? createWriteStream(log, { flags: 'a' }) : undefined;
  sink?.write(`$ ${command} ${args.join(' ')}\n`);
  const child = spawn(command, args, {
    cwd,
    env,
    stdio: sink ? ['ignore', 'pipe', 'pipe'] : ['ignore', 'inherit', 'inherit'],
    timeout,
    // npm is npm.cmd on Windows, which only a shell can start; our arguments there are our own constants.
    shell: process.platform === 'win32' && !command.endsWith('.exe'),
  });
  child.stdout?.on('data', (chunk) => sink?.write(chunk));
  child.stderr?.on('data', (chunk) => sink?.write(chunk));
  /** @type {string} */
  let end;
  try {
    const [code, signal] = /** @type {[number | null, string | null]} */ (await once(child, 'close'));
    end = code === 0 ? '' : signal ? `was ended by ${signal}` : `ended with exit code ${String(code)}`;
  } catch (error) {
    end = `could not start: ${error instanceof Error ? error.message : String(error)}`;
  }
  if (sink) await new Promise((done) => sink.end(done));
  if (end === '') return;
  const tail = log ? `\nThe last lines of ${log}:\n${await lastLines(log, 25)}` : '';
  throw new SetupError(`${failure ? `${failure} ` : ''}(${command} ${args.join(' ')} ${end}.)${tail}`);
}

/**
 * The file's last lines, or a word about why there are none.
 * @param {string} file
 * @param {number} count
 */
export async function lastLines(file, count) {
  try {
    return (await readFile(file, 'utf8')).trimEnd().split('\n').slice(-count).join('\n');
  } catch {
    return '(no log)';
  }
}
