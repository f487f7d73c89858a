import assert from 'node:assert/strict';
import { after, before, describe, it } from 'mocha';
import type { JsonValue } from '../../src/contract/json.ts';
import type { ResultView } from '../../src/contract/pageMessages.ts';
import { resultView } from '../../src/vscode/results/resultView.ts';
import { english } from '../../src/vscode/translate.ts';
import { eventually } from '../support/eventually.ts';
import { type OpenedPage, Pages, type Theme } from '../support/pages.ts';
import { assertInert, hostile } from '../support/hostilePage.ts';
import { patience } from '../support/patience.ts';

const png = 'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==';

function view(content: readonly JsonValue[], more: Record<string, JsonValue> = {}): ResultView {
  return resultView({ content, ...more }, { server: 'demo', tool: 'show', milliseconds: 12 }, english);
}

const everyKind = view(
  [
    { type: 'text', text: 'plain' },
    { type: 'text', text: '{"a":1}' },
    { type: 'image', mimeType: 'image/png', data: png },
    { type: 'audio', mimeType: 'audio/wav', data: 'UklGRiQAAABXQVZF' },
    { type: 'resource_link', uri: 'demo://notes', name: 'Notes', description: 'All notes' },
    { type: 'resource', resource: { uri: 'demo://text', mimeType: 'text/plain', text: 'embedded' } },
    { type: 'resource', resource: { uri: 'demo://zip', mimeType: 'application/zip', blob: 'AAAA' } },
    { type: 'hologram' },
  ],
  { isError: true, structuredContent: { total: 3 } },
);

describe('the page of a result', () => {
  let pages: Pages;
  before(async () => {
    pages = await Pages.start('result');
  });
  after(() => pages.stop());
  const open = async (
    options?: Parameters<Pages['open']>[0],
  ): Promise<OpenedPage & { readonly show: (result: ResultView) => Promise<void> }> => {
    const opened = await pages.open(options);
    return { ...opened, show: (result) => opened.post({ type: 'show', result }) };
  };

  it('shows every kind of content, the failure and the structured content [TOOL-5a]', async () => {
    const { page, show, strays } = await open();
    await show(everyKind);
    assert.equal(await page.getByRole('heading', { level: 1 }).innerText(), 'show');
    assert.match(await page.getByRole('alert').innerText(), /show.*demo/);
    assert.deepEqual(await page.locator('pre').allInnerTexts(), [
      'plain',
      '{\n  "a": 1\n}',
      'embedded',
      '{\n  "type": "hologram"\n}',
      '{\n  "total": 3\n}',
    ]);
    const image = page.getByRole('img');
    assert.equal(await image.evaluate((element: HTMLImageElement) => element.naturalWidth), 1);
    assert.equal(await page.locator('audio[controls]').count(), 1);
    assert.ok(await page.getByText('demo://notes').isVisible());
    assert.deepEqual(strays, []);
    await page.close();
  });

  it('shows a malformed result as it came, and says that it is malformed', async () => {
    const { page, show } = await open();
    const facts = { server: 'demo', tool: 'show', milliseconds: 12 };
    await show(resultView({ content: { text: hostile } }, facts, english));
    assert.match(await page.getByRole('heading', { level: 2 }).innerText(), /^Malformed result: .* not a list/);
    const sent = await page.locator('pre').innerText();
    assert.match(sent, /"text": "<img src=.*\[U\+202E\]desrever/);
    assert.equal(await page.getByText('The tool returned nothing.').count(), 0);
    await page.close();
  });

  it('says so when a tool returned nothing', async () => {
    const { page, show } = await open();
    await show(view([]));
    assert.ok(await page.getByText('The tool returned nothing.').isVisible());
    await page.close();
  });

  it('keeps hostile content inert and visible, wherever it stands [UI-1h]', async () => {
    const { page, show, strays } = await open();
    const name = hostile;
    const content = [
      { type: 'text', text: hostile },
      { type: 'resource_link', uri: `javascript:alert(1)//${hostile}`, name, description: hostile },
      { type: 'resource', resource: { uri: hostile, mimeType: hostile, text: hostile } },
      { type: 'image', mimeType: 'image/svg+xml', data: btoa('<svg onload="alert(1)"/>') },
      { type: hostile },
    ];
    const shown = view(content, { structuredContent: { [hostile]: hostile } });
    await show({ ...shown, tool: hostile, server: hostile, failure: hostile });
    await assertInert({ page, strays });
    await page.close();
  });

  it('runs no script but its own, even if one got in', async () => {
    const { page, show, strays } = await open();
    await show(view([]));
    await page.evaluate(() => {
      const box = document.createElement('div');
      box.innerHTML = '<img src="data:image/png;base64,broken" onerror="globalThis.ran = true">';
      const script = document.createElement('script');
      script.textContent = 'globalThis.ran = true';
      document.body.append(box, script);
    });
    await eventually(() => strays.length >= 2, patience, 'both refusals of the policy');
    assert.equal(await page.evaluate(() => (globalThis as { ran?: boolean }).ran), undefined);
    assert.ok(
      strays.every((stray) => stray.includes('Content Security Policy')),
      strays.join('\n'),
    );
    await page.close();
  });

  it('drops messages that are not what was agreed, and keeps what it shows', async () => {
    const { page, show, post } = await open();
    await show(view([{ type: 'text', text: 'kept' }]));
    const odd: unknown[] = [
      null,
      'show',
      { type: 'show' },
      { type: 'show', result: { ...view([]), blocks: 'x' } },
      { type: 'show', result: { ...view([]), blocks: [{ kind: 'image', mimeType: 'image/svg+xml', base64: 'AAAA' }] } },
      { type: 'run', command: 'rm' },
    ];
    for (const message of odd) await post(message);
    assert.deepEqual(await page.locator('pre').allInnerTexts(), ['kept']);
    await page.close();
  });

  it('replaces the whole page by a newer result', async () => {
    const { page, show } = await open();
    await show(everyKind);
    await show(view([{ type: 'text', text: 'newer' }]));
    assert.deepEqual(await page.locator('pre').allInnerTexts(), ['newer']);
    assert.equal(await page.getByRole('alert').count(), 0);
    await page.close();
  });

  it('is used by keyboard alone: every action is reached, acts on Enter and is told to a screen reader', async () => {
    const { page, show, sent } = await open();
    await show(
      view([
        { type: 'text', text: 'first' },
        { type: 'resource_link', uri: 'demo://notes', name: 'Notes' },
      ]),
    );
    const reached: string[] = [];
    for (let presses = 0; presses < 5; presses += 1) {
      await page.keyboard.press('Tab');
      reached.push(
        await page.evaluate(
          () => document.activeElement?.getAttribute('aria-label') ?? document.activeElement?.textContent ?? '',
        ),
      );
      await page.keyboard.press('Enter');
    }
    assert.deepEqual(reached.slice(0, 4), ['Open as JSON', 'first', 'Copy', 'Read: Notes']);
    assert.deepEqual(await sent(), [
      { type: 'ready' },
      { type: 'openAsJson' },
      { type: 'copy', block: 0 },
      { type: 'read', block: 1 },
    ]);
    assert.equal(await page.getByRole('status').textContent(), 'Copied');
    await page.close();
  });

  it('shows the beginning of a very long text first, and all of it when asked', async () => {
    const { page, show } = await open();
    await show(view([{ type: 'text', text: `${'x'.repeat(300_000)}end` }]));
    const box = page.locator('pre');
    assert.equal((await box.textContent())!.length, 200_000);
    await page.getByRole('button', { name: 'Show All' }).click();
    assert.match((await box.textContent())!, /end$/);
    assert.equal(await page.getByRole('button', { name: 'Show All' }).count(), 0);
    await page.close();
  });

  for (const theme of ['light', 'dark', 'highContrast'] satisfies Theme[]) {
    for (const width of [900, 280]) {
      it(`breaks no rule of accessibility in ${theme} at ${width} pixels, and needs no sideways scrolling`, async () => {
        const { page, show, violations, overflow } = await open({ theme, width });
        await show(everyKind);
        assert.deepEqual(await violations(), []);
        const sideways = await overflow();
        assert.ok(sideways <= 0, `${sideways} pixels too wide`);
        await page.screenshot({ path: `out/screenshots/result-${theme}-${width}.png`, fullPage: true });
        await page.close();
      });
    }
  }
});
