// The two ways in which an extension may take a call back, as one signal: an AbortSignal, or the editor's token.
import type { Disposable } from '../../base/disposable.ts';
import type { ApiSignal, ApiToken } from '../../contract/publicApi.ts';

/** What is neither aborts nothing. Disposing it lets go of what it was made from. */
export function abortedBy(value: unknown): Disposable & { readonly signal: AbortSignal } {
  const controller = new AbortController();
  const abort = (): void => controller.abort();
  let dispose = (): void => undefined;
  if (isSignal(value)) {
    value.addEventListener('abort', abort);
    dispose = () => value.removeEventListener('abort', abort);
    if (value.aborted) abort();
  } else if (isToken(value)) {
    const subscription = value.onCancellationRequested(abort);
    dispose = () => subscription.dispose();
    if (value.isCancellationRequested) abort();
  }
  return { signal: controller.signal, dispose };
}

function isSignal(value: unknown): value is ApiSignal {
  return typeof value === 'object' && value !== null && 'aborted' in value && 'addEventListener' in value;
}

function isToken(value: unknown): value is ApiToken {
  return typeof value === 'object' && value !== null && 'onCancellationRequested' in value;
}
