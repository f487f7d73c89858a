// Whether a tool may run (POL-1): pure. The strictest of all sources wins, so that a project can only tighten what
// the person allows. Within one source a rule for the tool itself stands before its `*`. No rule at all is `allow`.
import type { PolicyWord } from '../../contract/serverConfig.ts';

/** Tool name or `*` to a word. */
export type PolicySource = Readonly<Record<string, PolicyWord>>;

export interface PolicyRules {
  /** What the editor's own settings say of this tool. */
  readonly editor?: PolicyWord;
  readonly user?: PolicySource;
  readonly project?: PolicySource;
  /** The definition is not the one that the person knows: `allow` becomes `ask` (POL-2). */
  readonly definitionChanged?: boolean;
}

export function decide(tool: string, rules: PolicyRules): PolicyWord {
  const words = [rules.editor, ruleOf(tool, rules.user), ruleOf(tool, rules.project)];
  if (rules.definitionChanged === true) words.push('ask');
  const given = new Set<string | undefined>(words);
  given.delete(undefined);
  given.delete('allow');
  // Whatever is neither `allow` nor `ask` is a denial, also a word that should not be there.
  if ([...given].some((word) => word !== 'ask')) return 'deny';
  return given.has('ask') ? 'ask' : 'allow';
}

function ruleOf(tool: string, source: PolicySource | undefined): PolicyWord | undefined {
  if (source === undefined) return undefined;
  if (Object.hasOwn(source, tool)) return source[tool];
  return Object.hasOwn(source, '*') ? source['*'] : undefined;
}
