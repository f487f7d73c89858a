import assert from 'node:assert/strict';
import { describe, it } from 'mocha';
import { resultView } from '../../../../src/vscode/results/resultView.ts';
import { english } from '../../../../src/vscode/translate.ts';
import { receiveFromPage, type ResultDoors } from '../../../../src/vscode/webview/resultMessages.ts';

describe('a message of a result page', () => {
  const content = [
    { type: 'text', text: 'plain' },
    { type: 'resource_link', uri: 'demo://notes', name: 'Notes' },
  ];
  const facts = { server: 'demo', tool: 'echo', milliseconds: 1 };
  const shown = resultView({ content, structuredContent: { a: 1 } }, facts, english);
  const received = async (message: unknown, failing: Partial<ResultDoors> = {}): Promise<readonly string[]> => {
    const done: string[] = [];
    await receiveFromPage(message, shown, {
      send: () => void done.push('send'),
      openAsJson: () => Promise.resolve(void done.push('json')),
      copy: (text) => Promise.resolve(void done.push(`copy ${text}`)),
      read: (uri) => void done.push(`read ${uri}`),
      report: (error) => void done.push(`report ${String(error)}`),
      ...failing,
    });
    return done;
  };

  it('does what it asks for with what was shown, and nothing else', async () => {
    assert.deepEqual(await received({ type: 'ready' }), ['send']);
    assert.deepEqual(await received({ type: 'openAsJson' }), ['json']);
    assert.deepEqual(await received({ type: 'copy', block: 0 }), ['copy plain']);
    assert.deepEqual(await received({ type: 'copy', block: 'structured' }), ['copy {\n  "a": 1\n}']);
    assert.deepEqual(await received({ type: 'read', block: 1 }), ['read demo://notes']);
    for (const odd of [
      { type: 'read', block: 0 },
      { type: 'read', block: 7 },
      { type: 'read', uri: 'file:///etc/passwd' },
      { type: 'copy', block: 1 },
      { type: 'open' },
      undefined,
    ]) {
      assert.deepEqual(await received(odd), [], JSON.stringify(odd));
    }
  });

  it('tells the person where opening as JSON or copying fails', async () => {
    const fails = (): Promise<void> => Promise.reject(new Error('too much'));
    assert.deepEqual(await received({ type: 'openAsJson' }, { openAsJson: fails }), ['report Error: too much']);
    assert.deepEqual(await received({ type: 'copy', block: 0 }, { copy: fails }), ['report Error: too much']);
    const throws = (): void => {
      throw new Error('no such server');
    };
    assert.deepEqual(await received({ type: 'read', block: 1 }, { read: throws }), ['report Error: no such server']);
  });
});
