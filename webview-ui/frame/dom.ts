/** Makes an element; children that are strings become text nodes, never markup. */
export function element<K extends keyof HTMLElementTagNameMap>(
  name: K,
  attributes: Readonly<Record<string, string>>,
  ...children: readonly (Node | string)[]
): HTMLElementTagNameMap[K] {
  const made = document.createElement(name);
  for (const [key, value] of Object.entries(attributes)) made.setAttribute(key, value);
  made.append(...children);
  return made;
}

/** A button; `spoken` is its accessible name where the shown one does not say enough. */
export function button(label: string, onClick: () => void, spoken?: string): HTMLButtonElement {
  const made = element('button', { type: 'button', ...(spoken === undefined ? {} : { 'aria-label': spoken }) }, label);
  made.addEventListener('click', onClick);
  return made;
}

/** Tells a screen reader what was done; nothing to see. */
export function status(): HTMLElement {
  return element('p', { role: 'status', class: 'status' });
}
