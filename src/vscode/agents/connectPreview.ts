// Shows exactly what connecting would do, whole, on a page below the question: a file's change, or an agent's own command.
// The refusal comes first, and closing the question is one.
import { homedir } from 'node:os';
import { sep } from 'node:path';
import type { ConnectPlan } from '../../core/agents/agents.ts';
import { shownCommand } from '../../core/agents/ownCommand.ts';
import { askInList } from '../approvals/askPerson.ts';
import { besideQuestion, pagePrompt } from '../approvals/besideQuestion.ts';
import type { PageSection } from '../approvals/questionPage.ts';
import { shownLine } from '../shownText.ts';
import { t } from '../strings.ts';
import { shownEdit } from './shownEdit.ts';

/** Whether the person said yes. */
export async function previewConnect(plan: ConnectPlan): Promise<boolean> {
  const isCommand = plan.commands !== undefined;
  const refuse = { label: t('Don’t Connect') };
  const accept = { label: isCommand ? t('Run the Command') : acceptLabel(plan) };
  const choices = [refuse, accept];
  const title = isCommand ? commandQuestion(plan) : changeQuestion(plan);
  const page = { title, sections: isCommand ? commandSections(plan) : changeSections(plan) };
  const ask = (): Promise<typeof refuse | undefined> =>
    askInList(choices, { title, prompt: pagePrompt() }, new AbortController().signal);
  return (await besideQuestion({ name: title, page, choices }, ask)) === accept;
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

function changeSections({ agent, edit }: ConnectPlan): readonly PageSection[] {
  const { lines, from } = shownEdit(edit);
  const data = { file: shownPath(agent.file), line: from };
  const heading =
    edit.before === undefined
      ? t('{file}, which is made', data)
      : t('{file}, from line {line}; the rest of it stays as it is', data);
  return [{ heading, lines }];
}
