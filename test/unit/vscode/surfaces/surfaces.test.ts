// The only ways to what the editor shows: no secret of a launch comes through, nothing live, and nothing hidden.
import assert from 'node:assert/strict';
import { beforeEach, describe, it } from 'mocha';
import type * as vscode from 'vscode';
import { stubEditor } from '../../../support/editorStub.ts';

const { knownSecrets } = await import('../../../../src/vscode/surfaces/knownSecrets.ts');
const { inert, tell } = await import('../../../../src/vscode/surfaces/tell.ts');
const { lineChannel, logChannel } = await import('../../../../src/vscode/surfaces/channels.ts');
const { copyText } = await import('../../../../src/vscode/surfaces/copyText.ts');
const { markdown } = await import('../../../../src/vscode/surfaces/markdown.ts');
const { postToPage } = await import('../../../../src/vscode/surfaces/postToPage.ts');
const { MemoryFiles } = await import('../../../../src/vscode/adapters/memoryFiles.ts');
const { t } = await import('../../../../src/vscode/strings.ts');

const secret = 'Zq81-lent-to-a-server';
knownSecrets.add(secret);
/** A link, a secret as base64, a bidi override and an escape sequence. */
const hostile = `[x](command:quit) ${secret} ${Buffer.from(`me:${secret}`).toString('base64')} \u202ea\u001b[2Jb`;

describe('the surfaces of the editor', () => {
  let shown: unknown[] = [];
  const show = (...what: unknown[]): Promise<undefined> => {
    shown.push(...what);
    return Promise.resolve(undefined);
  };
  const channel = {
    info: show,
    warn: show,
    error: show,
    appendLine: show,
    show: () => undefined,
    dispose: () => undefined,
  };

  beforeEach(() => {
    shown = [];
    stubEditor({
      window: {
        ...{ showInformationMessage: show, showWarningMessage: show, showErrorMessage: show },
        createOutputChannel: () => channel,
      },
      env: { clipboard: { writeText: show } },
      l10n: { t: (message: string, data?: Record<string, string>) => message.replace('{name}', data?.['name'] ?? '') },
      MarkdownString: function (this: { value: string }, value: string) {
        this.value = value;
      },
      EventEmitter: class {
        event = (): void => undefined;
        fire(): void {
          // Nobody listens.
        }
      },
      FileChangeType: { Created: 1, Changed: 2 },
      Uri: { from: (parts: object) => ({ query: '', ...parts }) },
      workspace: { registerFileSystemProvider: () => ({ dispose: () => undefined }) },
    });
  });

  it('make no link and show no secret in a notification, whatever its kind', async () => {
    for (const kind of [tell.info, tell.warn, tell.error]) await kind(hostile, 'OK');
    assert.equal(shown.length, 6);
    for (const text of shown.filter((each) => each !== 'OK')) {
      assert.match(String(text), /^\[x\] \(command:quit\) \[redacted\] bWU6\[redacted\]/);
    }
    assert.equal(inert('plain (text) [here]'), 'plain (text) [here]');
  });

  it('show a question exactly: it is what a person decides by', async () => {
    await tell.ask('Run?', hostile, { title: 'No' });
    assert.deepEqual(shown, ['Run?', { modal: true, detail: hostile }, { title: 'No' }]);
  });

  it('let no escape sequence, hidden character or secret into a log', () => {
    const log = logChannel('a');
    for (const level of ['info', 'warn', 'error'] as const) log[level](hostile);
    lineChannel('b').line(hostile);
    assert.equal(shown.length, 4);
    for (const text of shown) {
      assert.match(String(text), /^\[x\]\(command:quit\) \[redacted\] bWU6\[redacted\]\S* \[U\+202E\]ab$/);
    }
  });

  it('copy exactly, but for a secret', async () => {
    await copyText(`x ${secret} \u202e`);
    assert.deepEqual(shown, ['x [redacted] \u202e']);
  });

  it('give a page data without a secret, in values and in names', () => {
    postToPage({ postMessage: show } as unknown as vscode.Webview, {
      type: 'show',
      deep: [{ [secret]: `a ${secret}` }],
    });
    assert.deepEqual(shown, [{ type: 'show', deep: [{ '[redacted]': 'a [redacted]' }] }]);
  });

  it('trust no Markdown, and know a secret there too', () => {
    const escaped = secret.replaceAll('-', '&#45;');
    const made = markdown(`a ${escaped} ${secret}`);
    assert.deepEqual(Object.fromEntries(Object.entries(made)), {
      value: 'a [redacted] [redacted]',
      isTrusted: false,
      supportHtml: false,
    });
  });

  it('keep secrets out of documents, but for one that a person decides by, and leave bytes as they are', () => {
    const files = new MemoryFiles('x', { isReadonly: true });
    const text = (uri: vscode.Uri): string => new TextDecoder().decode(files.readFile(uri));
    assert.equal(text(files.put('/a', hostile)).includes(secret), false);
    assert.equal(text(files.putExact('/b', hostile)), hostile);
    assert.equal(text(files.put('/c', new TextEncoder().encode(hostile))), hostile);
  });

  it('make visible what is hidden in the data of a sentence, also where nobody thought of it', () => {
    assert.equal(t('Call {name}?', { name: 'a\u202eb\u200bc' }), 'Call a[U+202E]b[U+200B]c?');
    assert.equal(t('Call {name}?', { name: 'two\nlines 😀' }), 'Call two\nlines 😀?');
  });
});
