import assert from 'node:assert/strict';
import type { OpenedPage } from './pages.ts';

/** What a server may call a tool: markup, links, a script, and characters that hide or turn others. */
export const hostile = `<img src="https://evil.example/x" onerror="alert(1)"> [a](javascript:alert(2)) \u202Edesrever\u200B <script>alert(3)</script>`;

/** The page shows `hostile` as text, with what is hidden in it, and neither runs nor fetches anything of it. */
export async function assertInert(
  { page, strays }: Pick<OpenedPage, 'page' | 'strays'>,
  more = '', // What a list that is closed would say.
): Promise<void> {
  const body = page.locator('body');
  assert.equal(await body.locator('a, img, iframe, object, svg, form').count(), 0);
  assert.equal(await body.locator('script').count(), 1);
  const text = `${await body.innerText()}\n${more}`;
  assert.match(text, /<img src="https:\/\/evil\.example\/x" onerror="alert\(1\)">/);
  assert.match(text, /\[U\+202E\]/);
  assert.doesNotMatch(text, /[\u202E\u200B]/);
  await page.waitForLoadState('networkidle');
  assert.deepEqual(strays, []);
}
