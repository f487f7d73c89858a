import assert from 'node:assert/strict';
import { beforeEach, describe, it } from 'mocha';
import { type Deferred, deferred } from '../../../../src/base/deferred.ts';
import type { ServerKey } from '../../../../src/core/config/model.ts';
import type { CallConfirmation } from '../../../../src/core/ports.ts';
import { openQuestions } from '../../../../src/vscode/approvals/openQuestions.ts';
import { english } from '../../../../src/vscode/translate.ts';
import { stubEditor } from '../../../support/editorStub.ts';
import { FakePages } from '../../../support/fakePages.ts';
import { FakePick } from '../../../support/fakePick.ts';
import { settled } from '../../../support/settled.ts';
import { callQuestion as call } from '../../../support/callQuestion.ts';

const { callWidgets } = await import('../../../../src/vscode/approvals/callWidgets.ts');

interface Reminder {
  readonly text: string;
  readonly backgroundColor?: unknown;
  readonly accessibilityInformation?: unknown;
}

let picks: FakePick[];
let pages: FakePages;
let reviews: { readonly key: ServerKey; readonly signal: AbortSignal; readonly accepted: Deferred<boolean> }[];
/** Entries in the status bar by their texts. */
let reminders: Map<string, Reminder>;
let context: Record<string, unknown>;
let accepted: number;

describe('a question about a call on the screen', () => {
  beforeEach(() => {
    picks = [];
    pages = new FakePages();
    reviews = [];
    reminders = new Map();
    context = {};
    accepted = 0;
    stubEditor({
      QuickPickItemKind: { Separator: -1 },
      StatusBarAlignment: { Left: 1 },
      ThemeColor: class {
        readonly id: string;
        constructor(id: string) {
          this.id = id;
        }
      },
      ViewColumn: { Active: -1 },
      env: { language: 'en' },
      l10n: { t: english },
      commands: { executeCommand: (_: string, key: string, value: unknown) => (context[key] = value) },
      window: {
        createQuickPick: () => {
          const pick = new FakePick();
          picks.push(pick);
          return pick;
        },
        createWebviewPanel: pages.createWebviewPanel,
        createStatusBarItem: () => ({
          text: '',
          show(this: Reminder) {
            reminders.set(this.text, this);
          },
          dispose(this: Reminder) {
            reminders.delete(this.text);
          },
        }),
      },
    });
  });

  const widgets = callWidgets({
    review: (key, signal) => {
      const accepted = deferred<boolean>();
      reviews.push({ key, signal, accepted });
      signal.addEventListener('abort', () => accepted.resolve(false));
      return accepted.promise;
    },
  });
  const several = (asked: readonly CallConfirmation[]): ReturnType<typeof widgets.several> => widgets.several(asked);
  const one = (asked: CallConfirmation): ReturnType<typeof widgets.one> => widgets.one(asked, () => (accepted += 1));
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
      const question = one(call());
      const pick = await last();
      pick.choose(label);
      assert.equal(await question.answer, answer);
      assert.equal(pick.visible, false);
    });
  }

  it('says server, tool, caller and arguments, the refusal first, and stays while something else is looked at', async () => {
    void one(call());
    const pick = await last();
    assert.deepEqual(
      [pick.title, pick.placeholder],
      ['Call echo on “demo”?', 'Asked by an agent that calls itself “an agent”'],
    );
    assert.deepEqual(pick.labels, ['Deny', 'Allow Once', 'Allow This Tool for This Window']);
    assert.equal(pick.items[1]?.detail, '{"text":"hi"}');
    assert.equal(pick.ignoreFocusOut, true);
    assert.equal(pages.open.size, 0);
  });

  it('is a no when it is closed, by the person or because nobody waits', async () => {
    const closed = one(call());
    await last();
    openQuestions.shown?.close();
    assert.equal(await closed.answer, 'deny');
    const withdrawn = one(call());
    const pick = await last();
    withdrawn.close();
    assert.deepEqual([await withdrawn.answer, pick.visible], ['deny', false]);
    const atOnce = one(call({ args: { text: 'x'.repeat(500) } }));
    atOnce.close();
    assert.equal(await atOnce.answer, 'deny');
    assert.deepEqual([pages.open.size, reminders.size, openQuestions.shown], [0, 0, undefined]);
  });

  it('waits on where another list of the editor’s pushed it away: a word in the status bar leads back', async () => {
    const question = one(call());
    const pick = await last();
    assert.equal(context['roundhouse.deciding'], true);
    pick.hide();
    await settled();
    const [[text, { backgroundColor, accessibilityInformation }] = assert.fail()] = [...reminders];
    assert.equal(text, '$(question) A tool call waits for your answer');
    assert.deepEqual({ ...(backgroundColor as object) }, { id: 'statusBarItem.warningBackground' });
    const label =
      'A tool call waits for your answer: Call echo on “demo”? Press this to see the question again and answer it.';
    assert.deepEqual(accessibilityInformation, { label });
    assert.equal(context['roundhouse.deciding'], false);
    openQuestions.showAgain();
    const again = await last();
    assert.notEqual(again, pick);
    assert.deepEqual([again.visible, reminders.size], [true, 0]);
    again.choose('Allow Once');
    assert.equal(await question.answer, 'once');
    assert.equal(openQuestions.pushedAway.size, 0);
  });

  it('is gone where it was pushed away and nobody waits any more', async () => {
    const question = one(call());
    (await last()).hide();
    question.close();
    assert.equal(await question.answer, 'deny');
    assert.deepEqual([reminders.size, openQuestions.pushedAway.size], [0, 0]);
  });

  for (const typed of ['allow', 'o', 'window']) {
    it(`chooses nothing by "${typed}" and Enter, however fast, and takes a choice from the whole list afterwards`, async () => {
      const question = one(call());
      const pick = await last();
      for (const key of typed) pick.type(key);
      pick.enter();
      pick.deliver();
      assert.deepEqual([pick.visible, pick.value, pick.selectedItems], [true, '', []]);
      pick.choose('Allow Once');
      assert.equal(await question.answer, 'once');
    });
  }

  it('takes Enter for the refusal, also where the refusal is what was typed', async () => {
    for (const typed of ['', 'deny']) {
      const question = one(call());
      const pick = await last();
      pick.type(typed);
      pick.enter();
      pick.deliver();
      assert.equal(await question.answer, 'deny');
    }
  });

  it('shows long arguments whole on a page of its own, which keeps the focus where it is and goes with the question', async () => {
    const text = 'x'.repeat(50_000);
    const question = one(call({ args: { text } }));
    const pick = await last();
    assert.ok(pages.text('Call to confirm').includes(text));
    assert.equal(pick.items[1]?.detail, 'Arguments: on the page below (F6)');
    assert.deepEqual(pages.options, [
      {
        viewColumn: -1,
        preserveFocus: true,
        enableScripts: false,
        enableForms: false,
        enableCommandUris: ['workbench.action.focusQuickOpen'],
        enableFindWidget: true,
        localResourceRoots: [],
      },
    ]);
    pick.choose('Allow Once');
    await question.answer;
    assert.equal(pages.open.size, 0);
  });

  it('is answered as the person said where its page cannot be taken away', async () => {
    const question = one(call({ args: { text: 'x'.repeat(500) } }));
    pages.failure = new Error('Webview is disposed');
    (await last()).choose('Allow Once');
    assert.equal(await question.answer, 'once');
  });

  it('says first that the tool changed, offers to show it before all else, and asks about the call once that is accepted', async () => {
    const question = one(call({ change: 'definition' }));
    question.tellWaiting(1);
    const first = await last();
    assert.deepEqual(
      [first.title, first.labels],
      ['Call echo on “demo”? It changed. (1 more waiting)', ['Deny', 'Review Changes', 'Allow Once']],
    );
    first.choose('Review Changes');
    await settled();
    assert.equal(reviews[0]?.key, 'user:demo');
    reviews[0].accepted.resolve(false);
    const again = await last();
    assert.deepEqual([picks.length, again.visible, accepted], [2, true, 0]);
    again.choose('Review Changes');
    await settled();
    reviews[1]!.accepted.resolve(true);
    const third = await last();
    assert.deepEqual([accepted, third.title], [1, 'Call echo on “demo”? (1 more waiting)']);
    assert.deepEqual(third.labels, ['Deny', 'Allow Once', 'Allow This Tool for This Window']);
    third.choose('Deny');
    assert.equal(await question.answer, 'deny');
  });

  it('offers nothing for the window where it is asked about each time, also once its changes are accepted', async () => {
    const plain = one(call({ eachTime: true }));
    const first = await last();
    assert.deepEqual(first.labels, ['Deny', 'Allow Once']);
    first.choose('Allow Once');
    assert.equal(await plain.answer, 'once');
    const changed = one(call({ eachTime: true, change: 'definition' }));
    (await last()).choose('Review Changes');
    await settled();
    reviews.at(-1)!.accepted.resolve(true);
    const after = await last();
    assert.deepEqual(after.labels, ['Deny', 'Allow Once']);
    after.choose('Deny');
    assert.equal(await changed.answer, 'deny');
  });

  it('closes the review with the question', async () => {
    const question = one(call({ change: 'new' }));
    (await last()).choose('Review Changes');
    await settled();
    question.close();
    assert.equal(reviews[0]?.signal.aborted, true);
    assert.equal(await question.answer, 'deny');
    assert.equal(picks.length, 1);
  });

  it('says how many wait behind it', async () => {
    const question = one(call());
    question.tellWaiting(1);
    const pick = await last();
    assert.equal(pick.title, 'Call echo on “demo”? (1 more waiting)');
    question.tellWaiting(3);
    assert.equal(pick.title, 'Call echo on “demo”? (3 more waiting)');
    question.tellWaiting(0);
    assert.equal(pick.title, 'Call echo on “demo”?');
  });

  describe('about several', () => {
    const calls = [call(), call({ tool: 'drop', args: {} }), call({ tool: 'add' })];

    it('has a line for each, and answers for all', async () => {
      const question = several(calls);
      const pick = await last();
      assert.equal(pick.title, '3 tool calls wait for you');
      assert.deepEqual(pick.labels, ['Deny All', 'Review Each', 'Allow All Once', 'The calls', 'echo', 'drop', 'add']);
      assert.equal(pick.items[5]?.detail, 'No arguments');
      pick.choose('Allow All Once');
      assert.equal(await question.answer, 'once');
    });

    it('allows none of them with the others while a tool among them changed', async () => {
      void several([...calls, call({ tool: 'new', change: 'new', args: {} })]);
      const pick = await last();
      assert.ok(!pick.labels.includes('Allow All Once'));
      assert.equal(pick.items.at(-1)?.detail, 'This tool is new since you approved the server. No arguments');
    });

    it('answers with the call whose line was chosen', async () => {
      const question = several(calls);
      (await last()).choose('drop');
      assert.equal(await question.answer, calls[1]);
    });

    it('loses the line of a call that is over, and no other', async () => {
      const question = several(calls);
      const pick = await last();
      question.withdraw(calls[0]!);
      assert.deepEqual(pick.labels, ['Deny All', 'Review Each', 'Allow All Once', 'The calls', 'drop', 'add']);
      openQuestions.shown?.close();
      assert.equal(await question.answer, 'deny');
    });

    it('shows all arguments of all on one page where a line is too short for some', async () => {
      void several([...calls, call({ tool: 'write', args: { text: 'x'.repeat(100) } })]);
      await settled();
      const text = pages.text('Call to confirm');
      for (const tool of ['echo', 'drop', 'add', 'write']) assert.ok(text.includes(`Call ${tool} on “demo”?\n`));
    });
  });
});
