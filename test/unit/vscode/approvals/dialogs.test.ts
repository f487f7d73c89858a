import assert from 'node:assert/strict';
import { beforeEach, describe, it } from 'mocha';
import { type Deferred, deferred } from '../../../../src/base/deferred.ts';
import type { ServerId } from '../../../../src/contract/serverConfig.ts';
import type { ApprovalRequest, CallConfirmation } from '../../../../src/core/ports.ts';
import type { LaunchFingerprint } from '../../../../src/core/transport/launch.ts';
import type { MemoryFiles } from '../../../../src/vscode/adapters/memoryFiles.ts';
import { english } from '../../../../src/vscode/translate.ts';
import { CancellationTokenSource, stubEditor } from '../../../support/editorStub.ts';
import { userScope } from '../../../support/managerView.ts';
import { settled } from '../../../support/settled.ts';

const { ApprovalDialog } = await import('../../../../src/vscode/approvals/approvalDialog.ts');
const { CallDialog } = await import('../../../../src/vscode/approvals/callDialog.ts');

type Token = InstanceType<typeof CancellationTokenSource>['token'];

interface Shown {
  readonly kind: 'modal' | 'message' | 'list';
  readonly message: string;
  readonly items: readonly string[];
  /** Presses an item by its text; closes without one. */
  answer(item?: string): void;
}

let shown: Shown[];

function show<T>(
  kind: Shown['kind'],
  message: string,
  items: readonly T[],
  textOf: (item: T) => string,
): Deferred<T | undefined> {
  const answered = deferred<T | undefined>();
  const answer = (wanted?: string): void => answered.resolve(items.find((item) => textOf(item) === wanted));
  shown.push({ kind, message, items: items.map(textOf), answer });
  return answered;
}

const documents = { put: () => 'document' } as unknown as MemoryFiles;

function request(id: string, args: readonly string[] = []): ApprovalRequest {
  return {
    id: id as ServerId,
    scope: userScope,
    fingerprint: id as LaunchFingerprint,
    what: { kind: 'stdio', command: 'node', executable: '/bin/node', args, cwd: '/', env: {} },
  };
}

const short = request('short');
const long = request(
  'long',
  Array.from({ length: 60 }, (_, index) => `argument ${index}`),
);
const call = (args: CallConfirmation['args']): CallConfirmation => ({
  server: 's' as ServerId,
  tool: 'echo',
  args,
  caller: { kind: 'tree', name: 'a person' },
});
const longArgs = { list: long.what.kind === 'stdio' ? long.what.args : [] };

describe('a question about what may run', () => {
  beforeEach(() => {
    shown = [];
    stubEditor({
      CancellationTokenSource,
      l10n: { t: english },
      workspace: {},
      window: {
        showTextDocument: () => Promise.resolve(),
        showWarningMessage: (message: string, options?: { modal?: boolean }, ...items: readonly { title: string }[]) =>
          show(options?.modal === true ? 'modal' : 'message', message, items, ({ title }) => title).promise,
        showQuickPick: (items: readonly { label: string }[], { title }: { title: string }, token?: Token) => {
          const list = show('list', title, items, ({ label }) => label);
          token?.onCancellationRequested(() => list.resolve(undefined));
          if (token?.isCancellationRequested === true) list.resolve(undefined);
          return list.promise;
        },
      },
    });
  });

  async function question(): Promise<Shown> {
    await settled();
    assert.ok(shown[0] !== undefined);
    return shown[0];
  }

  it('lets run what was answered with yes in time, in a dialog and in a list', async () => {
    const { signal } = new AbortController();
    for (const [wanted, answer] of [
      [short, 'Run'],
      [long, 'Run long'],
    ] as const) {
      const asked = new ApprovalDialog(documents).ask([wanted], signal);
      (await question()).answer(answer);
      assert.deepEqual([...(await asked)], [wanted.id]);
      shown = [];
    }
    for (const args of [{}, longArgs]) {
      const asked = new CallDialog(documents).confirm(call(args), signal);
      (await question()).answer('Allow Once');
      assert.equal(await asked, true);
      assert.equal(shown.length, 1);
      shown = [];
    }
  });

  it('offers the refusal first', async () => {
    void new ApprovalDialog(documents).ask([short, request('other')], new AbortController().signal);
    assert.deepEqual((await question()).items, ['Don’t Run', 'Run All', 'Review Each', 'Decide Later']);
  });

  it('is withdrawn from its list once nobody waits for the answer', async () => {
    const controller = new AbortController();
    const asked = new ApprovalDialog(documents).ask([long], controller.signal);
    assert.equal((await question()).kind, 'list');
    const confirmed = new CallDialog(documents).confirm(call(longArgs), controller.signal);
    await settled();
    assert.equal(shown[1]?.kind, 'list');
    controller.abort();
    assert.deepEqual([...(await asked)], []);
    assert.equal(await confirmed, false);
  });

  for (const [title, ask, yes] of [
    ['a launch', (signal: AbortSignal) => new ApprovalDialog(documents).ask([short], signal), 'Run'],
    [
      'several launches',
      (signal: AbortSignal) => new ApprovalDialog(documents).ask([short, request('b')], signal),
      'Review Each',
    ],
    ['a call', (signal: AbortSignal) => new CallDialog(documents).confirm(call({}), signal), 'Allow Once'],
  ] as const) {
    it(`runs nothing after a late yes to ${title}, and says that the question was over`, async () => {
      const controller = new AbortController();
      const asked = Promise.resolve(ask(controller.signal)).then((answer) =>
        typeof answer === 'boolean' ? answer : answer.size > 0,
      );
      const dialog = await question();
      assert.equal(dialog.kind, 'modal');
      controller.abort();
      dialog.answer(yes);
      assert.equal(await asked, false);
      assert.deepEqual(
        shown.slice(1).map(({ kind }) => kind),
        ['message'],
      );
      assert.match(shown[1]!.message, /^Nothing was run: .* was over before you answered it/);
    });

    it(`says nothing after a late no to ${title}`, async () => {
      const controller = new AbortController();
      const asked = ask(controller.signal);
      const dialog = await question();
      controller.abort();
      dialog.answer(dialog.items[0]);
      await asked;
      assert.equal(shown.length, 1);
    });
  }
});
