// Runs a command of the system itself (ps, taskkill, powershell) by its full path: bounded in time and output, with an
// environment of its own. Answers what it printed, whatever its exit code; an empty text where it did not run.
import { execFile } from 'node:child_process';
import { limits } from '../limits.ts';

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
  return new Promise((resolve) => {
    execFile(file, args, { env, timeout, maxBuffer, killSignal: 'SIGKILL', windowsHide: true }, (_, stdout) => {
      resolve(stdout);
    });
  });
}
