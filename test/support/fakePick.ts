// The editor's list of choices as a window shows it: what is typed filters at once and puts the focus on the first match,
// and what the extension says of it, and hears of it, arrives later, in order.
import assert from 'node:assert/strict';

interface Item {
  readonly label: string;
  readonly detail?: string;
  readonly description?: string;
  readonly kind?: number;
}

type Listener = (value: never) => void;

export class FakePick {
  title = '';
  placeholder = '';
  ignoreFocusOut = false;
  keepScrollPosition = false;
  items: readonly Item[] = [];
  selectedItems: readonly Item[] = [];
  visible = false;
  /** What the window shows. */
  #typed = '';
  #active: Item | undefined;
  #value = '';
  readonly #listeners: Record<string, Listener> = {};
  readonly #toExtension: (() => void)[] = [];
  readonly #toWindow: (() => void)[] = [];
  readonly onDidChangeValue = (listener: Listener): void => this.#on('value', listener);
  readonly onDidChangeSelection = (listener: Listener): void => this.#on('selection', listener);
  readonly onDidAccept = (listener: Listener): void => this.#on('accept', listener);
  readonly onDidHide = (listener: Listener): void => this.#on('hide', listener);

  get value(): string {
    return this.#value;
  }

  set value(text: string) {
    this.#value = text;
    this.#toWindow.push(() => this.#filter(text));
  }

  show(): void {
    this.visible = true;
    this.#active = this.items[0];
  }

  hide(): void {
    if (!this.visible) return;
    this.visible = false;
    this.#fire('hide');
  }

  dispose(): void {
    this.hide();
  }

  /** A click. */
  choose(label: string): void {
    this.#active = this.items.find((item) => item.label === label);
    assert.ok(this.#active !== undefined, label);
    this.enter();
    this.deliver();
  }

  type(text: string): void {
    this.#filter(this.#typed + text);
  }

  enter(): void {
    const active = this.#active;
    if (active !== undefined) {
      this.#tell(() => {
        this.selectedItems = [active];
        this.#fire('selection', [active]);
      });
    }
    this.#tell(() => this.#fire('accept'));
  }

  /** Everything that is under way arrives, and what follows from it. */
  deliver(): void {
    while (this.#toExtension.length + this.#toWindow.length > 0) {
      this.#toExtension.shift()?.();
      this.#toWindow.shift()?.();
    }
  }

  get labels(): readonly string[] {
    return this.items.map(({ label }) => label);
  }

  #filter(text: string): void {
    if (text === this.#typed) return;
    this.#typed = text;
    const fits = ({ label, kind }: Item): boolean =>
      kind === undefined && label.toLowerCase().includes(text.toLowerCase());
    this.#active = this.items.find(fits);
    this.#tell(() => {
      this.#value = text;
      this.#fire('value', text);
    });
  }

  #tell(what: () => void): void {
    this.#toExtension.push(what);
  }

  #on(event: string, listener: Listener): void {
    this.#listeners[event] = listener;
  }

  #fire(event: string, value?: unknown): void {
    this.#listeners[event]?.(value as never);
  }
}
