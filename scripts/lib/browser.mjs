// Starts Chromium for tests and screenshots.
import { chromium } from 'playwright-core';

// No sandbox: Chromium refuses its own as root, as containers run. The rest keeps it from the network and from the GPU.
const flags = [
  '--no-sandbox',
  '--disable-gpu',
  '--disable-quic',
  '--no-first-run',
  '--disable-background-networking',
  '--disable-component-update',
  '--disable-sync',
];

/**
 * @param {string} executablePath
 * @param {{ headless?: boolean }} [options]
 */
export function launchBrowser(executablePath, options = {}) {
  return chromium.launch({
    executablePath,
    args: flags,
    headless: options.headless ?? true,
    // Its handlers would keep a run alive that was told to end; the browser ends with the pipe to it.
    handleSIGINT: false,
    handleSIGTERM: false,
    handleSIGHUP: false,
  });
}
