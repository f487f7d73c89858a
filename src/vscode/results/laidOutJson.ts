// Lays JSON out in lines for reading. Only blanks between its parts change: numbers, escapes and names that stand twice
// are shown, and copied, as they were written, which parsing and writing again would not keep (2^53 + 1, 1.0). Pure.

/** Undefined where the text is no JSON, or is nested deeper than anyone could read. */
export function laidOutJson(text: string): string | undefined {
  if (!isJson(text)) return undefined;
  const parts: string[] = [];
  let depth = 0;
  let opened = false;
  for (let at = 0; at < text.length;) {
    const end = endOfToken(text, at);
    const token = text.slice(at, end);
    at = end;
    if (isBlank(token)) continue;
    const closes = token === '}' || token === ']';
    if (closes) depth -= 1;
    // An empty object or list stays on its line.
    if (opened !== closes) parts.push(newLine(depth));
    opened = token === '{' || token === '[';
    if (opened) depth += 1;
    if (depth > deepest) return undefined;
    parts.push(token === ':' ? ': ' : token);
    if (token === ',') parts.push(newLine(depth));
  }
  return parts.join('');
}

const deepest = 200;

function isJson(text: string): boolean {
  try {
    JSON.parse(text);
    return true;
  } catch {
    return false;
  }
}

/** Of valid JSON: a string, a mark, one blank, or what is neither, which is a number or a word. */
function endOfToken(text: string, start: number): number {
  if (text[start] === '"') {
    let at = start + 1;
    while (text[at] !== '"') at += text[at] === '\\' ? 2 : 1;
    return at + 1;
  }
  let at = start;
  while (at < text.length && !marks.has(text.charAt(at))) at += 1;
  return Math.max(at, start + 1);
}

const marks: ReadonlySet<string> = new Set(['{', '}', '[', ']', ',', ':', '"', ' ', '\t', '\n', '\r']);

function isBlank(token: string): boolean {
  return token === ' ' || token === '\t' || token === '\n' || token === '\r';
}

function newLine(depth: number): string {
  return `\n${'  '.repeat(depth)}`;
}
