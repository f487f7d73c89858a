import assert from 'node:assert/strict';
import { beforeEach, describe, it } from 'mocha';
import { type Deferred, deferred } from '../../../../src/base/deferred.ts';
import type { ServerId } from '../../../../src/contract/serverConfig.ts';
import type { ApprovalRequest } from '../../../../src/core/ports.ts';
import type { LaunchFingerprint } from '../../../../src/core/transport/launch.ts';
import { english } from '../../../../src/vscode/translate.ts';
import { stubEditor } from '../../../support/editorStub.ts';
import { FakePages } from '../../../support/fakePages.ts';
import { FakePick } from '../../../support/fakePick.ts';
import { demoScope, userScope } from '../../../support/managerView.ts';
import { settled } from '../../../support/settled.ts';

const { ApprovalDialog } = await import('../../../../src/vscode/approvals/approvalDialog.ts');

interface Shown {
  readonly kind: 'modal' | 'message' | 'list';
  readonly message: string;
  readonly detail: string;
  readonly items: readonly string[];
  /** Presses an item by its text; closes without one. */
  answer(item?: string): void;
}

let shown: Shown[];
let pages: FakePages;

function show<T>(
  of: Pick<Shown, 'kind' | 'message' | 'detail'>,
  items: readonly T[],
  textOf: (item: T) => string,
): Deferred<T | undefined> {
  const answered = deferred<T | undefined>();
  const answer = (wanted?: string): void => answered.resolve(items.find((item) => textOf(item) === wanted));
  shown.push({ ...of, items: items.map(textOf), answer });
  return answered;
}

/** A list that came up, as what is shown. */
class ShownPick extends FakePick {
  override show(): void {
    super.show();
    shown.push({
      kind: 'list',
      message: this.title,
      detail: '',
      items: this.labels,
      answer: (item) => (item === undefined ? this.hide() : this.choose(item)),
    });
  }
}

function request(
  id: string,
  args: readonly string[] = [],
  scope: ApprovalRequest['scope'] = demoScope,
): ApprovalRequest {
  return {
    id: id as ServerId,
    scope,
    fingerprint: id as LaunchFingerprint,
    file: '/f/mcp.json',
    what: { kind: 'stdio', command: 'node', executable: '/bin/node', args, cwd: '/', env: {} },
  };
}

const short = request('short');
const many = Array.from({ length: 60 }, (_, index) => `argument ${index}`);
const long = request('long', many);
const { signal: never } = new AbortController();

describe('a question about what may run', () => {
  beforeEach(() => {
    shown = [];
    pages = new FakePages();
    stubEditor({
      ViewColumn: { Active: -1 },
      commands: { executeCommand: () => undefined },
      env: { language: 'en' },
      l10n: { t: english },
      workspace: {},
      window: {
        createQuickPick: () => new ShownPick(),
        createWebviewPanel: pages.createWebviewPanel,
        showWarningMessage: (
          message: string,
          { modal = false, detail = '' }: { modal?: boolean; detail?: string } = {},
          ...items: readonly { title: string }[]
        ) => show({ kind: modal ? 'modal' : 'message', message, detail }, items, ({ title }) => title).promise,
      },
    });
  });

  const ask = (requests: readonly ApprovalRequest[], signal = never) =>
    new ApprovalDialog().ask(requests, signal).then((answers) => Object.fromEntries(answers));

  async function question(at = 0): Promise<Shown> {
    await settled();
    const found = shown[at];
    assert.ok(found !== undefined);
    return found;
  }

  for (const [form, wanted] of [
    ['a dialog', short],
    ['a list beside a page', long],
  ] as const) {
    it(`answers once, remember, refuse, or nothing, in ${form}, the refusal first`, async () => {
      for (const [item, answer] of [
        ['Run Once', 'once'],
        ['Remember', 'remember'],
        ['Don’t Run', 'refuse'],
        ['Decide Later', undefined],
        [undefined, undefined],
      ] as const) {
        const asked = ask([wanted]);
        const put = await question();
        assert.equal(put.kind, form === 'a dialog' ? 'modal' : 'list');
        assert.deepEqual(put.items, ['Don’t Run', 'Run Once', 'Remember', 'Decide Later']);
        put.answer(item);
        assert.deepEqual(await asked, answer === undefined ? {} : { [wanted.id]: answer });
        shown = [];
      }
    });
  }

  it('says where it is remembered: everywhere for the person’s own server, else in this workspace', async () => {
    void ask([request('own', [], userScope)]);
    assert.match((await question()).detail, /\n“Remember” holds until it changes\.$/);
    void ask([short]);
    assert.match((await question(1)).detail, /\n“Remember” holds in this workspace until it changes\.$/);
  });

  it('answers for all at once, in one question with a line for each and the whole of each', async () => {
    const two = [short, request('own', ['x'], userScope)];
    for (const [item, answer] of [
      ['Run All Once', 'once'],
      ['Remember All', 'remember'],
      ['Don’t Run', 'refuse'],
      ['Decide Later', undefined],
    ] as const) {
      const asked = ask(two);
      const put = await question();
      assert.deepEqual(put.items, ['Don’t Run', 'Run All Once', 'Remember All', 'Review Each', 'Decide Later']);
      assert.match(put.detail, /\n“Remember All”: each in this workspace until it changes\.$/);
      assert.match(put.detail, /^short \(folder “demo”\): node\nown \(yours\): node\n\nServer “short”\nCommand: node/);
      put.answer(item);
      assert.deepEqual(await asked, answer === undefined ? {} : { short: answer, own: answer });
      assert.equal(shown.length, 1);
      shown = [];
    }
  });

  it('asks one after the other where the person wants that, until they put one off', async () => {
    const asked = ask([short, request('b'), request('c'), request('d')]);
    (await question()).answer('Review Each');
    for (const [at, item] of [
      [1, 'Don’t Run'],
      [2, 'Remember'],
      [3, 'Decide Later'],
    ] as const) {
      const put = await question(at);
      assert.match(put.message, new RegExp(`\\(${at} of 4\\)$`));
      put.answer(item);
    }
    assert.deepEqual(await asked, { short: 'refuse', b: 'remember' });
    assert.equal(shown.length, 4);
  });

  it('decides nothing where it was over in the middle', async () => {
    const controller = new AbortController();
    const asked = ask([short, request('b')], controller.signal);
    (await question()).answer('Review Each');
    (await question(1)).answer('Run Once');
    const second = await question(2);
    controller.abort();
    second.answer('Run Once');
    assert.deepEqual(await asked, {});
  });

  it('shows on a page what a dialog could hide, while the question is open', async () => {
    for (const requests of [[long], [long, short]]) {
      const asked = ask(requests);
      const put = await question();
      assert.equal(put.kind, 'list');
      const text = pages.text('Servers to approve');
      assert.ok(text.startsWith(`\n${put.message}\n`), text);
      for (const arg of many) assert.ok(text.includes(`: ${arg}\n`), arg);
      put.answer();
      await asked;
      assert.equal(pages.open.size, 0);
      shown = [];
    }
  });

  it('runs what the person said also where the page cannot be taken away', async () => {
    const asked = ask([long]);
    pages.failure = new Error('Webview is disposed');
    (await question()).answer('Run Once');
    assert.deepEqual(await asked, { long: 'once' });
  });

  it('is withdrawn from its list once nobody waits for the answer', async () => {
    const controller = new AbortController();
    const asked = ask([long], controller.signal);
    await question();
    controller.abort();
    assert.deepEqual(await asked, {});
    assert.equal(pages.open.size, 0);
  });

  for (const [title, requests, yes] of [
    ['one launch', [short], 'Run Once'],
    ['one launch, to be remembered', [short], 'Remember'],
    ['several launches', [short, request('b')], 'Remember All'],
    ['several launches, one by one', [short, request('b')], 'Review Each'],
  ] as const) {
    it(`decides nothing by a late yes to ${title}, and says that the question was over`, async () => {
      const controller = new AbortController();
      const asked = ask(requests, controller.signal);
      const dialog = await question();
      controller.abort();
      dialog.answer(yes);
      assert.deepEqual(await asked, {});
      assert.deepEqual(
        shown.slice(1).map(({ kind }) => kind),
        ['message'],
      );
      assert.match(shown[1]!.message, /^Nothing was run: .* was over before you answered it/);
    });

    it(`decides nothing by a late no to ${title}, and says nothing`, async () => {
      const controller = new AbortController();
      const asked = ask(requests, controller.signal);
      const dialog = await question();
      controller.abort();
      dialog.answer('Don’t Run');
      assert.deepEqual(await asked, {});
      assert.equal(shown.length, 1);
    });
  }
});
