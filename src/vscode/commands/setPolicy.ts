import { homedir } from 'node:os';
import { sep } from 'node:path';
import * as vscode from 'vscode';
import { type PolicyWord, policyWords } from '../../contract/serverConfig.ts';
import { policyEdits } from '../../core/config/policyEdits.ts';
import { ManagerError } from '../../core/errors.ts';
import { type Decision, explain, explainAll, type PolicyRules, type PolicySource } from '../../core/policy/decide.ts';
import type { ServerView } from '../../core/manager/view.ts';
import type { App } from '../app.ts';
import { askChoice, type Choice } from '../input/ask.ts';
import { decisionWords, policyHint, policySentence } from '../policyText.ts';
import { shownLine, shownName } from '../shownText.ts';
import { t } from '../strings.ts';
import { tell } from '../surfaces/tell.ts';
import { listOf } from '../views/treeModel.ts';
import type { Command } from './command.ts';
import { isItemNode, itemOfNode } from './itemOfNode.ts';
import { serverTarget } from './serverTarget.ts';

/** Sets what is done with a tool, or with all that have no rule of their own. Nothing reconnects (CFG-10). */
export const setPolicy: Command = {
  name: 'policy.set',
  async run(app, target) {
    const server = await serverTarget(app, target);
    if (server === undefined) return;
    if (isNamedLikeAll(target)) {
      void tell.info(t('A tool named “*” has no rule of its own: the rule for all tools holds for it.'));
      return;
    }
    const tool = toolOf(target) ?? (await pickTool(server));
    if (tool === undefined) return;
    const chosen = await pickRule(app, server, tool);
    if (chosen === undefined) return;
    if (chosen.kind === 'askAgain') app.manager.tools.revoke(server.key, tool);
    else await write(app, server, tool, chosen);
  },
};

const all = '*';

/** Undefined where the person has to choose: the command was called for no row. */
function toolOf(target: unknown): string | undefined {
  if (isItemNode(target)) {
    const item = itemOfNode(target);
    return item?.offer === 'tools' ? item.item.name : undefined;
  }
  return typeof target === 'object' && target !== null && 'key' in target ? all : undefined;
}

/** Its name is the key of the rule for all tools, which is not its own to change. */
function isNamedLikeAll(target: unknown): boolean {
  const item = isItemNode(target) ? itemOfNode(target) : undefined;
  return item?.offer === 'tools' && item.item.name === all;
}

/** What holds for a tool, or for all that have no rule of their own. */
function decisionOf(tool: string, rules: PolicyRules): Decision {
  return tool === all ? explainAll(rules) : explain(tool, rules);
}

async function pickTool(server: ServerView): Promise<string | undefined> {
  const named = listOf(server, 'tools').filter(({ name }) => name !== all);
  const tools = named.map(({ name }) => ({
    label: shownName(name),
    description: policyHint(explain(name, server.policies), t) ?? '',
    tool: name,
  }));
  const everyTool = { label: t('All tools'), description: t('those without a rule of their own'), tool: all };
  const title = t('Set a policy of “{server}”', { server: server.server.id });
  return (await vscode.window.showQuickPick([everyTool, ...tools], { title, matchOnDescription: true }))?.tool;
}

type Rule =
  | { readonly kind: 'askAgain' }
  | { readonly kind: 'rule'; readonly word: PolicyWord | undefined; readonly place: Place }
  | { readonly kind: 'elsewhere'; readonly place: Place };
/** A separator has no value. */
type Item = Choice<Rule | undefined>;

/** The person's own rules first; those of everybody who uses the folder are a step away, so that none is set by mistake. */
async function pickRule(
  app: App,
  server: ServerView,
  tool: string,
): Promise<Exclude<Rule, { kind: 'elsewhere' }> | undefined> {
  const { own, shared } = placesOf(app, server);
  const granted = server.policies.granted ?? new Set();
  const askAgain: Item = {
    label: t('Ask Again'),
    description: t('takes back what you allowed for this window'),
    value: { kind: 'askAgain' },
  };
  const prompt = t('Now: {policy}', { policy: policySentence(decisionOf(tool, server.policies), t) });
  const answer = await askChoice({ title: titleOf(server, tool), prompt }, [
    ...(granted.has(tool) || (tool === all && granted.size > 0) ? [askAgain] : []),
    ...rulesOf(own, server, tool),
    ...(shared === undefined ? [] : [sharedItem(shared)]),
  ]);
  const rule = answer?.kind === 'given' ? answer.value : undefined;
  if (rule?.kind !== 'elsewhere') return rule;
  const { place } = rule;
  const question = {
    title: titleOf(server, tool, place),
    prompt: t('Written to {file}', { file: shownPath(place.file) }),
  };
  const chosen = await askChoice(question, rulesOf(place, server, tool));
  return chosen?.kind === 'given' && chosen.value?.kind === 'rule' ? chosen.value : undefined;
}

function titleOf({ server: { id } }: ServerView, tool: string, place?: Place): string {
  const data = { server: id, tool: shownName(tool), folder: place?.folder ?? '' };
  if (place !== undefined)
    return tool === all
      ? t('Policy of all tools of “{server}”, for everybody who uses “{folder}”', data)
      : t('Policy of {tool} on “{server}”, for everybody who uses “{folder}”', data);
  return tool === all ? t('Policy of all tools of “{server}”', data) : t('Policy of {tool} on “{server}”', data);
}

interface Place {
  readonly file: string;
  /** The rules that stand there now. */
  readonly rules: readonly (PolicySource | undefined)[];
  /** What the folder is called whose users all get them. */
  readonly folder?: string;
}

/** The person's own file, and for a project's server its file too. */
function placesOf(app: App, { server, policies }: ServerView): { readonly own: Place; readonly shared?: Place } {
  const own = { file: app.config.userFile, rules: [policies.personEntry, policies.personFile] };
  if (server.scope.kind === 'user') return { own };
  const folder = shownName(server.scope.name);
  return { own, shared: { file: server.file, rules: [server.definition.toolPolicies], folder } };
}

function sharedItem(place: Place): Item {
  const label = t('Set for Everybody Who Uses “{folder}”…', { folder: place.folder ?? '' });
  return { label, description: shownPath(place.file), value: { kind: 'elsewhere', place } };
}

function rulesOf(place: Place, server: ServerView, tool: string): readonly Item[] {
  const rulesFor = (name: string): readonly PolicyWord[] =>
    place.rules
      .flatMap((source) => (source !== undefined && Object.hasOwn(source, name) ? [source[name]] : []))
      .filter((word) => word !== undefined);
  const set = rulesFor(tool);
  const item = (name: string, word: PolicyWord | undefined, words: string): Item => {
    const picked = word === undefined ? set.length === 0 : set.includes(word);
    const description = picked ? t('{words} · set now', { words }) : words;
    return { label: name, description, picked, value: { kind: 'rule', word, place } };
  };
  return [
    ...policyWords.map((word) => item(ruleLabel(word), word, decisionWords(word, t))),
    item(t('No Rule'), undefined, withoutRule(server, tool, rulesFor(all).length > 0)),
  ];
}

function withoutRule({ policies }: ServerView, tool: string, hasRuleForAll: boolean): string {
  if (tool === all) return t('each tool’s own rule holds');
  if (hasRuleForAll) return t('the rule for all tools holds');
  return decisionOf(tool, policies).by.kind === 'default' ? t('runs without asking') : t('what else is set holds');
}

function ruleLabel(word: PolicyWord): string {
  switch (word) {
    case 'allow':
      return t('Allow');
    case 'ask':
      return t('Ask');
    case 'deny':
      return t('Deny');
  }
}

function shownPath(file: string): string {
  return shownLine(shortPath(file));
}

function shortPath(file: string): string {
  const home = homedir();
  return file.startsWith(home + sep) ? `~${file.slice(home.length)}` : file;
}

async function write(
  app: App,
  { key, server }: ServerView,
  tool: string,
  { word, place }: Extract<Rule, { kind: 'rule' }>,
): Promise<void> {
  const rule = { server: server.id, tool, word };
  await app.config
    .store(place.file)
    ?.transform((current, raw) => policyEdits(raw, rule, current.scope.kind) ?? gone(server.id));
  app.manager.tools.revoke(key, tool);
  if (place.folder !== undefined) void tell.info(t('Written to {file}', { file: shownPath(place.file) }));
  const now = app.model.server(key);
  if (now === undefined || word === undefined) return;
  const decision = decisionOf(tool, now.policies);
  if (decision.word === word) return;
  const policy = policySentence(decision, t);
  void tell.info(t('Your rule is written, and a stricter one holds. {policy}', { policy }));
}

/** The project's file was changed while the person chose: the rule has no place in it. */
function gone(server: string): never {
  throw new ManagerError('unknownServer', { server });
}
