// URI templates of resource templates (RFC 6570, all operators, string values): which values they need, and the URI
// for given ones. Pure and linear; an expression that is none of RFC 6570's stays as it is.

/** Names of the variables, each once, in order. */
export function templateVariables(template: string): readonly string[] {
  const names = [...template.matchAll(expression)].flatMap(([, , list]) => variablesOf(list ?? ''));
  return [...new Set(names.map(({ name }) => name))];
}

/** A variable without a value is left out, as the RFC says. */
export function expandTemplate(template: string, values: Readonly<Record<string, string>>): string {
  return template.replace(expression, (_, operator: string | undefined, list: string) => {
    const { first, separator, named, reserved, emptyEquals } = operators[operator ?? ''] ?? plain;
    const parts = variablesOf(list).flatMap(({ name, length }) => {
      const value = Object.hasOwn(values, name) ? values[name] : undefined;
      if (value === undefined) return [];
      const text = encode(length === undefined ? value : Array.from(value).slice(0, length).join(''), reserved);
      if (!named) return [text];
      return [text === '' && !emptyEquals ? name : `${name}=${text}`];
    });
    return parts.length === 0 ? '' : first + parts.join(separator);
  });
}

interface Operator {
  readonly first: string;
  readonly separator: string;
  /** Whether each value comes with its name. */
  readonly named: boolean;
  /** Whether reserved characters stay as they are. */
  readonly reserved: boolean;
  /** Whether a named empty value keeps its `=`. */
  readonly emptyEquals: boolean;
}

const expression = /\{([+#./;?&])?([A-Za-z0-9_.,%:*]+)\}/g;

const plain: Operator = { first: '', separator: ',', named: false, reserved: false, emptyEquals: true };
const operators: Readonly<Record<string, Operator>> = {
  '+': { ...plain, reserved: true },
  '#': { ...plain, first: '#', reserved: true },
  '.': { ...plain, first: '.', separator: '.' },
  '/': { ...plain, first: '/', separator: '/' },
  ';': { ...plain, first: ';', separator: ';', named: true, emptyEquals: false },
  '?': { ...plain, first: '?', separator: '&', named: true },
  '&': { ...plain, first: '&', separator: '&', named: true },
};

function variablesOf(list: string): readonly { readonly name: string; readonly length?: number }[] {
  return list.split(',').flatMap((part) => {
    const [, name, length] = /^([^:*]+)(?::(\d{1,4})|\*)?$/.exec(part) ?? [];
    if (name === undefined) return [];
    return [length === undefined ? { name } : { name, length: Number(length) }];
  });
}

function encode(text: string, reserved: boolean): string {
  const kept = reserved ? /[A-Za-z0-9\-._~:/?#[\]@!$&'()*+,;=]|%[0-9A-Fa-f]{2}/g : /[A-Za-z0-9\-._~]/g;
  let out = '';
  let at = 0;
  for (const match of text.matchAll(kept)) {
    out += percent(text.slice(at, match.index)) + match[0];
    at = match.index + match[0].length;
  }
  return out + percent(text.slice(at));
}

/** Percent-encodes every byte; a surrogate that stands alone becomes U+FFFD. */
function percent(text: string): string {
  return Array.from(
    new TextEncoder().encode(text),
    (byte) => `%${byte.toString(16).toUpperCase().padStart(2, '0')}`,
  ).join('');
}
