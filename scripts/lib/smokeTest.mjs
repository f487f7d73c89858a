// Looks whether `npm start` brought up what it promises: the workbench, with the MCP view in the Explorer.
import { mkdir } from 'node:fs/promises';
import { dirname } from 'node:path';
import { launchBrowser } from './browser.mjs';

/**
 * @param {{ chromium: string, address: string, picture: string, servers: boolean }} options picture: the screenshot's file;
 *   servers: whether the folder has servers, which must be listed then
 * @throws {Error} when something is missing after a minute
 */
export async function smokeTest({ chromium, address, picture, servers }) {
  const browser = await launchBrowser(chromium);
  try {
    const page = await browser.newPage({ viewport: { width: 1280, height: 800 } });
    page.setDefaultTimeout(60_000);
    await page.goto(address);
    const section = page.getByRole('button', { name: 'MCP Section', exact: true });
    await section.waitFor();
    if ((await section.getAttribute('aria-expanded')) !== 'true') await section.click();
    const row = page.getByRole('tree', { name: 'MCP', exact: true }).getByRole('treeitem').first();
    await (servers ? row : row.or(page.locator('.welcome-view-content')).first()).waitFor();
    await mkdir(dirname(picture), { recursive: true });
    await page.screenshot({ path: picture });
    await page.close();
  } finally {
    await browser.close();
  }
}
