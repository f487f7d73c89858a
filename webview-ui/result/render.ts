import type { FromResultPage, ResultBlock, ResultView } from '../../src/contract/pageMessages.ts';
import { visibleText } from '../../src/base/sanitise.ts';
import { button, element, status } from '../frame/dom.ts';

export type Send = (message: FromResultPage) => void;

/** The whole page for one result. */
export function renderResult(result: ResultView, send: Send): readonly HTMLElement[] {
  const { words } = result;
  const parts = result.blocks.map((block, index) => renderBlock(block, index, result, send));
  const structured =
    result.structured === undefined ? [] : [section(words.structured, result.structured, 'structured', result, send)];
  const empty = parts.length + structured.length === 0 ? [element('p', { class: 'quiet' }, words.empty)] : [];
  return [header(result, send), ...failure(result), ...parts, ...structured, ...empty, status()];
}

function header({ tool, server, duration, words }: ResultView, send: Send): HTMLElement {
  const title = element('h1', {}, element('span', { dir: 'auto' }, visibleText(tool)));
  const facts = element(
    'p',
    { class: 'quiet' },
    element('span', { dir: 'auto' }, visibleText(server)),
    ` · ${duration}`,
  );
  const open = button(words.openAsJson, () => send({ type: 'openAsJson' }));
  return element('header', {}, element('div', {}, title, facts), open);
}

function failure({ failure }: ResultView): readonly HTMLElement[] {
  return failure === undefined ? [] : [element('p', { class: 'failure', role: 'alert' }, visibleText(failure))];
}

function renderBlock(block: ResultBlock, index: number, result: ResultView, send: Send): HTMLElement {
  const { words } = result;
  switch (block.kind) {
    case 'text':
      return textBlock(block.text, index, result, send);
    case 'heading':
      return element('h2', {}, visibleText(block.text));
    case 'image': {
      const source = `data:${block.mimeType};base64,${block.base64}`;
      return element('figure', {}, element('img', { src: source, alt: words.imageAlt }));
    }
    case 'audio': {
      const source = `data:${block.mimeType};base64,${block.base64}`;
      return element('figure', {}, element('audio', { src: source, controls: '', 'aria-label': words.audioLabel }));
    }
    case 'link':
      return linkBlock(block, index, result, send);
    case 'resource': {
      const place = element(
        'p',
        { class: 'quiet address', dir: 'auto' },
        visibleText(`${block.uri} ${block.mimeType}`.trim()),
      );
      if (block.text === undefined) return element('section', {}, place, element('p', {}, `${block.bytes} B`));
      return element('section', {}, place, textBlock(block.text, index, result, send));
    }
    case 'other':
      return element('section', {}, element('h2', {}, visibleText(block.type)), pre(block.summary, words.showAll));
  }
}

function linkBlock(
  block: Extract<ResultBlock, { kind: 'link' }>,
  index: number,
  { words }: ResultView,
  send: Send,
): HTMLElement {
  const name = visibleText(block.name === '' ? block.uri : block.name);
  const read = button(words.read, () => send({ type: 'read', block: index }), `${words.read}: ${name}`);
  return element(
    'section',
    { class: 'link' },
    element(
      'div',
      {},
      element('p', { dir: 'auto' }, name),
      element('p', { class: 'quiet address', dir: 'auto' }, visibleText(block.uri)),
      ...(block.description === '' ? [] : [element('p', { dir: 'auto' }, visibleText(block.description))]),
    ),
    read,
  );
}

function textBlock(text: string, index: number, result: ResultView, send: Send): HTMLElement {
  return element('section', { class: 'text' }, pre(text, result.words.showAll), copyButton(index, result, send));
}

function section(title: string, text: string, block: 'structured', result: ResultView, send: Send): HTMLElement {
  const head = element('h2', {}, title);
  return element('section', { class: 'text' }, head, pre(text, result.words.showAll), copyButton(block, result, send));
}

function copyButton(block: number | 'structured', { words }: ResultView, send: Send): HTMLElement {
  return button(words.copy, () => {
    send({ type: 'copy', block });
    const live = document.querySelector('[role=status]');
    if (live !== null) live.textContent = words.copied;
  });
}

/** Longer text is shown in part first: the browser lays out megabytes slowly. */
const shownAtOnce = 200_000;

function pre(text: string, showAll: string): HTMLElement {
  const box = element('pre', { dir: 'auto', tabindex: '0' }, visibleText(text.slice(0, shownAtOnce)));
  if (text.length <= shownAtOnce) return element('div', { class: 'box' }, box);
  const more = button(showAll, () => {
    box.textContent = visibleText(text);
    more.remove();
    box.focus();
  });
  return element('div', { class: 'box' }, box, more);
}
