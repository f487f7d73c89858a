// The one grammar of variables in a definition (product CFG-11). Parsing is pure and says nothing of values:
// core/trust/template.ts replaces them, once, after the trust decision.
//
//   ${workspaceFolder}   ${userHome}   ${env:NAME}   ${env:NAME:-default}   ${input:id}   ${secret:name}
//
// `$${` is written for a literal `${`. Every other `${` is refused, so that a misspelt variable is found at the start and
// not by the server. A lone `$`, and `$NAME`, are plain text. Values are not searched for variables again.
// As in a shell, the default of `:-` also stands in for an empty variable; it is plain text without `}`.

/** One piece of a template; `source` is the variable as it was written. */
export type TemplatePart =
  | { readonly kind: 'text'; readonly text: string }
  | { readonly kind: 'workspaceFolder'; readonly source: string }
  | { readonly kind: 'userHome'; readonly source: string }
  | { readonly kind: 'env'; readonly name: string; readonly fallback?: string; readonly source: string }
  | { readonly kind: 'input'; readonly name: string; readonly source: string }
  | { readonly kind: 'secret'; readonly name: string; readonly source: string };

export type ParsedTemplate =
  | { readonly ok: true; readonly parts: readonly TemplatePart[] }
  | { readonly ok: false; readonly variable: string; readonly fault?: VariableFault };

/** How a variable is miswritten; absent where it is merely unknown. */
export type VariableFault = 'unclosed' | 'nested';

/** Splits a text into literal pieces and variables. Never throws; an unknown or unclosed variable is named. */
export function parseTemplate(text: string): ParsedTemplate {
  const parts: TemplatePart[] = [];
  let literal = '';
  let at = 0;
  for (;;) {
    const start = text.indexOf('${', at);
    if (start === -1) break;
    if (start > at && text[start - 1] === '$') {
      literal += `${text.slice(at, start - 1)}\${`;
      at = start + 2;
      continue;
    }
    literal += text.slice(at, start);
    const end = text.indexOf('}', start);
    const part = end === -1 ? undefined : parseVariable(text.slice(start, end + 1));
    if (part === undefined) return refused(text.slice(start, end === -1 ? undefined : end + 1));
    if (literal !== '') parts.push({ kind: 'text', text: literal });
    literal = '';
    parts.push(part);
    at = end + 1;
  }
  literal += text.slice(at);
  if (literal !== '') parts.push({ kind: 'text', text: literal });
  return { ok: true, parts };
}

const environmentVariable = /^env:([A-Za-z_][A-Za-z0-9_.()-]*)(?::-(.*))?$/s;
const personalValue = /^(input|secret):([A-Za-z0-9_.-]{1,64})$/;

function parseVariable(source: string): TemplatePart | undefined {
  const body = source.slice(2, -1);
  if (body === 'workspaceFolder' || body === 'userHome') return { kind: body, source };
  const personal = personalValue.exec(body);
  if (personal?.[2] !== undefined) {
    return { kind: personal[1] === 'input' ? 'input' : 'secret', name: personal[2], source };
  }
  const env = environmentVariable.exec(body);
  if (env?.[1] === undefined) return undefined;
  const fallback = env[2];
  if (fallback === undefined) return { kind: 'env', name: env[1], source };
  // A variable inside a default would need a second pass; refusing it keeps the grammar flat.
  return fallback.includes('${') ? undefined : { kind: 'env', name: env[1], fallback, source };
}

function refused(source: string): ParsedTemplate {
  const inner = source.indexOf('${', 2);
  const nests = inner !== -1 && source.lastIndexOf(':-', inner) !== -1;
  const fault = nests ? 'nested' : inner !== -1 || !source.endsWith('}') ? 'unclosed' : undefined;
  return { ok: false, variable: shortened(source), ...(fault === undefined ? {} : { fault }) };
}

function shortened(text: string): string {
  return text.length > 80 ? `${text.slice(0, 80)}…` : text;
}
