// Shows exactly what connecting would do, and asks: a file's change in a diff editor, an agent's own command on a page, whole.
// The refusal comes first, and closing the question is one.
import { homedir } from 'node:os';
import { basename, sep } from 'node:path';
import * as vscode from 'vscode';
import type { ConnectPlan } from '../../core/agents/agents.ts';
import { shownCommand } from '../../core/agents/ownCommand.ts';
import type { MemoryFiles } from '../adapters/memoryFiles.ts';
import { askInList } from '../approvals/askPerson.ts';
import { besideQuestion, pagePrompt } from '../approvals/besideQuestion.ts';
import type { PageSection } from '../approvals/questionPage.ts';
import { shownLine } from '../shownText.ts';
import { t } from '../strings.ts';
import { closeTabs } from '../surfaces/closeTabs.ts';
import { shownEdit } from './shownEdit.ts';

/** Whether the person said yes. */
export async function previewConnect(plan: ConnectPlan, documents: MemoryFiles): Promise<boolean> {
  const refuse = { label: t('Don’t Connect') };
  const accept = { label: plan.commands === undefined ? acceptLabel(plan) : t('Run the Command') };
  const choices = [refuse, accept];
  const ask = (title: string, prompt: string): Promise<typeof refuse | undefined> =>
    askInList(choices, { title, prompt }, new AbortController().signal);
  if (plan.commands !== undefined) {
    const title = commandQuestion(plan);
    const page = { title, sections: commandSections(plan) };
    return (await besideQuestion({ name: title, page, choices }, () => ask(title, pagePrompt()))) === accept;
  }
  const sides = putSides(plan, documents);
  try {
    await openDiff(plan, sides);
    // No title and no details: the list lies over the top of the change, which may be one line.
    return (await ask('', changeQuestion(plan))) === accept;
  } finally {
    await closeDiff(sides.after);
    // They hold what another program has in its file.
    documents.delete(sides.before);
    documents.delete(sides.after);
  }
}

function commandQuestion({ agent }: ConnectPlan): string {
  return agent.state.kind === 'stale'
    ? t('Bring the entry in {agent} up to date?', { agent: agent.name })
    : t('Connect {agent} to MCP Roundhouse?', { agent: agent.name });
}

function changeQuestion({ agent, edit }: ConnectPlan): string {
  const data = { agent: agent.name, file: shownPath(agent.file) };
  switch (agent.state.kind) {
    case 'taken':
      return t('Replace {agent}’s own server “roundhouse” in {file} as below?', data);
    case 'stale':
      return t('Update the entry of {agent} in {file} as below?', data);
    default:
      return edit.before === undefined
        ? t('Connect {agent} by creating {file} as below?', data)
        : t('Connect {agent} by changing {file} as below?', data);
  }
}

function shownPath(file: string): string {
  const home = homedir();
  return shownLine(file.startsWith(home + sep) ? `~${file.slice(home.length)}` : file);
}

function acceptLabel({ agent }: ConnectPlan): string {
  if (agent.state.kind === 'taken') return t('Replace It');
  return agent.state.kind === 'stale' ? t('Update') : t('Connect');
}

function commandSections({ agent, edit, commands }: ConnectPlan): readonly PageSection[] {
  const entry = JSON.stringify(edit.entryAfter?.raw, undefined, 2).split('\n');
  return [
    { heading: t('What runs, in this order and without a shell'), lines: commands?.connect.map(shownCommand) ?? [] },
    {
      heading: t('What it is expected to write'),
      lines: [agent.file, ...entry.map((text) => ({ side: 'now' as const, text }))],
    },
  ];
}

interface Sides {
  readonly before: vscode.Uri;
  readonly after: vscode.Uri;
  /** The change's last line, from 0. */
  readonly line: number;
}

function putSides({ agent, edit }: ConnectPlan, documents: MemoryFiles): Sides {
  const name = basename(edit.file.path).replace(/^\./, '');
  const { before, after, line } = shownEdit(edit);
  return {
    before: documents.put(`/agents/${agent.id}/before/${name}`, before),
    after: documents.put(`/agents/${agent.id}/after/${name}`, after),
    line,
  };
}

async function openDiff({ agent, edit }: ConnectPlan, { before, after, line }: Sides): Promise<void> {
  const title = t('{file}: before and after connecting {agent}', { file: basename(edit.file.path), agent: agent.name });
  await vscode.commands.executeCommand('vscode.diff', before, after, shownLine(title), {
    preview: true,
    preserveFocus: true,
    // In the middle of the editor, below the list, where the file is long enough.
    selection: new vscode.Range(line, 0, line, 0),
  } satisfies vscode.TextDocumentShowOptions);
}

async function closeDiff(modified: vscode.Uri): Promise<void> {
  const tabs = vscode.window.tabGroups.all.flatMap((group) => group.tabs);
  const ours = tabs.filter(
    ({ input }) => input instanceof vscode.TabInputTextDiff && input.modified.toString() === modified.toString(),
  );
  await closeTabs(ours);
}
