// What every page of ours does: it checks what the editor sends, drops what does not fit, and says when it is there.
// Everything that a server, a file or an agent named goes into the page as text; nothing is parsed as HTML.
import * as z from 'zod/mini';
import './frame.css';

export interface Editor<Sent> {
  send(message: Sent | { readonly type: 'ready' }): void;
  /** What the page shall know again when it is shown again. */
  keep(state: unknown): void;
  kept(): unknown;
}

interface EditorApi {
  postMessage(message: unknown): void;
  setState(state: unknown): void;
  getState(): unknown;
}

declare function acquireVsCodeApi(): EditorApi;

/** `start` builds the page in its root and answers what is done with each message. */
export function connect<Received, Sent>(
  messages: z.ZodMiniType<Received>,
  start: (root: HTMLElement, editor: Editor<Sent>) => (message: Received) => void,
): void {
  // Zod would probe for eval, which the page's policy forbids and reports.
  z.config({ jitless: true });
  const root = document.querySelector<HTMLElement>('main');
  if (root === null) return;
  const api = acquireVsCodeApi();
  const receive = start(root, {
    send: (message) => api.postMessage(message),
    keep: (state) => api.setState(state),
    kept: () => api.getState(),
  });
  window.addEventListener('message', (event: MessageEvent<unknown>) => {
    const message = messages.safeParse(event.data);
    if (message.success) receive(message.data);
  });
  api.postMessage({ type: 'ready' });
}
