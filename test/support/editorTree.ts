// A tree view of the workbench, read and used as a person does. The list is virtual: only visible rows exist in the page,
// so whole trees are read by scrolling, and a row is scrolled into view before it is used.
import type { Locator, Page } from 'playwright-core';
import { patience } from './patience.ts';
import { eventually } from './eventually.ts';

export interface TreeRow {
  readonly label: string;
  /** The grey text behind the label, '' when there is none. */
  readonly description: string;
  /** 1 for roots. */
  readonly level: number;
  /** Undefined for a leaf. */
  readonly expanded: boolean | undefined;
  /** What a screen reader says. */
  readonly name: string;
  /** The icon's codicon, such as `server` or `error`; '' for none or an image. */
  readonly icon: string;
  /** Position in the whole list. */
  readonly index: number;
}

/** Labels from a root down to the row, e.g. ['everything', 'Tools', /^echo$/]. A string must equal the label. */
export type TreePath = readonly (string | RegExp)[];

export class EditorTree {
  readonly #page: Page;
  readonly #tree: Locator;
  readonly title: string;

  constructor(page: Page, title: string) {
    this.#page = page;
    this.title = title;
    this.#tree = page.getByRole('tree', { name: title, exact: true });
  }

  /** Shows the view alone in the Explorer, so that as many rows as possible are visible. */
  async open(): Promise<void> {
    const explorer = this.#page.getByRole('tab', { name: /^Explorer/ });
    if ((await explorer.getAttribute('aria-expanded')) !== 'true') await explorer.click();
    const section = this.#section();
    await section.waitFor();
    await this.#setSection(section, true);
    for (const other of await this.#page.locator('.sidebar .pane-header[role=button]').all())
      if ((await other.getAttribute('aria-label')) !== (await section.getAttribute('aria-label')))
        await this.#setSection(other, false);
  }

  /** Every row of the tree as it is now, hidden ones of an open parent included, top to bottom. */
  async rows(): Promise<TreeRow[]> {
    // Never waits: an empty view has no tree.
    return await this.#tree.evaluateAll(readRows);
  }

  /** Rows as text, two spaces a level: easy to compare and to read in a failure. */
  async text(): Promise<string> {
    const lines = (await this.rows()).map(
      ({ level, label, description }) =>
        `${'  '.repeat(level - 1)}${label}${description === '' ? '' : ` (${description})`}`,
    );
    return lines.join('\n');
  }

  /** The row at a path, or undefined while there is none. Parents must be open. */
  async find(path: TreePath): Promise<TreeRow | undefined> {
    const rows = await this.rows();
    let start = 0;
    for (const [depth, label] of path.entries()) {
      const level = depth + 1;
      const from = start;
      const end = rows.findIndex((row, index) => index >= from && row.level < level);
      const at = rows.findIndex(
        (row, index) =>
          index >= from && (end === -1 || index < end) && row.level === level && matches(row.label, label),
      );
      if (at === -1) return undefined;
      if (level === path.length) return rows[at];
      start = at + 1;
    }
    return undefined;
  }

  /**
   * Waits for the row at a path, and for what it shows when a check is given.
   * @throws Error after `ms` milliseconds, with the whole tree in its message
   */
  async waitFor(path: TreePath, check: (row: TreeRow) => boolean = () => true, ms = patience): Promise<TreeRow> {
    const look = async (): Promise<TreeRow | undefined> => {
      const row = await this.find(path);
      return row !== undefined && check(row) ? row : undefined;
    };
    try {
      return await eventually(look, ms, `a row ${path.map(String).join(' > ')}`);
    } catch (error) {
      throw new Error(`No such row: ${path.map(String).join(' > ')}. The tree was:\n${await this.text()}`, {
        cause: error,
      });
    }
  }

  /** Opens every row along the path; answers the last one's children. */
  async expand(path: TreePath): Promise<TreeRow[]> {
    for (let depth = 1; depth <= path.length; depth += 1) await this.#toggle(path.slice(0, depth), true);
    const rows = await this.rows();
    const parent = await this.waitFor(path);
    const children: TreeRow[] = [];
    for (const row of rows.slice(parent.index + 1)) {
      if (row.level <= parent.level) break;
      if (row.level === parent.level + 1) children.push(row);
    }
    return children;
  }

  async collapse(path: TreePath): Promise<void> {
    await this.#toggle(path, false);
  }

  /** Clicks the row's label: selects it, and runs its command where it has one. */
  async click(path: TreePath): Promise<void> {
    await (await this.#reveal(path)).locator('.monaco-icon-label').first().click();
  }

  /** Presses one of the buttons at the row's right end; points at the row again when a redraw took them away. */
  async pressAction(path: TreePath, name: string | RegExp): Promise<void> {
    const press = async (): Promise<boolean> => {
      const row = await this.#reveal(path);
      await this.#page.mouse.move(2, 2);
      await row.hover({ timeout: 5_000 });
      const button = row.getByRole('toolbar').getByRole('button', { name, exact: typeof name === 'string' });
      await button.click({ timeout: 5_000 }); // A click that times out was not made.
      return true;
    };
    await eventually(press, patience, `the button ${String(name)}`);
  }

  /** Names of the buttons at the row's right end, as shown while the pointer is on it. */
  async actions(path: TreePath): Promise<string[]> {
    const row = await this.#reveal(path);
    await row.hover();
    const buttons = await row.getByRole('toolbar').getByRole('button').all();
    return await Promise.all(buttons.map(async (button) => (await button.getAttribute('aria-label')) ?? ''));
  }

  /** Entries of the row's context menu; the menu is closed again. */
  async menu(path: TreePath): Promise<string[]> {
    await eventually(async () => (await this.#openMenu(path), true), patience, 'the context menu');
    const items = await this.#page.getByRole('menuitem').all();
    const names = await Promise.all(items.map(async (item) => (await item.innerText()).trim()));
    await this.#page.keyboard.press('Escape');
    await this.#page.getByRole('menu').waitFor({ state: 'detached' });
    return names.filter((name) => name !== '');
  }

  /**
   * Chooses from the row's context menu; opens it again when the tree was redrawn meanwhile, which closes it. By keyboard: in
   * its first 100 ms a menu takes no click, so that the click which opened it chooses nothing.
   */
  async chooseFromMenu(path: TreePath, name: string | RegExp): Promise<void> {
    const choose = async (): Promise<boolean> => {
      await this.#openMenu(path);
      const item = this.#page.getByRole('menu').getByRole('menuitem', { name, exact: typeof name === 'string' });
      await item.hover({ timeout: 5_000 });
      await item.press('Enter', { timeout: 5_000 });
      await this.#page.getByRole('menu').waitFor({ state: 'detached', timeout: 5_000 });
      return true;
    };
    await eventually(choose, patience, `the menu entry ${String(name)}`);
  }

  /** Text of the row's tooltip. */
  async tooltip(path: TreePath): Promise<string> {
    const row = await this.#reveal(path);
    await this.#page.mouse.move(2, 2);
    await this.#page.locator('.monaco-hover:visible').waitFor({ state: 'detached' });
    await row.locator('.monaco-icon-label').first().hover();
    const tooltip = this.#page.getByRole('tooltip').filter({ visible: true }).first();
    // An extension may fill a tooltip late: until then it says that it is loading.
    const filled = async (): Promise<string | undefined> => {
      const text = (await tooltip.innerText()).trim();
      return text === '' || text.startsWith('Loading') ? undefined : text;
    };
    return await eventually(filled, patience, 'a filled tooltip');
  }

  /** Text that the view shows in place of rows (welcome content), buttons included; '' when there is none. */
  async welcome(): Promise<string> {
    const content = this.#page.locator('.pane').filter({ has: this.#section() }).locator('.welcome-view-content');
    return (await content.count()) === 0 ? '' : (await content.innerText()).trim();
  }

  async pressWelcomeButton(name: string | RegExp): Promise<void> {
    await this.#page
      .locator('.pane')
      .filter({ has: this.#section() })
      .locator('.welcome-view-content')
      .getByRole('button', { name })
      .click();
  }

  /** Presses a button of the view's own title bar. */
  async pressTitleAction(name: string | RegExp): Promise<void> {
    await this.#section().hover();
    await this.#page
      .getByRole('toolbar', { name: `${this.title} actions` })
      .getByRole('button', { name, exact: typeof name === 'string' })
      .click();
  }

  #section(): Locator {
    return this.#page.getByRole('button', { name: `${this.title} Section`, exact: true });
  }

  async #setSection(section: Locator, open: boolean): Promise<void> {
    if (((await section.getAttribute('aria-expanded')) === 'true') === open) return;
    await section.click({ position: { x: 8, y: 8 } });
    await eventually(
      async () => ((await section.getAttribute('aria-expanded')) === 'true') === open,
      patience,
      'the section',
    );
  }

  async #toggle(path: TreePath, open: boolean): Promise<void> {
    const row = await this.waitFor(path);
    if (row.expanded === undefined) throw new Error(`${row.label} has nothing to open.`);
    if (row.expanded !== open) await (await this.#reveal(path)).locator('.monaco-tl-twistie').click();
    await this.waitFor(path, (now) => now.expanded === open);
    await this.#tree.locator('.codicon-tree-item-loading').waitFor({ state: 'detached' });
  }

  async #openMenu(path: TreePath): Promise<void> {
    await (await this.#reveal(path)).locator('.monaco-icon-label').first().click({ button: 'right' });
    await this.#page.getByRole('menu').getByRole('menuitem').first().waitFor({ timeout: 5_000 });
  }

  /** Scrolls the row fully into view. */
  async #reveal(path: TreePath): Promise<Locator> {
    const { index } = await this.waitFor(path);
    await this.#tree.evaluate(scrollToRow, index);
    return this.#tree.locator(`.monaco-list-rows > .monaco-list-row[data-index="${index}"]`);
  }
}

function matches(text: string, wanted: string | RegExp): boolean {
  return typeof wanted === 'string' ? text === wanted : wanted.test(text);
}

// The two functions below run in the page: they may use nothing from outside of themselves. The list listens to wheel events,
// and takes Chromium's older wheelDeltaY, of which 120 is 50 pixels, before the standard's deltaY.

async function readRows([tree]: Element[]): Promise<TreeRow[]> {
  if (tree === undefined) return [];
  const area = tree.querySelector('.monaco-scrollable-element')!;
  const scroll = (delta: number): Promise<void> => {
    area.dispatchEvent(
      new WheelEvent('wheel', { ...{ wheelDeltaY: -delta * 2.4 }, deltaY: delta, bubbles: true, cancelable: true }),
    );
    return new Promise((done) => requestAnimationFrame(() => done()));
  };
  const found = new Map<number, TreeRow>();
  const before = [...tree.querySelectorAll<HTMLElement>('.monaco-list-rows > .monaco-list-row')][0]?.dataset['index'];
  const collect = (): number => {
    const size = found.size;
    for (const row of tree.querySelectorAll<HTMLElement>('.monaco-list-rows > .monaco-list-row')) {
      const icon = row.querySelector('.custom-view-tree-node-item-icon');
      const names = [...(icon?.classList ?? [])].filter((name) => /^codicon-(?!colored|modifier)/.test(name));
      const expanded = row.getAttribute('aria-expanded');
      found.set(Number(row.dataset['index']), {
        label: row.querySelector('.label-name')?.textContent ?? row.textContent,
        description: row.querySelector('.label-description')?.textContent ?? '',
        level: Number(row.getAttribute('aria-level')),
        expanded: expanded === null ? undefined : expanded === 'true',
        name: row.getAttribute('aria-label') ?? '',
        icon: names[0]?.replace('codicon-', '') ?? '',
        index: Number(row.dataset['index']),
      });
    }
    return found.size - size;
  };
  const whole = (): boolean =>
    found.has(0) &&
    [...tree.querySelectorAll<HTMLElement>('.monaco-list-rows > .monaco-list-row')].some(
      (row) => row.dataset['lastElement'] === 'true',
    );
  collect();
  if (!whole()) {
    found.clear();
    await scroll(-1e7);
    for (let idle = 0; idle < 3;) {
      idle = collect() > 0 ? 0 : idle + 1;
      if (whole()) break;
      await scroll(Math.max(22, area.clientHeight / 2));
    }
    if (before === '0') await scroll(-1e7);
  }
  return [...found.values()].sort((a, b) => a.index - b.index);
}

async function scrollToRow(tree: Element, index: number): Promise<void> {
  const area = tree.querySelector('.monaco-scrollable-element')!;
  for (let tries = 0; tries < 1000; tries += 1) {
    const view = area.getBoundingClientRect();
    const shown = [...tree.querySelectorAll<HTMLElement>('.monaco-list-rows > .monaco-list-row')];
    const row = shown.find((one) => Number(one.dataset['index']) === index);
    const rect = row?.getBoundingClientRect();
    if (rect && rect.top >= view.top - 1 && rect.bottom <= view.bottom + 1) return;
    const up = rect ? rect.top < view.top : index < Number(shown[0]?.dataset['index']);
    const delta = (up ? -1 : 1) * (rect ? 22 : Math.max(22, area.clientHeight / 2));
    area.dispatchEvent(
      new WheelEvent('wheel', { ...{ wheelDeltaY: -delta * 2.4 }, deltaY: delta, bubbles: true, cancelable: true }),
    );
    await new Promise((done) => requestAnimationFrame(done));
  }
}
