// What the workbench asks and says: quick inputs, modal dialogs, notifications.
import type { Locator, Page } from 'playwright-core';
import { patience } from './patience.ts';
import { eventually } from './eventually.ts';

export interface QuickInputState {
  readonly title: string;
  readonly placeholder: string;
  readonly value: string;
  /** The line below the input: the prompt, or what is wrong with the value. */
  readonly message: string;
  /** Visible choices; an input box has none. */
  readonly items: readonly { readonly label: string; readonly description: string; readonly detail: string }[];
}

/** An input box or a list of choices at the window's top. */
export class EditorQuickInput {
  readonly #page: Page;
  readonly #widget: Locator;

  constructor(page: Page) {
    this.#page = page;
    this.#widget = page.locator('.quick-input-widget');
  }

  /** The open quick input, or undefined. */
  async state(): Promise<QuickInputState | undefined> {
    if (!(await this.#widget.isVisible())) return undefined;
    return await this.#widget.evaluate(readQuickInput);
  }

  /**
   * Waits until a quick input is open whose title, placeholder or message matches.
   * @throws Error after `ms` milliseconds, naming what was open instead
   */
  async waitFor(wanted: string | RegExp, ms = patience): Promise<QuickInputState> {
    const look = async (): Promise<QuickInputState | undefined> => {
      const state = await this.state();
      const texts = state ? [state.title, state.placeholder, state.message] : [];
      return texts.some((text) => fits(text, wanted)) ? state : undefined;
    };
    try {
      return await eventually(look, ms, `a quick input ${String(wanted)}`);
    } catch (error) {
      throw new Error(`No quick input ${String(wanted)}; open: ${JSON.stringify(await this.state())}`, {
        cause: error,
      });
    }
  }

  /** Types into the input that matches, without accepting: to see its validation message, or to filter. */
  async fill(wanted: string | RegExp, text: string): Promise<void> {
    await this.waitFor(wanted);
    await this.#widget.getByRole('textbox').fill(text);
  }

  /** Answers the input box that matches. */
  async enter(wanted: string | RegExp, text: string): Promise<void> {
    await this.fill(wanted, text);
    await this.accept();
  }

  /** Answers the list that matches by the choice with that label. */
  async pick(wanted: string | RegExp, label: string | RegExp): Promise<void> {
    await this.waitFor(wanted);
    await this.#option(label).click();
  }

  /** Answers a list with checkboxes by exactly these labels. */
  async pickMany(wanted: string | RegExp, labels: readonly string[]): Promise<void> {
    const { items } = await this.waitFor(wanted);
    for (const { label } of items) {
      const box = this.#option(label).getByRole('checkbox');
      if ((await box.isChecked()) !== labels.includes(label)) await this.#option(label).click();
    }
    await this.#widget.getByRole('button', { name: 'OK' }).click();
  }

  /** Presses Enter in the open quick input. */
  async accept(): Promise<void> {
    await this.#widget.getByRole('textbox').press('Enter');
  }

  /** Closes the one that matches without an answer: Escape before it is there would close nothing. */
  async cancel(wanted: string | RegExp): Promise<void> {
    await this.waitFor(wanted);
    await this.#page.keyboard.press('Escape');
    await this.waitUntilClosed();
  }

  async waitUntilClosed(): Promise<void> {
    await this.#widget.waitFor({ state: 'hidden' });
  }

  #option(label: string | RegExp): Locator {
    const name = typeof label === 'string' ? new RegExp(`^${escape(label)}$`) : label;
    const text = this.#page.locator('.quick-input-list-row').first().locator('.label-name');
    return this.#widget
      .locator('.quick-input-list .monaco-list-row')
      .filter({ has: text.filter({ hasText: name }).or(this.#page.locator('.label-name').filter({ hasText: name })) })
      .first();
  }
}

export interface DialogState {
  readonly message: string;
  readonly detail: string;
  /** Left to right. */
  readonly buttons: readonly string[];
  /** The button that Enter presses. */
  readonly focused: string;
}

/** The modal dialog that blocks the window. */
export class EditorDialog {
  readonly #box: Locator;

  constructor(page: Page) {
    this.#box = page.locator('.monaco-dialog-box[role=dialog]');
  }

  /** The open dialog, or undefined. */
  async state(): Promise<DialogState | undefined> {
    if (!(await this.#box.isVisible())) return undefined;
    return await this.#box.evaluate((box: Element): DialogState => {
      const text = (selector: string): string => box.querySelector<HTMLElement>(selector)?.innerText.trim() ?? '';
      const buttons = [...box.querySelectorAll<HTMLElement>('.dialog-buttons [role=button]')];
      return {
        message: text('#monaco-dialog-message-text'),
        detail: text('#monaco-dialog-message-detail'),
        buttons: buttons.map((button) => button.innerText.trim()),
        focused: buttons.find((button) => button === document.activeElement)?.innerText.trim() ?? '',
      };
    });
  }

  /**
   * Waits until a dialog is open whose message or detail matches.
   * @throws Error after `ms` milliseconds, naming what was open instead
   */
  async waitFor(wanted: string | RegExp, ms = patience): Promise<DialogState> {
    const look = async (): Promise<DialogState | undefined> => {
      const state = await this.state();
      return state && (fits(state.message, wanted) || fits(state.detail, wanted)) ? state : undefined;
    };
    try {
      return await eventually(look, ms, `a dialog ${String(wanted)}`);
    } catch (error) {
      throw new Error(`No dialog ${String(wanted)}; open: ${JSON.stringify(await this.state())}`, { cause: error });
    }
  }

  /** Presses a button of the dialog that matches, and waits until that dialog is gone. */
  async press(wanted: string | RegExp, button: string): Promise<void> {
    const before = JSON.stringify(await this.waitFor(wanted));
    await this.#box.getByRole('button', { name: button, exact: true }).click();
    const changed = async (): Promise<boolean> => {
      const now = await this.state();
      return (
        now === undefined ||
        JSON.stringify({ ...now, focused: '' }) !== JSON.stringify({ ...JSON.parse(before), focused: '' })
      );
    };
    await eventually(changed, patience, `the end of the dialog ${String(wanted)}`);
  }
}

export interface NotificationState {
  readonly severity: 'info' | 'warning' | 'error';
  readonly message: string;
  readonly buttons: readonly string[];
}

/**
 * Messages at the window's lower right. They are read in the notification centre, where they stay: a window with the test
 * driver shows no toasts.
 */
export class EditorNotifications {
  readonly #page: Page;
  readonly #list: Locator;

  constructor(page: Page) {
    this.#page = page;
    this.#list = page.getByRole('list', { name: 'Notifications Center' });
  }

  /** All notifications that were not dismissed, newest first. */
  async all(): Promise<NotificationState[]> {
    return await this.#inCentre(async () => await this.#list.evaluate(readNotifications));
  }

  /**
   * Waits for a notification whose message matches.
   * @throws Error after `ms` milliseconds, naming those that were there
   */
  async waitFor(wanted: string | RegExp, ms = patience): Promise<NotificationState> {
    const look = async (): Promise<NotificationState | undefined> =>
      (await this.all()).find(({ message }) => fits(message, wanted));
    try {
      return await eventually(look, ms, `a notification ${String(wanted)}`);
    } catch (error) {
      throw new Error(`No notification ${String(wanted)}; there were: ${JSON.stringify(await this.all())}`, {
        cause: error,
      });
    }
  }

  /** Presses a button of the notification that matches. */
  async press(wanted: string | RegExp, button: string | RegExp): Promise<void> {
    await this.waitFor(wanted);
    await this.#inCentre(async () => {
      const item = this.#list.getByRole('dialog').filter({ hasText: wanted }).first();
      await item.hover();
      await item.getByRole('button', { name: button, exact: typeof button === 'string' }).click();
    });
  }

  async clear(): Promise<void> {
    await this.#inCentre(async () => {
      const clear = this.#page.getByRole('button', { name: 'Clear All Notifications' });
      if (await clear.isEnabled()) await clear.click();
    });
  }

  /** Opens the centre, acts, and closes it again: it covers part of the window. */
  async #inCentre<T>(action: () => Promise<T>): Promise<T | []> {
    const centre = this.#page.locator('.notifications-center.visible');
    if ((await centre.count()) === 0)
      await this.#page
        .getByRole('status')
        .getByRole('button', { name: /^Notifications|^\d+ New Notif|^No New Notif/ })
        .click();
    await centre.waitFor();
    try {
      return (await this.#list.isVisible()) ? await action() : [];
    } finally {
      const hide = this.#page.getByRole('button', { name: /^Hide Notifications/ });
      // It goes by itself with its last message.
      if (await hide.isVisible()) await hide.click({ timeout: 5_000 }).catch(() => undefined);
      await centre.waitFor({ state: 'detached' });
    }
  }
}

function fits(text: string, wanted: string | RegExp): boolean {
  return typeof wanted === 'string' ? text.includes(wanted) : wanted.test(text);
}

function escape(text: string): string {
  return text.replace(/[.*+?^${}()|[\]\\]/g, '\\$&');
}

// The functions below run in the page: they may use nothing from outside of themselves.

function readQuickInput(widget: Element): QuickInputState {
  const text = (from: Element, selector: string): string => {
    const found = from.querySelector<HTMLElement>(selector);
    return found === null || found.style.display === 'none' ? '' : found.innerText.replaceAll('\u00a0', ' ').trim();
  };
  const input = widget.querySelector<HTMLInputElement>('.quick-input-box input, .quick-input-box textarea');
  const list = widget.querySelector<HTMLElement>('.quick-input-list');
  const rows = list === null || list.style.display === 'none' ? [] : [...list.querySelectorAll('.monaco-list-row')];
  return {
    title: text(widget, '.quick-input-title'),
    placeholder: input?.placeholder ?? '',
    value: input?.value ?? '',
    message: text(widget, '.quick-input-message'),
    items: rows.map((row) => ({
      label: text(row, '.label-name'),
      description: text(row, '.label-description'),
      detail: text(row, '.quick-input-list-label-meta'),
    })),
  };
}

function readNotifications(list: Element): NotificationState[] {
  return [...list.querySelectorAll<HTMLElement>('.notification-list-item')].map((item) => ({
    severity: item.querySelector('.codicon-error')
      ? 'error'
      : item.querySelector('.codicon-warning')
        ? 'warning'
        : 'info',
    message: item.querySelector<HTMLElement>('.notification-list-item-message')?.innerText.trim() ?? '',
    buttons: [...item.querySelectorAll<HTMLElement>('.notification-list-item-buttons-container [role=button]')].map(
      (button) => button.innerText.trim(),
    ),
  }));
}
