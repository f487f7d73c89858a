import type { CallsView, FromCallsPage, ShownCall, ToCallsPage } from '../../src/contract/callsMessages.ts';
import { visibleText } from '../../src/base/sanitise.ts';
import type { Editor } from '../frame/connect.ts';
import { button, element, status } from '../frame/dom.ts';
import { matches } from './filter.ts';
import { timeText } from './timeText.ts';

type Words = CallsView['words'];
type Column = keyof Words['columns'];

/** The whole page. What the person typed and chose stays when newer calls come. */
export class CallsTable {
  readonly elements: readonly HTMLElement[];
  readonly #words: Words;
  readonly #editor: Editor<FromCallsPage>;
  readonly #storage = element('p', { class: 'quiet', dir: 'auto' });
  readonly #fault = element('p', { class: 'failure', role: 'alert' });
  readonly #text = element('input', { type: 'search', id: 'filter' });
  readonly #server = element('select', { id: 'server' });
  readonly #count = element('p', { class: 'quiet' });
  readonly #status = status();
  readonly #rows = element('tbody', { role: 'rowgroup' });
  readonly #table: HTMLElement;
  readonly #empty = element('p', { class: 'empty quiet' });
  /** By the call's id: a row is made anew only when something in it has changed. */
  #made = new Map<string, { readonly of: string; readonly row: HTMLElement }>();
  #calls: readonly ShownCall[] = [];
  /** The last choice of the editor's side that was followed. */
  #followed: number;

  constructor(words: Words, editor: Editor<FromCallsPage>) {
    this.#words = words;
    this.#editor = editor;
    this.#table = element(
      'table',
      { role: 'table' },
      element('caption', { class: 'status' }, words.title),
      element('thead', { role: 'rowgroup' }, headRow(words)),
      this.#rows,
    );
    const kept = keptState(editor.kept());
    this.#text.value = kept.text;
    this.#followed = kept.followed;
    this.#chooseFrom([], kept.server);
    for (const control of [this.#text, this.#server]) control.addEventListener('input', () => this.#onFilter());
    const setting = button(words.setting, () => editor.send({ type: 'openSetting' }));
    this.elements = [
      element('header', {}, element('div', {}, element('h1', {}, words.title), this.#storage), setting),
      this.#fault,
      element('search', {}, field(words.filter, this.#text), field(words.server, this.#server), this.#count),
      this.#table,
      this.#empty,
      this.#status,
    ];
  }

  show({ calls, storage, fault }: CallsView, choice: ToCallsPage['choice']): void {
    this.#calls = calls;
    this.#storage.textContent = visibleText(storage);
    this.#fault.textContent = visibleText(fault ?? '');
    this.#fault.hidden = fault === undefined;
    const isNew = choice.number > this.#followed;
    if (isNew) this.#text.value = '';
    const servers = [...new Set(calls.map(({ server }) => server))];
    this.#chooseFrom(servers, isNew ? choice.server : this.#server.value);
    this.#followed = choice.number;
    this.#draw();
    this.#keep();
  }

  #onFilter(): void {
    this.#draw();
    this.#keep();
    this.#status.textContent = this.#count.textContent;
  }

  #keep(): void {
    this.#editor.keep({ text: this.#text.value, server: this.#server.value, followed: this.#followed });
  }

  #chooseFrom(servers: readonly string[], chosen: string): void {
    const all = element('option', { value: '' }, this.#words.allServers);
    const known = chosen === '' || servers.includes(chosen) ? servers : [...servers, chosen];
    const options = [...known].sort().map((server) => element('option', { value: server }, visibleText(server)));
    // An open list would close under the person's hand.
    const now = [...this.#server.options].map(({ value }) => value);
    if (JSON.stringify(now) !== JSON.stringify(['', ...options.map(({ value }) => value)])) {
      this.#server.replaceChildren(all, ...options);
    }
    this.#server.value = chosen;
  }

  #draw(): void {
    const filter = { text: this.#text.value, server: this.#server.value };
    const shown = this.#calls.filter((call) => matches(call, filter));
    const made = new Map(this.#calls.map((call) => [call.id, this.#rowOf(call)]));
    this.#made = made;
    this.#rows.replaceChildren(...shown.map(({ id }) => made.get(id)?.row ?? ''));
    const { counted, empty, noMatch } = this.#words;
    const counts = { shown: String(shown.length), count: String(this.#calls.length) };
    this.#count.textContent = counted.replace('{shown}', counts.shown).replace('{count}', counts.count);
    this.#count.hidden = this.#calls.length === 0;
    this.#table.hidden = shown.length === 0;
    this.#empty.hidden = shown.length > 0;
    this.#empty.textContent = this.#calls.length === 0 ? empty : noMatch;
  }

  #rowOf(call: ShownCall): { readonly of: string; readonly row: HTMLElement } {
    const of = JSON.stringify(call);
    const known = this.#made.get(call.id);
    return known?.of === of ? known : { of, row: bodyRow(call, this.#words) };
  }
}

interface KeptState {
  readonly text: string;
  readonly server: string;
  readonly followed: number;
}

function keptState(kept: unknown): KeptState {
  const { text, server, followed } = typeof kept === 'object' && kept !== null ? (kept as Partial<KeptState>) : {};
  return { text: text ?? '', server: server ?? '', followed: followed ?? 0 };
}

function field(label: string, control: HTMLElement): HTMLElement {
  return element('div', { class: 'field' }, element('label', { for: control.id }, label), control);
}

const columns: readonly Column[] = [
  'time',
  'server',
  'tool',
  'caller',
  'decision',
  'duration',
  'sent',
  'received',
  'outcome',
];

// The roles are said, since the narrow page lays its rows out as blocks, and then browsers forget what a table is.
function headRow(words: Words): HTMLElement {
  const heads = columns.map((name) =>
    element('th', { scope: 'col', role: 'columnheader', class: name }, words.columns[name]),
  );
  return element('tr', { role: 'row' }, ...heads);
}

function bodyRow(call: ShownCall, words: Words): HTMLElement {
  const cells = columns.map((name) => {
    const attributes = { class: name, 'data-label': words.columns[name] };
    return name === 'tool'
      ? element('th', { ...attributes, scope: 'row', role: 'rowheader' }, ...content(call, name))
      : element('td', { ...attributes, role: 'cell' }, ...content(call, name));
  });
  return element('tr', { role: 'row', class: call.tone }, ...cells);
}

/** A piece of its own in its own direction: a name never reorders what stands around it. */
function content(call: ShownCall, name: Column): readonly HTMLElement[] {
  if (name === 'time') return [time(call.at)];
  const mark = name === 'outcome' ? [element('span', { class: 'mark', 'aria-hidden': 'true' })] : [];
  return call[name] === '' ? [] : [element('span', { dir: 'auto' }, ...mark, visibleText(call[name]))];
}

function time(at: number): HTMLElement {
  const { short, full, machine } = timeText(at, document.documentElement.lang, new Date());
  return element('time', { datetime: machine, title: full }, short);
}
