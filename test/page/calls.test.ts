import assert from 'node:assert/strict';
import { after, before, describe, it } from 'mocha';
import type { CallsView } from '../../src/contract/callsMessages.ts';
import type { ServerId } from '../../src/contract/serverConfig.ts';
import type { ServerKey } from '../../src/core/config/model.ts';
import type { RecordedCall } from '../../src/core/tools/recentCalls.ts';
import { callsView, type JournalShown } from '../../src/vscode/calls/callsView.ts';
import { english } from '../../src/vscode/translate.ts';
import { type OpenedPage, Pages, type Theme } from '../support/pages.ts';
import { assertInert, hostile } from '../support/hostilePage.ts';

let number = 0;
function recorded(tool: string, more: Partial<RecordedCall> = {}): RecordedCall {
  number += 1;
  return {
    id: `test-${number}`,
    startedAt: Date.now() + number,
    server: 'user:demo' as ServerKey,
    serverId: 'demo' as ServerId,
    scope: { kind: 'user' },
    tool,
    caller: { kind: 'tree', name: 'you' },
    decision: 'allow',
    argumentSize: 40,
    end: { outcome: 'completed', duration: 35, resultSize: 2_048 },
    ...more,
  };
}

const shop = { serverId: 'shop' as ServerId, scope: { kind: 'project', folder: '/home/me/web', name: 'web' } } as const;

/** One of each kind of decision and ending; the newest is the last. */
const everyKind: readonly RecordedCall[] = [
  recorded('search', { startedAt: Date.now() - 3 * 24 * 3_600_000 }),
  recorded('read_file', { argumentSize: 5_000, end: { outcome: 'completed', duration: 1_250, resultSize: 300_000 } }),
  recorded('delete_everything', { decision: 'deny', end: { outcome: 'notSent', code: 'toolDenied', duration: 0 } }),
  recorded('pay', { ...shop, decision: 'ask', answer: 'once', caller: { kind: 'gateway', name: 'claude-code 2.1' } }),
  recorded('pay', { ...shop, decision: 'ask', end: { outcome: 'notSent', code: 'toolNotConfirmed', duration: 9_000 } }),
  recorded('pay', { ...shop, end: { outcome: 'unknown', code: 'connectionClosed', duration: 61_000 } }),
  recorded('convert', { end: { outcome: 'completed', isError: true, duration: 12, resultSize: 80 } }),
  recorded('wait', { end: undefined as never, caller: { kind: 'api', name: 'acme.tools' } }),
];

const journal: JournalShown = {
  folder: '/home/me/.mcp-roundhouse/journal',
  calls: [
    {
      start: {
        kind: 'start',
        id: 'lost-1',
        at: Date.now() - 40_000,
        server: 'demo',
        scope: 'user',
        tool: 'lost',
        caller: 'tree',
        callerName: 'you',
        decision: 'allow',
        argumentSize: 4,
      },
      end: 'lost',
    },
  ],
};

const inMemory = (...calls: readonly RecordedCall[]): CallsView => callsView(calls, undefined, english);

describe('the page of recent calls', () => {
  let pages: Pages;
  before(async () => {
    pages = await Pages.start('calls');
  });
  after(() => pages.stop());

  type Opened = OpenedPage & {
    readonly show: (view: CallsView, choice?: { server: string; number: number }) => Promise<void>;
    /** The text of each row, cell by cell. */
    readonly rows: () => Promise<readonly (readonly string[])[]>;
  };
  const open = async (options?: Parameters<Pages['open']>[0]): Promise<Opened> => {
    const opened = await pages.open(options);
    return {
      ...opened,
      show: (view, choice = { server: '', number: 1 }) => opened.post({ type: 'show', view, choice }),
      rows: async () => {
        const rows = await opened.page.getByRole('row').all();
        const bodies = rows.slice(1).map((row) => row.locator('th, td').allInnerTexts());
        return Promise.all(bodies);
      },
    };
  };
  const tools = async ({ rows }: Opened): Promise<readonly string[]> => (await rows()).map((row) => row[2] ?? '');

  it('shows each call in words, the newest first: who, what, what was decided, how long, how much, how it ended', async () => {
    const opened = await open();
    await opened.show(inMemory(...everyKind));
    const heads = await opened.page.getByRole('columnheader').allInnerTexts();
    const outcomes = 'Time|Server|Tool|Called by|Decision|Duration|Arguments|Received|Outcome'.split('|');
    assert.deepEqual(heads, outcomes);
    const rows = (await opened.rows()).map(([, ...cells]) => cells);
    assert.deepEqual(rows, [
      ['demo', 'wait', 'Extension acme.tools', 'Allowed', '', '≈ 40 B', '', 'Running'],
      ['demo', 'convert', 'You', 'Allowed', '12 ms', '≈ 40 B', '≈ 80 B', 'The tool reported an error'],
      [
        'shop · web',
        'pay',
        'You',
        'Allowed',
        '61.0 s',
        '≈ 40 B',
        '',
        'Unknown: the connection ended, so it may have run',
      ],
      ['shop · web', 'pay', 'You', 'Asked: not allowed', '9.0 s', '≈ 40 B', '', 'Not sent: it was not allowed'],
      ['shop · web', 'pay', 'Agent claude-code 2.1', 'Asked: allowed once', '35 ms', '≈ 40 B', '≈ 2 KiB', 'Done'],
      ['demo', 'delete_everything', 'You', 'Denied', '0 ms', '≈ 40 B', '', 'Not sent: a policy denies it'],
      ['demo', 'read_file', 'You', 'Allowed', '1.3 s', '≈ 5 KiB', '> 256 KiB', 'Done'],
      ['demo', 'search', 'You', 'Allowed', '35 ms', '≈ 40 B', '≈ 2 KiB', 'Done'],
    ]);
    const times = opened.page.locator('tbody time');
    assert.match(await times.first().innerText(), /^\d{1,2}:\d\d:\d\d( [AP]M)?$/);
    assert.match(await times.last().innerText(), /\d{4}.*\d{1,2}:\d\d:\d\d/);
    assert.deepEqual(opened.strays, []);
    await opened.page.close();
  });

  it('says whether calls are kept in memory only or in a journal, and where [POL-3e]', async () => {
    const { page, show, sent } = await open();
    await show(inMemory());
    assert.ok(await page.getByText('Kept in memory only, and gone when this window closes.').isVisible());
    await show(callsView([], { folder: '/home/me/journal', calls: [] }, english), { server: '', number: 2 });
    assert.ok(await page.getByText('Written to a journal in /home/me/journal').isVisible());
    assert.equal(await page.getByRole('alert').count(), 0);
    await show(callsView([], { folder: '/j', calls: [], fault: 'a link is in its place' }, english));
    assert.equal(await page.getByRole('alert').innerText(), 'The journal cannot be read: a link is in its place.');
    await page.getByRole('button', { name: 'Journal Setting' }).click();
    assert.deepEqual(await sent(), [{ type: 'ready' }, { type: 'openSetting' }]);
    await page.close();
  });

  it('shows a journalled call whose window is gone as unknown, and one of this window once [POL-3d]', async () => {
    const opened = await open();
    const [call] = everyKind;
    const again = { start: { ...journal.calls[0]!.start, id: call!.id }, end: 'open' } as const;
    await opened.show(callsView([call!], { ...journal, calls: [...journal.calls, again] }, english));
    const rows = await opened.rows();
    assert.deepEqual(
      rows.map((row) => [row[2], row[8]]),
      [
        ['lost', 'Unknown: its window ended first, so it may have run'],
        ['search', 'Done'],
      ],
    );
    await opened.page.close();
  });

  it('says in words that there is nothing, and that nothing fits the filter', async () => {
    const { page, show } = await open();
    await show(inMemory());
    assert.ok(await page.getByText('No tool was called yet.').isVisible());
    assert.equal(await page.getByRole('table').count(), 0);
    await show(inMemory(...everyKind));
    assert.equal(await page.getByText('No tool was called yet.').count(), 0);
    await page.getByLabel('Filter').fill('no such thing');
    assert.ok(await page.getByText('No call fits the filter.').isVisible());
    assert.equal(await page.getByRole('table').count(), 0);
    await page.close();
  });

  it('follows what happens: a call ends where it stands, and newer ones come on top', async () => {
    const opened = await open();
    const first = recorded('first', { end: undefined as never });
    await opened.show(inMemory(first));
    const row = opened.page.getByRole('row', { name: 'first' });
    assert.match(await row.innerText(), /Running/);
    const done = { ...first, end: { outcome: 'completed', duration: 3 } } as const;
    await opened.show(inMemory(done, recorded('second')));
    assert.deepEqual(await tools(opened), ['second', 'first']);
    assert.match(await row.innerText(), /Done/);
    await opened.page.close();
  });

  it('is filtered by words and by server, and stays so while calls come and when it is shown again', async () => {
    const opened = await open();
    const { page } = opened;
    await opened.show(inMemory(...everyKind));
    await page.getByLabel('Server').selectOption('shop · web');
    assert.deepEqual(await tools(opened), ['pay', 'pay', 'pay']);
    assert.ok(await page.getByText('3 of 8 calls').first().isVisible());
    await page.getByLabel('Filter').fill('AGENT done');
    assert.deepEqual(await tools(opened), ['pay']);
    await opened.show(
      inMemory(...everyKind, recorded('pay'), recorded('pay', { ...shop, caller: { kind: 'gateway', name: 'x' } })),
    );
    assert.deepEqual(await tools(opened), ['pay', 'pay']);
    await page.reload();
    await opened.show(inMemory(...everyKind));
    assert.equal(await page.getByLabel('Filter').inputValue(), 'AGENT done');
    assert.deepEqual(await tools(opened), ['pay']);
    await page.close();
  });

  it('shows the calls of one server where that was asked for, once', async () => {
    const opened = await open();
    const { page } = opened;
    await opened.show(inMemory(...everyKind), { server: 'quiet', number: 1 });
    assert.equal(await page.getByLabel('Server').inputValue(), 'quiet');
    assert.ok(await page.getByText('No call fits the filter.').isVisible());
    await page.getByLabel('Server').selectOption('demo');
    await opened.show(inMemory(...everyKind), { server: 'quiet', number: 1 });
    assert.equal(await page.getByLabel('Server').inputValue(), 'demo');
    await opened.show(inMemory(...everyKind), { server: '', number: 2 });
    assert.equal((await opened.rows()).length, everyKind.length);
    await page.close();
  });

  it('keeps hostile names inert and visible', async () => {
    const { page, show, strays } = await open();
    const caller = { kind: 'gateway', name: hostile } as const;
    const folder = `/tmp/${hostile.replaceAll('/', '')}`;
    const call = recorded(hostile, { caller, scope: { kind: 'project', folder, name: hostile } });
    await show(callsView([call], { folder: hostile, calls: [], fault: hostile }, english));
    await assertInert({ page, strays }, await page.getByLabel('Server').innerText());
    await page.close();
  });

  it('drops messages that are not what was agreed, and keeps what it shows', async () => {
    const opened = await open();
    const view = inMemory(recorded('kept'));
    await opened.show(view);
    const odd: unknown[] = [
      null,
      { type: 'show' },
      { type: 'show', view },
      {
        type: 'show',
        view: { ...view, calls: [{ ...view.calls[0], tone: 'loud' }] },
        choice: { server: '', number: 9 },
      },
      { type: 'openSetting' },
    ];
    for (const message of odd) await opened.post(message);
    assert.deepEqual(await tools(opened), ['kept']);
    await opened.page.close();
  });

  it('is used by keyboard alone, and tells a screen reader what the filter left', async () => {
    const opened = await open();
    const { page } = opened;
    await opened.show(inMemory(...everyKind));
    const reached: string[] = [];
    for (let presses = 0; presses < 3; presses += 1) {
      await page.keyboard.press('Tab');
      reached.push(
        await page.evaluate(() => {
          const active = document.activeElement as HTMLInputElement | null;
          return active?.labels?.[0]?.textContent ?? active?.textContent ?? '';
        }),
      );
      if (reached.at(-1) === 'Filter') await page.keyboard.type('pay');
      if (reached.at(-1) === 'Server') await page.keyboard.press('ArrowDown');
    }
    assert.deepEqual(reached, ['Journal Setting', 'Filter', 'Server']);
    assert.equal(await page.getByLabel('Server').inputValue(), 'demo');
    assert.equal(await page.getByRole('status').textContent(), '0 of 8 calls');
    assert.equal(await page.getByRole('table').count(), 0);
    await page.close();
  });

  it('has room for every heading of its table, and no table where there is none', async () => {
    for (const width of [1010, 950, 910]) {
      const { page, show } = await open({ width });
      await show(inMemory(...everyKind));
      const heads = page.getByRole('columnheader');
      const cut = await heads.evaluateAll((all) =>
        all.filter((head) => head.scrollWidth > head.clientWidth).map((head) => head.textContent),
      );
      const isTable = (await page.locator('thead').evaluate((head) => getComputedStyle(head).position)) === 'static';
      assert.deepEqual([isTable, isTable ? cut : []], [width > 1000, []], String(width));
      await page.close();
    }
  });

  it('shows a call of a narrow column in few lines: the tool, then how it ended, then its facts beside each other', async () => {
    const { page, show } = await open({ width: 420 });
    await show(inMemory(recorded('search')));
    const row = page.getByRole('row').nth(1);
    const top = async (name: string): Promise<number> => (await row.locator(`.${name}`).boundingBox())?.y ?? -1;
    const places = await Promise.all(['tool', 'outcome', 'server'].map(top));
    assert.deepEqual(
      places,
      places.toSorted((a, b) => a - b),
    );
    assert.equal(new Set(places).size, 3);
    assert.deepEqual(
      [await top('time'), await top('caller'), await top('decision')],
      [places[0], places[2], places[2]],
    );
    await page.close();
  });

  for (const theme of ['light', 'dark', 'highContrast'] satisfies Theme[]) {
    for (const width of [1200, 1010, 280]) {
      it(`breaks no rule of accessibility in ${theme} at ${width} pixels, and needs no sideways scrolling`, async () => {
        const { page, show, violations, overflow } = await open({ theme, width });
        await show(callsView(everyKind, journal, english));
        assert.deepEqual(await violations(), []);
        const table = page.getByRole('table', { name: 'Recent Calls' });
        assert.equal(await table.getByRole('row').count(), 1 + everyKind.length + journal.calls.length);
        assert.equal(await table.getByRole('rowheader', { name: 'pay' }).count(), 3);
        const sideways = await overflow();
        assert.ok(sideways <= 0, `${sideways} pixels too wide`);
        await page.screenshot({ path: `out/screenshots/calls-${theme}-${width}.png`, fullPage: true });
        await page.close();
      });
    }
  }
});
