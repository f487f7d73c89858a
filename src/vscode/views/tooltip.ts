// The tooltip of a node as Markdown in which only our own words are markup: what servers and files wrote is escaped
// text, so a link, an image or a command in a description stays letters.
import { markdownText } from '../../base/sanitise.ts';
import type { ServerSnapshot } from '../../core/discovery/snapshot.ts';
import { limits } from '../../core/limits.ts';
import type { ServerView } from '../../core/manager/view.ts';
import { explainAll } from '../../core/policy/decide.ts';
import { foundTooltip } from '../found/foundTooltip.ts';
import { policySentence, toolsSentence } from '../policyText.ts';
import { problemText } from '../problemText.ts';
import { shownName } from '../shownText.ts';
import type { Translate } from '../translate.ts';
import { noteText } from './noteRow.ts';
import { type Note, notesOf } from './notes.ts';
import { stateWords } from './serverRow.ts';
import { originOf, shownCommand } from './shownTarget.ts';
import { policySummary } from './treeRow.ts';
import { type ItemNode, keyOf, type TreeModel, type TreeNode } from './treeModel.ts';

/** Undefined where the row says it all. */
export function tooltipOf(node: TreeNode, model: TreeModel, t: Translate): string | undefined {
  switch (node.kind) {
    case 'problem': {
      const problem = model.problem(node.file);
      return problem === undefined ? undefined : sentence(problemText(problem, t));
    }
    case 'server': {
      const server = model.server(node.key);
      return server === undefined ? undefined : serverTooltip(server, t);
    }
    case 'note':
      return noteTooltip(node.note, t);
    case 'item':
      return itemTooltip(node, t);
    case 'section':
      return node.scope.kind === 'user' ? undefined : markdownText(node.scope.folder);
    case 'foundServer': {
      const server = model.foundServer(node.found);
      return server === undefined ? undefined : foundTooltip(server, t);
    }
    case 'foundProblem': {
      const problem = model.foundGroup(node.group)?.problem?.problem;
      return problem === undefined ? undefined : sentence(problemText(problem, t));
    }
    case 'found':
      return t('Servers in the files of other clients. Nothing here runs them until you take them over.');
    case 'foundGroup':
    case 'group':
    case 'range':
      return undefined;
  }
}

function noteTooltip(note: Note, t: Translate): string {
  return 'problem' in note ? problemTooltip(note.problem, t) : markdownText(noteText(note, t));
}

function serverTooltip(server: ServerView, t: Translate): string {
  const { definition, id, file } = server.server;
  const negotiated = server.state.kind === 'ready' ? server.state.negotiated : undefined;
  const facts: (readonly [string, string] | undefined)[] = [
    [t('State'), stateText(server, t)],
    server.snapshot && [t('Offers'), offerText(server.snapshot, t)],
    negotiated && [t('MCP revision'), `${negotiated.revision} (${eraWord(negotiated.era, t)})`],
    negotiated?.serverName === undefined
      ? undefined
      : [t('Server'), `${negotiated.serverName} ${negotiated.serverVersion ?? ''}`.trim()],
    [t('Runs'), placeOf(server, t)],
    definition.kind === 'stdio' ? [t('Command'), shownCommand(definition)] : [t('URL'), originOf(definition.url)],
    [t('Defined in'), file],
    [t('Tools'), policyText(server, t)],
  ];
  const head = `**${markdownText(id)}**${definition.description === undefined ? '' : `\n\n${markdownText(definition.description)}`}`;
  const body = facts
    .filter((fact) => fact !== undefined)
    .map(([name, value]) => `- ${name}: ${markdownText(shortened(value))}`)
    .join('\n');
  const notes = notesOf(server).map((note) => noteTooltip(note, t));
  return [head, body, ...notes].join('\n\n');
}

function stateText(server: ServerView, t: Translate): string {
  const { state } = server;
  if (state.kind === 'ready') return t('ready');
  const words = stateWords(server, t);
  if (state.kind !== 'backingOff') return words;
  const tries = limits.supervision.delays.length;
  return t('{state}, try {attempt} of {tries}', { state: words, attempt: state.attempt, tries });
}

/** What holds for a tool that has no rule of its own, then those for which something else does. */
function policyText(server: ServerView, t: Translate): string {
  return [toolsSentence(explainAll(server.policies), t), ...policySummary(server, t)].join(', ');
}

function offerText(snapshot: ServerSnapshot, t: Translate): string {
  const { tools, resources, resourceTemplates, prompts } = snapshot;
  return t('{tools} tools, {resources} resources, {templates} resource templates, {prompts} prompts', {
    tools: tools.length,
    resources: resources.length,
    templates: resourceTemplates.length,
    prompts: prompts.length,
  });
}

function eraWord(era: 'legacy' | 'modern', t: Translate): string {
  return era === 'legacy' ? t('legacy era') : t('modern era');
}

function placeOf({ server, state }: ServerView, t: Translate): string {
  if (server.definition.kind === 'remote') return t('on another machine');
  const pid = state.kind === 'ready' ? state.negotiated.pid : undefined;
  return pid === undefined ? t('on this machine') : t('on this machine, process {pid}', { pid });
}

function problemTooltip(
  problem: Parameters<typeof problemText>[0] & { stderr?: readonly string[] },
  t: Translate,
): string {
  const lines = problem.stderr ?? [];
  const tail = lines.length === 0 ? [] : [t('Its last lines:'), lines.map((line) => markdownText(line)).join('  \n')];
  return [sentence(problemText(problem, t)), ...tail].join('\n\n');
}

function sentence({ text, remedy }: { text: string; remedy: string }): string {
  return `${markdownText(text)}\n\n${markdownText(remedy)}`;
}

function itemTooltip({ offer, item, policy }: ItemNode, t: Translate): string {
  const title = item.raw['title'];
  const description = item.raw['description'];
  const parts = [
    `**${markdownText(shownName(item.name))}**`,
    typeof title === 'string' && title !== item.name ? markdownText(title) : undefined,
    offer === 'resources' || offer === 'resourceTemplates' ? markdownText(keyOf(item)) : undefined,
    typeof description === 'string' ? markdownText(shortened(description)) : undefined,
    offer === 'tools' ? policySentence(policy, t) : undefined,
  ];
  return parts.filter((part) => part !== undefined).join('\n\n');
}

function shortened(text: string): string {
  return text.length > 2000 ? `${text.slice(0, 2000)}…` : text;
}
