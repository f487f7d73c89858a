// Opens an address for the person at this machine, where there is a display; elsewhere does nothing.
import { spawn } from 'node:child_process';
import { findProgram } from './debian.mjs';

/**
 * @param {string} address
 * @param {string | undefined} chromium opened where the system names no browser
 */
export function openInBrowser(address, chromium) {
  if (process.env['CI'] || (!process.env['DISPLAY'] && !process.env['WAYLAND_DISPLAY'])) return;
  const opener = findProgram('xdg-open');
  const asRoot = process.getuid?.() === 0 ? ['--no-sandbox'] : [];
  const [command, args] = opener ? [opener, [address]] : [chromium, [...asRoot, address]];
  if (command === undefined) return;
  // It may fail for reasons of its own; the address is on the screen.
  spawn(command, args, { stdio: 'ignore', detached: true })
    .on('error', () => undefined)
    .unref();
}
