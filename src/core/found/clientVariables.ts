// What other clients write for a value that comes from elsewhere, turned into the one grammar of ours (CFG-11), purely. A
// variable that has no counterpart here is answered by name: an entry that holds one would run with something else than
// before. What a client takes literally stays literal: `${` is then written `$${`.

/**
 * `shell`: `${NAME}`, `${NAME:-default}` (Claude Code, Copilot). `dollar`: `$NAME` besides (Gemini). `vscode`: `${env:NAME}`,
 * `${input:id}`, `${workspaceFolder}`, `${userHome}`. `cursor`: the same without inputs, with the path separator. `env`:
 * `${env:NAME}` alone (Windsurf). `roo`: the folder besides. `braces`: `{env:NAME}` (OpenCode). `mustache`:
 * `${{ secrets.NAME }}` (Continue). `none`: nothing is replaced.
 */
export type VariableGrammar = 'none' | 'shell' | 'dollar' | 'vscode' | 'cursor' | 'env' | 'roo' | 'braces' | 'mustache';

export type Translated =
  | { readonly ok: true; readonly text: string }
  /** What has no counterpart here, as it is written. */
  | { readonly ok: false; readonly variable: string };

/** `separator` is the one of paths on this machine. */
export function translateVariables(text: string, grammar: VariableGrammar, separator: string): Translated {
  const pattern = patterns[grammar];
  let result = '';
  let at = 0;
  for (const match of text.matchAll(pattern)) {
    const source = match[0];
    const replacement = replacementFor(source, grammar, separator);
    // A `$` in front of a variable would make it literal here, and there is no other way to write the two.
    const escapes = replacement?.startsWith('${') === true && text[match.index - 1] === '$';
    if (replacement === undefined || escapes) return { ok: false, variable: source.slice(0, 80) };
    result += literal(text.slice(at, match.index)) + replacement;
    at = match.index + source.length;
  }
  return { ok: true, text: result + literal(text.slice(at)) };
}

/** Everything that may be a variable in a grammar; what does not match is plain text. */
const patterns: Readonly<Record<VariableGrammar, RegExp>> = {
  none: /(?!)/g,
  shell: /\$\{[A-Za-z_][A-Za-z0-9_]*(?::-[^}]*)?\}/g,
  dollar: /\$\{[A-Za-z_][A-Za-z0-9_]*(?::-[^}]*)?\}|\$[A-Za-z_][A-Za-z0-9_]*/g,
  vscode: /\$\{[^}]*\}?/g,
  cursor: /\$\{[^}]*\}?/g,
  env: /\$\{(?:env|file):[^}]*\}/g,
  roo: /\$\{(?:env:[^}]*|workspaceFolder)\}/g,
  braces: /\{(?:env|file):[^}]*\}/g,
  mustache: /\$\{\{[^}]*\}\}/g,
};

const envName = /^[A-Za-z_][A-Za-z0-9_.()-]*$/;
const valueName = /^[A-Za-z0-9_.-]{1,64}$/;

function replacementFor(source: string, grammar: VariableGrammar, separator: string): string | undefined {
  switch (grammar) {
    case 'none':
      return undefined;
    case 'shell':
    case 'dollar':
      return fromShell(source);
    case 'vscode':
    case 'cursor':
    case 'env':
    case 'roo':
      return fromEditor(source.slice(2, -1), source, grammar, separator);
    case 'braces':
      return environment(/^\{env:(.*)\}$/s.exec(source)?.[1]);
    case 'mustache': {
      const name = /^\$\{\{\s*secrets\.(\S+)\s*\}\}$/.exec(source)?.[1];
      return name !== undefined && valueName.test(name) ? `\${secret:${name}}` : undefined;
    }
  }
}

function fromShell(source: string): string | undefined {
  const [, name = '', fallback] = /^\$\{?([A-Za-z0-9_]+)(?::-([^}]*))?\}?$/.exec(source) ?? [];
  if (fallback === undefined) return environment(name);
  return fallback.includes('${') ? undefined : `\${env:${name}:-${fallback}}`;
}

function fromEditor(
  body: string,
  source: string,
  grammar: 'vscode' | 'cursor' | 'env' | 'roo',
  separator: string,
): string | undefined {
  if (!source.endsWith('}')) return undefined;
  if (body.startsWith('env:')) return environment(body.slice('env:'.length));
  if (grammar === 'env') return undefined;
  if (body === 'workspaceFolder' || (body === 'userHome' && grammar !== 'roo')) return source;
  if (grammar === 'cursor') return body === 'pathSeparator' || body === '/' ? separator : undefined;
  const input = /^input:(.+)$/s.exec(body)?.[1];
  return grammar === 'vscode' && input !== undefined && valueName.test(input) ? source : undefined;
}

function environment(name: string | undefined): string | undefined {
  return name !== undefined && envName.test(name) ? `\${env:${name}}` : undefined;
}

function literal(text: string): string {
  return text.split('${').join('$${');
}
