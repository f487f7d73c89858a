import assert from 'node:assert/strict';
import { describe, it } from 'mocha';
import { abortedBy } from '../../../../src/vscode/api/abortedBy.ts';

describe('abortedBy', () => {
  it('follows an AbortSignal, aborted before or after', () => {
    const controller = new AbortController();
    const { signal } = abortedBy(controller.signal);
    assert.equal(signal.aborted, false);
    controller.abort();
    assert.equal(signal.aborted, true);
    assert.equal(abortedBy(controller.signal).signal.aborted, true);
  });

  it('follows a token of the editor, cancelled before or after', () => {
    let listener: (() => void) | undefined;
    const token = {
      isCancellationRequested: false,
      onCancellationRequested: (each: () => void) => {
        listener = each;
        return { dispose: () => (listener = undefined) };
      },
    };
    const { signal } = abortedBy(token);
    listener?.();
    assert.equal(signal.aborted, true);
    assert.equal(abortedBy({ ...token, isCancellationRequested: true }).signal.aborted, true);
    abortedBy(token).dispose();
    assert.equal(listener, undefined);
  });

  it('lets go of a signal that outlives the call', () => {
    const controller = new AbortController();
    const followed = abortedBy(controller.signal);
    followed.dispose();
    controller.abort();
    assert.equal(followed.signal.aborted, false);
  });

  it('is aborted by nothing that is neither', () => {
    for (const value of [undefined, null, {}, 7, { aborted: true }]) {
      assert.equal(abortedBy(value).signal.aborted, false);
    }
  });
});
