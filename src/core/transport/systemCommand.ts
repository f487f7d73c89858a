// Runs a command of the system itself (ps, taskkill, powershell) by its full path: bounded in time and output, with an
// environment of its own. Answers what it printed, whatever its exit code; fails where it did not run, did not end in
// time or printed too much: what a part of a listing does not show may be there all the same.
import { execFile } from 'node:child_process';
import { limits } from '../limits.ts';
import { CannotLook } from './processTable.ts';

export function systemCommand(file: string, args: readonly string[]): Promise<string> {
  const { command: timeout, output: maxBuffer } = limits.processTable;
  const { SystemRoot, TEMP } = process.env;
  // One language and one time zone, so that dates can be read.
  const env = {
    LC_ALL: 'C',
    TZ: 'UTC',
    ...(SystemRoot !== undefined && { SystemRoot }),
    ...(TEMP !== undefined && { TEMP }),
  };
  return new Promise((resolve, reject) => {
    execFile(file, args, { env, timeout, maxBuffer, killSignal: 'SIGKILL', windowsHide: true }, (error, stdout) => {
      // Its own exit code is a number; without one it was not found, killed, or cut.
      if (error !== null && typeof error.code !== 'number') reject(new CannotLook(`${file} failed`, { cause: error }));
      else resolve(stdout);
    });
  });
}
