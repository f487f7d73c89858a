// Runs one command and ends it with everything it started when our stdin ends: by a stop, or by our owner's death,
// however that came. So a killed test run leaves no editor behind. Speaks JSON lines on stdout to guardedProcess.mjs.
import { spawn } from 'node:child_process';
import { openSync, rmSync } from 'node:fs';
import { once } from 'node:events';
import { setTimeout as pause } from 'node:timers/promises';
import { processesBelow, stillRuns } from './processTree.mjs';

/** @type {import('./guardedProcess.mjs').GuardOrder} */
const order = JSON.parse(process.argv[2] ?? '');
const log = openSync(order.log, 'a');

// Ctrl-C reaches the whole terminal group; the owner decides what it means and closes our stdin.
for (const signal of /** @type {const} */ (['SIGINT', 'SIGTERM', 'SIGHUP'])) process.on(signal, () => undefined);

const child = spawn(order.command, order.args, {
  cwd: order.cwd,
  stdio: ['ignore', log, log],
  detached: process.platform !== 'win32',
  windowsHide: true,
});
child.on('spawn', () => tell({ kind: 'started', pid: child.pid ?? 0 }));
child.on('error', (error) => tell({ kind: 'exited', reason: `could not start: ${error.message}` }));
child.on('exit', (code, signal) =>
  tell({ kind: 'exited', reason: signal ? `was ended by ${signal}` : `ended with exit code ${String(code)}` }),
);
process.stdin.resume();
process.stdin.on('end', () => void end());
process.stdin.on('error', () => void end());
process.stdout.on('error', () => undefined); // The owner is gone: there is nobody to tell, the stop goes on.

async function end() {
  if (child.pid !== undefined) await stop(child.pid);
  if (order.folder) rmSync(order.folder, { recursive: true, force: true, maxRetries: 10, retryDelay: 50 });
  process.exit(0);
}

/** @param {number} pid */
async function stop(pid) {
  if (process.platform === 'win32') {
    await once(spawn('taskkill', ['/pid', String(pid), '/T', '/F'], { stdio: 'ignore' }), 'close');
    return;
  }
  const roots = [pid, process.pid];
  const known = processesBelow(roots, order.mark);
  signalOf(pid, 'SIGTERM');
  const deadline = Date.now() + order.graceMs;
  const living = () => [...known, ...processesBelow(roots, order.mark)].filter(stillRuns);
  while (Date.now() < deadline && (child.exitCode === null && child.signalCode === null ? true : living().length > 0))
    await pause(20);
  const leftovers = living();
  signalOf(pid, 'SIGKILL');
  signalOf(-pid, 'SIGKILL'); // What stayed in its group, also where there is no /proc.
  for (const { pid } of leftovers) signalOf(pid, 'SIGKILL');
  tell({ kind: 'stopped', leftovers: [...new Set(leftovers.map(({ pid, command }) => `${String(pid)} ${command}`))] });
}

/**
 * @param {number} pid
 * @param {NodeJS.Signals} signal
 */
function signalOf(pid, signal) {
  try {
    process.kill(pid, signal);
  } catch {
    // Already gone.
  }
}

/** @param {import('./guardedProcess.mjs').GuardMessage} message */
function tell(message) {
  process.stdout.write(`${JSON.stringify(message)}\n`);
}
