// Installs the locked packages when they are missing or older than the lock file.
import { spawnSync } from 'node:child_process';
import { existsSync, lstatSync, statSync } from 'node:fs';
import { join } from 'node:path';

/** @param {string} root the repository's root */
export function ensureDependencies(root) {
  const stamp = join(root, 'node_modules', '.package-lock.json');
  const lock = join(root, 'package-lock.json');
  if (existsSync(stamp) && statSync(stamp).mtimeMs >= statSync(lock).mtimeMs) return;
  // npm ci would empty the folder that the link leads to, which is another's.
  if (lstatSync(join(root, 'node_modules'), { throwIfNoEntry: false })?.isSymbolicLink() === true) {
    throw new Error('node_modules is a link, and older than the lock file: install where it leads to, or remove it.');
  }
  console.log('Installing the locked packages (npm ci) …');
  // Install scripts are not needed: what runs here is shipped ready, and the less runs at install the better.
  const npm = process.platform === 'win32' ? 'npm.cmd' : 'npm';
  const { status } = spawnSync(npm, ['ci', '--ignore-scripts', '--no-audit', '--no-fund'], {
    cwd: root,
    stdio: ['ignore', 'inherit', 'inherit'],
    shell: process.platform === 'win32',
  });
  if (status !== 0) throw new Error('npm ci failed; see above.');
}
