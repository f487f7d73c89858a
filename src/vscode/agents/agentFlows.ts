// What a person does with agents: connect one, disconnect one, disconnect all (GATE-8).
import * as vscode from 'vscode';
import type { AgentView, Agents } from '../../core/agents/agents.ts';
import type { UndoOutcome } from '../../core/agents/editLedger.ts';
import { withProgress } from '../adapters/withProgress.ts';
import type { App } from '../app.ts';
import { openAt } from '../commands/openAt.ts';
import { t } from '../strings.ts';
import { tell } from '../surfaces/tell.ts';
import { agentDetail, agentStateText, undoneText } from './agentText.ts';
import { previewConnect } from './connectPreview.ts';

export { agentsHere } from './agentsHere.ts';

export async function connectAgent(app: App): Promise<void> {
  const agents = await app.agents();
  const view = await pickAgent(agents, {
    title: t('Connect an Agent'),
    placeHolder: t('Choose the agent to connect to your servers'),
    wanted: () => true,
  });
  if (view === undefined) return;
  switch (view.state.kind) {
    case 'connected':
      void tell.info(t('{agent} is connected already.', { agent: view.name }));
      return;
    case 'refused':
      showRefused(view);
      return;
    default:
      await connectTo(app, agents, view);
  }
}

export async function disconnectAgent(app: App): Promise<void> {
  const agents = await app.agents();
  const view = await pickAgent(agents, {
    title: t('Disconnect an Agent'),
    placeHolder: t('Choose the agent to disconnect from your servers'),
    wanted: ({ state }) => state.kind === 'connected' || state.kind === 'stale',
  });
  if (view === undefined) return;
  const disconnect = (options: { readonly removeChanged: boolean }): Promise<UndoOutcome> =>
    withProgress(t('Disconnecting {agent}…', { agent: view.name }), ({ signal }) =>
      agents.disconnect(view.id, { signal, ...options }),
    );
  const outcome = await disconnect({ removeChanged: false });
  if (outcome === 'changedSince') {
    if (!(await removesChanged(view))) return;
    await disconnect({ removeChanged: true });
  }
  void tell.info(
    t('{agent} is disconnected. Its sessions that are running now keep your servers until they end.', {
      agent: view.name,
    }),
  );
}

/** Enter keeps it. */
async function removesChanged({ name: agent, file }: AgentView): Promise<boolean> {
  const keep: vscode.MessageItem = { title: t('Keep') };
  const remove: vscode.MessageItem = { title: t('Remove') };
  const question = t('The entry of {agent} was changed by somebody since. Remove it all the same?', { agent });
  const detail = t('Kept, it stays as it is in {file}, and {agent} keeps the servers.', { agent, file });
  return (await tell.ask(question, detail, keep, remove)) === remove;
}

export async function disconnectAllAgents(app: App): Promise<void> {
  const agents = await app.agents();
  const connected = (await lookForAgents(agents)).filter(
    ({ state }) => state.kind === 'connected' || state.kind === 'stale',
  );
  const names = connected.map(({ name }) => name).join(', ');
  if (connected.length === 0 && !(await agents.hasEdits())) {
    void tell.info(t('No agent is connected.'));
    return;
  }
  const keep = { title: names === '' ? t('Keep the Changes') : t('Keep Connected') };
  const go = { title: names === '' ? t('Undo All') : t('Disconnect All') };
  const detail = t(
    'Every change that MCP Roundhouse made in the files of other programs is undone, also what was taken over from them. What you changed there since stays.',
  );
  const message =
    names === ''
      ? t('Undo every change in the files of other programs?')
      : t('Disconnect all agents: {names}?', { names });
  if ((await tell.ask(message, detail, keep, go)) !== go) return;
  const results = await withProgress(t('Disconnecting agents…'), async ({ signal }) => {
    const undone = await agents.disconnectAll({ signal });
    // Entries of ours that nothing is noted of.
    for (const { id } of connected) {
      if (!undone.some(({ record }) => record.client === id)) await agents.disconnect(id, { signal });
    }
    return undone;
  });
  const text = undoneText(results, t);
  const clean = results.every(({ outcome }) => outcome === 'undone' || outcome === 'alreadyGone');
  if (!clean) void tell.warn(text);
  else void tell.info(text === '' ? t('No agent is connected.') : text);
}

async function connectTo(app: App, agents: Agents, view: AgentView): Promise<void> {
  // The launcher that the entry names has to work before anybody starts it.
  await withProgress(t('Preparing the launcher…'), () => app.agentConfig());
  const plan = await agents.planConnect(view.id, { replace: view.state.kind === 'taken' });
  if (!(await previewConnect(plan))) return;
  await withProgress(t('Connecting {agent}…', { agent: view.name }), ({ signal }) => agents.connect(plan, { signal }));
  const message = t('{agent} is connected. Its next session has your servers.', { agent: view.name });
  offerFile(tell.info(message, t('Open File')), view);
}

function showRefused(view: AgentView): void {
  offerFile(tell.error(agentDetail(view, t), t('Open File')), view);
}

/** Not awaited: the message stays for as long as the person leaves it there. */
function offerFile(answer: Thenable<string | undefined>, { file, state }: AgentView): void {
  const position = state.kind === 'refused' ? state.problem.position : undefined;
  void answer.then((picked) => (picked === undefined ? undefined : openAt(file, position)));
}

function lookForAgents(agents: Agents): Promise<readonly AgentView[]> {
  return withProgress(t('Looking for agents…'), () => agents.views());
}

interface PickOptions {
  readonly title: string;
  readonly placeHolder: string;
  readonly wanted: (view: AgentView) => boolean;
}

interface AgentItem extends vscode.QuickPickItem {
  readonly view?: AgentView;
}

/** Those that are there first. */
async function pickAgent(agents: Agents, { title, placeHolder, wanted }: PickOptions): Promise<AgentView | undefined> {
  const views = (await lookForAgents(agents)).filter(wanted);
  if (views.length === 0) {
    void tell.info(t('No agent is connected.'));
    return undefined;
  }
  const here = views.filter(({ state }) => state.kind !== 'notInstalled');
  const others = views.filter(({ state }) => state.kind === 'notInstalled');
  const separator: AgentItem = { label: t('Not Found on This Machine'), kind: vscode.QuickPickItemKind.Separator };
  const items = [...here.map(itemOf), ...(others.length === 0 ? [] : [separator, ...others.map(itemOf)])];
  const picked = await vscode.window.showQuickPick(items, { title, placeHolder, matchOnDescription: true });
  return picked?.view;
}

function itemOf(view: AgentView): AgentItem {
  return { label: view.name, description: agentStateText(view.state, t), detail: agentDetail(view, t), view };
}
