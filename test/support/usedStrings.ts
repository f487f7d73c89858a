// Every English sentence that the extension localises: literals given to `t(...)` in src/vscode, and the tables of
// sentences and checks that it translates by their text.
import { readdirSync, readFileSync } from 'node:fs';
import ts from 'typescript';
import { checkNames, skipReasons } from '../../src/contract/checkNames.ts';
import { sentences } from '../../src/contract/sentences.ts';
import { additions } from '../../src/contract/sentencesOf.ts';
import { variants } from '../../src/contract/variants.ts';

const root = new URL('../../', import.meta.url).pathname;

export interface UsedStrings {
  readonly texts: readonly string[];
  /** Places where `t` gets something that is not a literal, as `file:line`. */
  readonly computed: readonly string[];
}

export function usedStrings(): UsedStrings {
  const texts = new Set<string>();
  const computed: string[] = [];
  for (const file of sources()) {
    const source = ts.createSourceFile(file, readFileSync(root + file, 'utf8'), ts.ScriptTarget.Latest, true);
    visit(source, (call) => {
      const [first] = call.arguments;
      if (first === undefined) return;
      if (ts.isStringLiteralLike(first)) texts.add(first.text);
      else
        computed.push(`${file}:${source.getLineAndCharacterOfPosition(call.getStart()).line + 1} ${first.getText()}`);
    });
  }
  for (const { text, remedy } of Object.values(sentences)) texts.add(text).add(remedy);
  for (const { text } of additions) texts.add(text);
  for (const { text, remedy } of variants)
    for (const words of [text, remedy]) if (words !== undefined) texts.add(words);
  for (const text of [...Object.values(checkNames), ...Object.values(skipReasons)]) texts.add(text);
  return { texts: [...texts].sort(), computed };
}

function sources(): readonly string[] {
  const all = readdirSync(`${root}src/vscode`, { recursive: true, encoding: 'utf8' });
  return all.filter((file) => file.endsWith('.ts')).map((file) => `src/vscode/${file.replaceAll('\\', '/')}`);
}

function visit(node: ts.Node, onCall: (call: ts.CallExpression) => void): void {
  if (ts.isCallExpression(node) && ts.isIdentifier(node.expression) && node.expression.text === 't') onCall(node);
  ts.forEachChild(node, (child) => visit(child, onCall));
}
