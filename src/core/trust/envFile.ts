// The files that `envFile` names: NAME=value lines in the common form of .env files. Pure. Nothing expands in them.
//
//   # comment          export NAME=value     NAME=plain words # comment
//   NAME='as written'  NAME="with \n \r \t \" \\ escapes"; quoted values may span lines
//
// A later line wins over an earlier one of the same name. Anything else refuses the file: guessing could run a server
// with other settings than its author meant.

export type EnvFileResult =
  | { readonly ok: true; readonly variables: Readonly<Record<string, string>> }
  /** 1-based. The content of the line stays out of it: it may be a secret. */
  | { readonly ok: false; readonly line: number };

export function parseEnvFile(text: string): EnvFileResult {
  const variables = Object.create(null) as Record<string, string>;
  const source = text.replace(/^\uFEFF/, '').replace(/\r\n?/g, '\n');
  const lineAt = (offset: number): number => source.slice(0, offset).split('\n').length;
  const nul = source.indexOf('\0');
  if (nul !== -1) return { ok: false, line: lineAt(nul) };
  let at = 0;
  while (at < source.length) {
    blank.lastIndex = at;
    if (blank.test(source)) {
      at = blank.lastIndex;
      continue;
    }
    assignment.lastIndex = at;
    const match = assignment.exec(source);
    if (match === null || reserved.has(match[1] ?? '')) return { ok: false, line: lineAt(at) };
    const [whole, name = '', single, double, plain] = match;
    variables[name] = single ?? (double === undefined ? (plain ?? '').trim() : unescape(double));
    at += whole.length;
  }
  return { ok: true, variables };
}

const reserved: ReadonlySet<string> = new Set(['__proto__', 'constructor', 'prototype']);
const blank = /[ \t]*(?:#[^\n]*)?(?:\n|$)/y;
const assignment =
  /[ \t]*(?:export[ \t]+)?([A-Za-z_][A-Za-z0-9_.-]*)[ \t]*=[ \t]*(?![ \t])(?:'([^']*)'|"((?:[^"\\]|\\[^])*)"|((?!['"])(?:[^\n#]|(?<![ \t=])#)*))[ \t]*(?:#[^\n]*)?(?:\n|$)/y;

const escapes: Readonly<Record<string, string>> = { n: '\n', r: '\r', t: '\t', '"': '"', '\\': '\\' };

function unescape(text: string): string {
  return text.replace(/\\([^])/g, (whole, character: string) => escapes[character] ?? whole);
}
