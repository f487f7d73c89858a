// How one node of the tree looks: short label, quiet description, one icon whose colour says whether a person is
// needed. Pure. Everything that a file or a server wrote passes through `shownLine`.
import { shownLine, shownName } from '../shownText.ts';
import { type PolicyWord, policyWords } from '../../contract/serverConfig.ts';
import type { ConfigProblem } from '../../core/config/model.ts';
import type { OfferKind } from '../../core/discovery/snapshot.ts';
import type { ServerView } from '../../core/manager/view.ts';
import { decide } from '../../core/policy/decide.ts';
import type { CommandName } from '../contributions.ts';
import { foundGroupRow, foundProblemRow, foundRootRow, foundServerRow } from '../found/foundRow.ts';
import { policyHint } from '../policyText.ts';
import { problemText } from '../problemText.ts';
import type { Translate } from '../translate.ts';
import { noteRow } from './noteRow.ts';
import { serverRow } from './serverRow.ts';
import { type ItemNode, keyOf, listOf, type RangeNode, type TreeModel, type TreeNode } from './treeModel.ts';

export interface Row {
  readonly label: string;
  readonly description?: string;
  /** A codicon with an optional theme colour. */
  readonly icon?: { readonly id: string; readonly color?: string };
  /** Flags joined by `+`, the kind first: what `when` clauses look at. */
  readonly flags: string;
  readonly collapsible: 'none' | 'collapsed' | 'expanded';
  /** What a screen reader says. */
  readonly spoken: string;
  /** What a click does: a command of ours, on the row's node, or one of the editor's own. */
  readonly command?: CommandName | EditorCommand;
  /** Milliseconds until it says something else by itself. */
  readonly changesIn?: number | undefined;
}

export interface EditorCommand {
  readonly id: 'workbench.trust.manage' | 'workbench.action.openSettings';
  readonly argument?: string;
}

export function rowOf(node: TreeNode, model: TreeModel, t: Translate): Row {
  switch (node.kind) {
    case 'problem':
      return problemRow(model.problem(node.file), node.file, t);
    case 'section': {
      const label = node.scope.kind === 'user' ? t('User') : shownLine(node.scope.name);
      const description = node.scope.kind === 'user' ? undefined : t('project');
      return { label, ...described(description), flags: 'section', collapsible: 'expanded', spoken: label };
    }
    case 'server':
      return serverRow(model.server(node.key), t);
    case 'note':
      return noteRow(node.note, t);
    case 'group':
      return groupRow(node.offer, model.server(node.key), t);
    case 'range':
      return rangeRow(node, t);
    case 'item':
      return itemRow(node, t);
    case 'found':
      return foundRootRow(model.found(), model.isBare(), t);
    case 'foundGroup':
      return foundGroupRow(model.foundGroup(node.group), t);
    case 'foundServer':
      return foundServerRow(model.foundServer(node.found), t);
    case 'foundProblem':
      return foundProblemRow(model.foundGroup(node.group), t);
  }
}

function problemRow(problem: ConfigProblem | undefined, file: string, t: Translate): Row {
  const name = file.split(/[\\/]/).slice(-2).join('/');
  const place = problem?.position;
  const description =
    place === undefined
      ? t('cannot be used')
      : t('line {line}, column {column}', { line: place.line, column: place.column });
  const spoken = problem === undefined ? name : problemText(problem, t).text;
  return {
    label: shownLine(name),
    description,
    icon: { id: 'error', color: 'list.errorForeground' },
    flags: 'problem',
    collapsible: 'none',
    spoken,
    command: 'problem.open',
  };
}

const groupIcons: Record<OfferKind, string> = {
  tools: 'tools',
  resources: 'library',
  resourceTemplates: 'symbol-snippet',
  prompts: 'comment-discussion',
};

function groupRow(offer: OfferKind, server: ServerView | undefined, t: Translate): Row {
  const count = listOf(server, offer).length;
  const incomplete = server?.snapshot?.incomplete.some((entry) => entry.kind === offer) === true;
  const label = groupLabel(offer, t);
  const counted = incomplete ? t('{count}, incomplete', { count }) : String(count);
  const policy = offer === 'tools' && server !== undefined ? policySummary(server, t) : [];
  const description = [counted, ...policy].join(' · ');
  return {
    label,
    description,
    icon: { id: groupIcons[offer] },
    flags: `group+${offer}`,
    collapsible: 'collapsed',
    spoken: `${label}: ${description}`,
  };
}

/** How many of the tools are denied, and how many ask. */
export function policySummary(server: ServerView, t: Translate): readonly string[] {
  const words = listOf(server, 'tools').map(({ name }) => decide(name, server.policies));
  return policyWords.toReversed().flatMap((word) => {
    const count = words.filter((each) => each === word).length;
    return count === 0 ? [] : (countWords(word, count, t) ?? []);
  });
}

/** What needs no saying has none. */
function countWords(word: PolicyWord, count: number, t: Translate): string | undefined {
  switch (word) {
    case 'allow':
      return undefined;
    case 'ask':
      return t('{count} set to ask', { count });
    case 'deny':
      return t('{count} denied', { count });
  }
}

function groupLabel(offer: OfferKind, t: Translate): string {
  switch (offer) {
    case 'tools':
      return t('Tools');
    case 'resources':
      return t('Resources');
    case 'resourceTemplates':
      return t('Resource Templates');
    case 'prompts':
      return t('Prompts');
  }
}

function rangeRow({ from, to, first, last }: RangeNode, t: Translate): Row {
  const label = `${from + 1} – ${to}`;
  return {
    label,
    description: t('{first} to {last}', { first: shownName(first), last: shownName(last) }),
    flags: 'range',
    collapsible: 'collapsed',
    spoken: t('Items {from} to {to}', { from: from + 1, to }),
  };
}

const itemLook: Record<OfferKind, { readonly icon: string; readonly flag: string; readonly command?: CommandName }> = {
  tools: { icon: 'symbol-method', flag: 'tool' },
  resources: { icon: 'file', flag: 'resource', command: 'resource.read' },
  resourceTemplates: { icon: 'file-symlink-file', flag: 'template', command: 'resource.read' },
  prompts: { icon: 'comment', flag: 'prompt' },
};

function itemRow({ offer, item, policy }: ItemNode, t: Translate): Row {
  const { icon, flag, command } = itemLook[offer];
  const label = shownName(item.name);
  const denied = policy.word === 'deny';
  const hint =
    policyHint(policy, t) ??
    quiet(offer === 'resources' || offer === 'resourceTemplates' ? keyOf(item) : item.raw['description']);
  return {
    label,
    ...described(hint),
    icon: denied ? { id: 'circle-slash', color: 'disabledForeground' } : { id: icon },
    flags: [flag, denied ? 'denied' : 'callable', ...(policy.by.kind === 'changed' ? ['changed'] : [])].join('+'),
    collapsible: 'none',
    spoken: hint === undefined ? label : `${label}, ${hint}`,
    ...(command === undefined ? {} : { command }),
  };
}

/** The first line of a description, short enough to stay quiet; the tooltip has it whole. */
function quiet(text: unknown): string | undefined {
  if (typeof text !== 'string') return undefined;
  return shownLine(text.trimStart().split('\n', 1)[0] ?? '', 100);
}

export function described(description: string | undefined): { description?: string } {
  return description === undefined || description === '' ? {} : { description };
}
