// The result page: shows one result of a tool, and says what the person does with it. Everything that a server sent
// goes in as text or as a data URI of a checked type; nothing is parsed as HTML.
import * as z from 'zod/mini';
import { type FromResultPage, toResultPage } from '../../src/contract/pageMessages.ts';
import { renderResult } from './render.ts';
import './result.css';

interface EditorApi {
  postMessage(message: FromResultPage): void;
}

declare function acquireVsCodeApi(): EditorApi;

// Zod would probe for eval, which the page's policy forbids and reports.
z.config({ jitless: true });

const editor = acquireVsCodeApi();
const root = document.querySelector<HTMLElement>('#result');

window.addEventListener('message', (event: MessageEvent<unknown>) => {
  const message = toResultPage.safeParse(event.data);
  if (!message.success || root === null) return;
  root.replaceChildren(...renderResult(message.data.result, (answer) => editor.postMessage(answer)));
});

editor.postMessage({ type: 'ready' });
