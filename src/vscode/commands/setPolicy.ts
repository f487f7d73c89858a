import { homedir } from 'node:os';
import { sep } from 'node:path';
import * as vscode from 'vscode';
import type { PolicyWord } from '../../contract/serverConfig.ts';
import { policyEdits } from '../../core/config/policyEdits.ts';
import { ManagerError } from '../../core/errors.ts';
import { explain, type PolicySource } from '../../core/policy/decide.ts';
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

async function pickTool(server: ServerView): Promise<string | undefined> {
  const tools = listOf(server, 'tools').map(({ name }) => ({
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
  | { readonly kind: 'rule'; readonly word: PolicyWord | undefined; readonly file: string };
/** A separator has no value. */
type Item = Choice<Rule | undefined>;

async function pickRule(app: App, server: ServerView, tool: string): Promise<Rule | undefined> {
  const { id } = server.server;
  const title =
    tool === all
      ? t('Policy of all tools of “{server}”', { server: id })
      : t('Policy of {tool} on “{server}”', { tool: shownName(tool), server: id });
  const prompt = t('Now: {policy}', { policy: policySentence(explain(tool, server.policies), t) });
  const granted = server.policies.granted ?? new Set();
  const askAgain: Item = {
    label: t('Ask Again'),
    description: t('takes back what you allowed for this window'),
    value: { kind: 'askAgain' },
  };
  const items = [
    ...(granted.has(tool) || (tool === all && granted.size > 0) ? [askAgain] : []),
    ...placesOf(app, server).flatMap((place) => itemsOf(place, tool)),
  ];
  const answer = await askChoice({ title, prompt }, items);
  return answer?.kind === 'given' ? answer.value : undefined;
}

interface Place {
  readonly label: string;
  readonly file: string;
  /** The rules that stand there now. */
  readonly rules: readonly (PolicySource | undefined)[];
}

/** The person's own file, and for a project's server its file too, which everybody who uses the folder gets. */
function placesOf(app: App, { server, policies }: ServerView): readonly Place[] {
  const { userFile } = app.config;
  const own = { label: t('For you'), file: userFile, rules: [policies.user, policies.person] };
  if (server.scope.kind === 'user') return [own];
  const label = t('For everybody who uses “{folder}”', { folder: shownName(server.scope.name) });
  return [own, { label, file: server.file, rules: [server.definition.toolPolicies] }];
}

function itemsOf({ label, file, rules }: Place, tool: string): readonly Item[] {
  const set = rules.flatMap((source) => (source !== undefined && Object.hasOwn(source, tool) ? [source[tool]] : []));
  const item = (name: string, word: PolicyWord | undefined, words: string): Item => {
    const picked = word === undefined ? set.length === 0 : set.includes(word);
    const description = picked ? t('{words} · set now', { words }) : words;
    return { label: name, description, picked, value: { kind: 'rule', word, file } };
  };
  return [
    { label: `${label}: ${shownLine(shortPath(file))}`, kind: vscode.QuickPickItemKind.Separator, value: undefined },
    item(t('Allow'), 'allow', decisionWords('allow', t)),
    item(t('Ask'), 'ask', decisionWords('ask', t)),
    item(t('Deny'), 'deny', decisionWords('deny', t)),
    item(t('No Rule'), undefined, tool === all ? t('the tools’ own rules hold') : t('the rule for all tools holds')),
  ];
}

function shortPath(file: string): string {
  const home = homedir();
  return file.startsWith(home + sep) ? `~${file.slice(home.length)}` : file;
}

async function write(
  app: App,
  { key, server }: ServerView,
  tool: string,
  { word, file }: Extract<Rule, { kind: 'rule' }>,
): Promise<void> {
  const rule = { server: server.id, tool, word };
  await app.config
    .store(file)
    ?.transform((current, raw) => policyEdits(raw, rule, current.scope.kind) ?? gone(server.id));
  app.manager.tools.revoke(key, tool);
  const now = app.model.server(key);
  if (now === undefined || word === undefined) return;
  const decision = explain(tool, now.policies);
  if (decision.word === word) return;
  const policy = policySentence(decision, t);
  void tell.info(t('Your rule is written, and a stricter one holds. {policy}', { policy }));
}

/** The project's file was changed while the person chose: the rule has no place in it. */
function gone(server: string): never {
  throw new ManagerError('unknownServer', { server });
}
