// Whether a tool may run, and which rule says so (POL-1, POL-2): pure. The strictest of all sources wins, so that a
// project can only tighten what the person allows. Within one source a rule for the tool itself stands before its `*`.
// No rule at all is `allow`, where the person's own are known. What they allowed for this window lifts an `ask` that is
// not the editor's, never a `deny`.
import { type PolicyWord, policyWords } from '../../contract/serverConfig.ts';

/** Tool name or `*` to a word. */
export type PolicySource = Readonly<Record<string, PolicyWord>>;

/** How a tool differs from what the person knows of it. A change of its annotations alone is told apart (POL-2). */
export type ToolChange = 'new' | 'definition' | 'annotations';

/** What one of the editor's own settings says of this server's tools. */
export interface EditorSource {
  readonly setting: string;
  readonly wordOf: (tool: string) => PolicyWord | undefined;
}

export interface PolicyRules {
  readonly editor?: EditorSource;
  /** Of the person: in the entry of this id in their own file. */
  readonly personEntry?: PolicySource;
  /** Of the person: under `toolPolicies` at the top of their own file. */
  readonly personFile?: PolicySource;
  readonly project?: PolicySource;
  /** What the person says is not known: their file could not be read (CFG-5). */
  readonly unknown?: true;
  /** Tools whose definition is not the one that the person knows, by name. */
  readonly changed?: ReadonlyMap<string, ToolChange>;
  /** Tools that the person allowed for this window, as they are now defined. */
  readonly granted?: ReadonlySet<string>;
}

/** The rule that decided. `all`: the rule is the source's `*`. */
export type DecidedBy =
  | { readonly kind: 'default' | 'window' | 'unknown' }
  | { readonly kind: 'changed'; readonly change: ToolChange }
  | { readonly kind: 'editor'; readonly setting: string }
  | { readonly kind: 'personEntry' | 'personFile' | 'project'; readonly all: boolean };

export interface Decision {
  readonly word: PolicyWord;
  readonly by: DecidedBy;
}

export function decide(tool: string, rules: PolicyRules): PolicyWord {
  return explain(tool, rules).word;
}

/** Of several rules that are equally strict, the first is named, in the order of this list. */
export function explain(tool: string, rules: PolicyRules): Decision {
  const { editor, changed, granted } = rules;
  const change = changed?.get(tool);
  const said: readonly (Decision | undefined)[] = [
    given(editor?.wordOf(tool), { kind: 'editor', setting: editor?.setting ?? '' }),
    change && { word: 'ask', by: { kind: 'changed', change } },
    rules.unknown && { word: 'ask', by: { kind: 'unknown' } },
    ruleOf(tool, rules.personFile, 'personFile'),
    ruleOf(tool, rules.personEntry, 'personEntry'),
    ruleOf(tool, rules.project, 'project'),
  ];
  const strictest = said.reduce<Decision>(
    (one, other) => (other !== undefined && isStricter(other, one) ? other : one),
    nobody,
  );
  return isLiftable(strictest) && granted?.has(tool) === true ? forTheWindow : strictest;
}

/** What is said of all tools that have no rule of their own: nothing of what is known of one tool, also of one named `*`. */
export function explainAll({ personEntry, personFile, project, unknown }: PolicyRules): Decision {
  return explain('*', {
    ...(personEntry && { personEntry }),
    ...(personFile && { personFile }),
    ...(project && { project }),
    ...(unknown && { unknown }),
  });
}

/** Whether a yes may hold for more than one call: what the editor asks about, it asks about each time (POL-4). */
export function isLiftable({ word, by }: Decision): boolean {
  return word === 'ask' && by.kind !== 'editor';
}

/** One source out of several that hold at the same time: for each tool the strictest of what they say. */
export function strictestOf(sources: readonly PolicySource[]): PolicySource | undefined {
  const [only, ...others] = sources;
  if (only === undefined || others.length === 0) return only;
  const merged = Object.create(null) as Record<string, PolicyWord>;
  for (const name of new Set(sources.flatMap((source) => Object.keys(source)))) {
    const said = sources.map((source) => ruleOf(name, source, 'project')).filter((rule) => rule !== undefined);
    merged[name] = said.reduce((one, other) => (isStricter(other, one) ? other : one), nobody).word;
  }
  return merged;
}

const nobody: Decision = { word: 'allow', by: { kind: 'default' } };
const forTheWindow: Decision = { word: 'allow', by: { kind: 'window' } };

/** A rule that somebody wrote stands before the absence of one. */
function isStricter(one: Decision, other: Decision): boolean {
  const difference = policyWords.indexOf(one.word) - policyWords.indexOf(other.word);
  return difference > 0 || (difference === 0 && other === nobody);
}

function ruleOf(
  tool: string,
  source: PolicySource | undefined,
  kind: 'personEntry' | 'personFile' | 'project',
): Decision | undefined {
  if (source === undefined) return undefined;
  if (Object.hasOwn(source, tool)) return given(source[tool], { kind, all: tool === '*' });
  return Object.hasOwn(source, '*') ? given(source['*'], { kind, all: true }) : undefined;
}

/** A word that is none is a denial. */
function given(word: PolicyWord | undefined, by: DecidedBy): Decision | undefined {
  if (word === undefined) return undefined;
  return { word: policyWords.includes(word) ? word : 'deny', by };
}
