import assert from 'node:assert/strict';
import { beforeEach, describe, it } from 'mocha';
import { type Deferred, deferred } from '../../../../src/base/deferred.ts';
import type { ServerKey } from '../../../../src/core/config/model.ts';
import type { MemoryFiles } from '../../../../src/vscode/adapters/memoryFiles.ts';
import { english } from '../../../../src/vscode/translate.ts';
import { stubEditor } from '../../../support/editorStub.ts';
import { settled } from '../../../support/settled.ts';
import { callQuestion as call } from '../../../support/callQuestion.ts';

const { callWidgets } = await import('../../../../src/vscode/approvals/callWidgets.ts');

interface Item {
  readonly label: string;
  readonly detail?: string;
}

/** The editor's list, as far as the questions use it. */
class FakePick {
  title = '';
  placeholder = '';
  ignoreFocusOut = false;
  keepScrollPosition = false;
  items: readonly Item[] = [];
  selectedItems: readonly Item[] = [];
  value = '';
  visible = false;
  readonly #listeners: Record<string, (value: never) => void> = {};
  readonly onDidChangeValue = (listener: (value: never) => void): void => this.#on('value', listener);
  readonly onDidAccept = (listener: (value: never) => void): void => this.#on('accept', listener);
  readonly onDidHide = (listener: (value: never) => void): void => this.#on('hide', listener);

  show(): void {
    this.visible = true;
  }

  hide(): void {
    if (!this.visible) return;
    this.visible = false;
    this.#fire('hide');
  }

  dispose(): void {
    this.hide();
  }

  choose(label: string): void {
    this.selectedItems = this.items.filter((item) => item.label === label);
    assert.equal(this.selectedItems.length, 1, label);
    this.#fire('accept');
  }

  type(text: string): void {
    this.value = text;
    this.#fire('value', text);
  }

  get labels(): readonly string[] {
    return this.items.map(({ label }) => label);
  }

  #on(event: string, listener: (value: never) => void): void {
    this.#listeners[event] = listener;
  }

  #fire(event: string, value?: string): void {
    this.#listeners[event]?.(value as never);
  }
}

class TabInputText {
  readonly uri: string;

  constructor(uri: string) {
    this.uri = uri;
  }
}

let picks: FakePick[];
let open: Map<string, string>;
let texts: Map<string, string>;
let reviews: { readonly key: ServerKey; readonly signal: AbortSignal; readonly accepted: Deferred<boolean> }[];

const documents = {
  putExact: (path: string, text: string) => (texts.set(path, text), path),
  delete: (path: string) => texts.delete(path),
} as unknown as MemoryFiles;

describe('a question about a call on the screen', () => {
  beforeEach(() => {
    picks = [];
    open = new Map();
    texts = new Map();
    reviews = [];
    stubEditor({
      TabInputText,
      QuickPickItemKind: { Separator: -1 },
      l10n: { t: english },
      window: {
        createQuickPick: () => {
          const pick = new FakePick();
          picks.push(pick);
          return pick;
        },
        showTextDocument: (uri: string) => Promise.resolve(open.set(uri, texts.get(uri)!)),
        tabGroups: {
          get all() {
            return [{ tabs: [...open.keys()].map((uri) => ({ input: new TabInputText(uri) })) }];
          },
          close: (tabs: readonly { readonly input: TabInputText }[]) => {
            for (const { input } of tabs) open.delete(input.uri);
            return Promise.resolve(true);
          },
        },
      },
    });
  });

  const widgets = callWidgets({
    documents,
    review: (key, signal) => {
      const accepted = deferred<boolean>();
      reviews.push({ key, signal, accepted });
      signal.addEventListener('abort', () => accepted.resolve(false));
      return accepted.promise;
    },
  });
  const last = async (): Promise<FakePick> => {
    await settled();
    return picks.at(-1)!;
  };

  for (const [label, answer] of [
    ['Deny', 'deny'],
    ['Allow Once', 'once'],
    ['Allow This Tool for This Window', 'window'],
  ] as const) {
    it(`answers ${answer} to "${label}", and is gone then`, async () => {
      const question = widgets.one(call());
      const pick = await last();
      pick.choose(label);
      assert.equal(await question.answer, answer);
      assert.equal(pick.visible, false);
    });
  }

  it('says server, tool, caller and arguments, the refusal first, and stays while something else is looked at', async () => {
    void widgets.one(call());
    const pick = await last();
    assert.deepEqual([pick.title, pick.placeholder], ['Call echo on “demo”?', 'Asked by: an agent']);
    assert.deepEqual(pick.labels, ['Deny', 'Allow Once', 'Allow This Tool for This Window']);
    assert.equal(pick.items[1]?.detail, '{"text":"hi"}');
    assert.equal(pick.ignoreFocusOut, true);
    assert.equal(open.size, 0);
  });

  it('is a no when it is closed, by the person or because nobody waits', async () => {
    const closed = widgets.one(call());
    (await last()).hide();
    assert.equal(await closed.answer, 'deny');
    const withdrawn = widgets.one(call());
    const pick = await last();
    withdrawn.close();
    assert.deepEqual([await withdrawn.answer, pick.visible], ['deny', false]);
    const atOnce = widgets.one(call({ args: { text: 'x'.repeat(500) } }));
    atOnce.close();
    assert.equal(await atOnce.answer, 'deny');
    assert.deepEqual([picks.length, open.size, texts.size], [2, 0, 0]);
  });

  it('takes nothing that is typed as it comes up for a choice', async () => {
    void widgets.one(call());
    const pick = await last();
    pick.type('allow');
    assert.equal(pick.value, '');
  });

  it('shows long arguments whole in a document, which goes with the question, each its own', async () => {
    const text = 'x'.repeat(50_000);
    const question = widgets.one(call({ args: { text } }));
    const pick = await last();
    const [[first, shown]] = [...open] as [[string, string]];
    assert.ok(shown.replaceAll('\n↪ ', '').includes(text));
    assert.equal(pick.items[1]?.detail, 'The arguments are in the document below.');
    pick.choose('Allow Once');
    await question.answer;
    assert.deepEqual([open.size, texts.size], [0, 0]);
    void widgets.one(call({ args: { text } }));
    await settled();
    assert.notEqual([...open.keys()][0], first);
  });

  it('shows what changed where the definition did, and asks again where that is not accepted', async () => {
    const question = widgets.one(call({ change: 'definition' }));
    (await last()).choose('Review Changes');
    await settled();
    assert.equal(reviews[0]?.key, 'user:demo');
    reviews[0].accepted.resolve(false);
    const again = await last();
    assert.deepEqual([picks.length, again.visible], [2, true]);
    again.choose('Review Changes');
    await settled();
    reviews[1]!.accepted.resolve(true);
    assert.equal(await question.answer, 'accept');
  });

  it('closes the review with the question', async () => {
    const question = widgets.one(call({ change: 'new' }));
    (await last()).choose('Review Changes');
    await settled();
    question.close();
    assert.equal(reviews[0]?.signal.aborted, true);
    assert.equal(await question.answer, 'deny');
    assert.equal(picks.length, 1);
  });

  it('says how many wait behind it', async () => {
    const question = widgets.one(call());
    question.tellWaiting(1);
    const pick = await last();
    assert.equal(pick.title, 'Call echo on “demo”? (1 more waits)');
    question.tellWaiting(3);
    assert.equal(pick.title, 'Call echo on “demo”? (3 more wait)');
    question.tellWaiting(0);
    assert.equal(pick.title, 'Call echo on “demo”?');
  });

  describe('about several', () => {
    const calls = [call(), call({ tool: 'drop', change: 'definition', args: {} }), call({ tool: 'add' })];

    it('has a line for each, and answers for all', async () => {
      const question = widgets.several(calls);
      const pick = await last();
      assert.equal(pick.title, '3 tool calls wait for you');
      assert.deepEqual(pick.labels, ['Deny All', 'Allow All Once', 'Review Each', 'The calls', 'echo', 'drop', 'add']);
      assert.match(pick.items[5]?.detail ?? '', /changed since you knew it. No arguments$/);
      pick.choose('Allow All Once');
      assert.equal(await question.answer, 'once');
    });

    it('answers with the call whose line was chosen', async () => {
      const question = widgets.several(calls);
      (await last()).choose('drop');
      assert.equal(await question.answer, calls[1]);
    });

    it('loses the line of a call that is over, and no other', async () => {
      const question = widgets.several(calls);
      const pick = await last();
      question.withdraw(calls[0]!);
      assert.deepEqual(pick.labels, ['Deny All', 'Allow All Once', 'Review Each', 'The calls', 'drop', 'add']);
      pick.hide();
      assert.equal(await question.answer, 'deny');
    });

    it('shows all arguments of all in one document where a line is too short for some', async () => {
      void widgets.several([...calls, call({ tool: 'write', args: { text: 'x'.repeat(100) } })]);
      await settled();
      const [text] = [...open.values()];
      for (const tool of ['echo', 'drop', 'add', 'write']) assert.ok(text?.includes(`Call ${tool} on “demo”?`));
    });
  });
});
