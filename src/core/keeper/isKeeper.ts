// Whether a process runs the keeper's program: asked before one is ended that does not answer. A file that names another
// process as the keeper must not get that one killed.
import { execFile } from 'node:child_process';
import { readFile } from 'node:fs/promises';
import { win32 } from 'node:path';
import { promisify } from 'node:util';

/** False also where the system does not tell. */
export async function isKeeper(pid: number, platform: NodeJS.Platform = process.platform): Promise<boolean> {
  return runsKeeper(await commandLineOf(pid, platform).catch(() => ''));
}

/** The program has one name in all versions. `line`: arguments with spaces or zeros between them. */
export function runsKeeper(line: string): boolean {
  const at = line.search(/[/\\]keeper\.js["\0 ]/);
  return at >= 0 && /["\0 ]--idle-seconds["\0 ]/.test(line.slice(at));
}

const execute = promisify(execFile);
const options = { timeout: 5_000, windowsHide: true, env: { LC_ALL: 'C' } };

async function commandLineOf(pid: number, platform: NodeJS.Platform): Promise<string> {
  if (platform === 'linux') return readFile(`/proc/${pid}/cmdline`, 'utf8');
  if (platform !== 'win32')
    return (await execute('/bin/ps', ['-ww', '-o', 'command=', '-p', String(pid)], options)).stdout;
  const system = win32.join(process.env['SystemRoot'] ?? 'C:\\Windows', 'System32');
  const powershell = win32.join(system, 'WindowsPowerShell', 'v1.0', 'powershell.exe');
  const script = `(Get-CimInstance Win32_Process -Filter 'ProcessId=${pid}').CommandLine`;
  const { stdout } = await execute(powershell, ['-NoProfile', '-NonInteractive', '-Command', script], {
    ...options,
    env: process.env,
  });
  return stdout;
}
