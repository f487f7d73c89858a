// Every id that package.json contributes, typed once; test/unit/vscode/contributions.test.ts holds the two together.

/** Commands by their short name; the full id is `roundhouse.<short name>`. */
export const commandNames = [
  'server.add',
  'server.start',
  'server.stop',
  'server.restart',
  'server.retry',
  'server.enable',
  'server.disable',
  'server.approve',
  'server.refresh',
  'server.edit',
  'server.remove',
  'server.test',
  'server.diagnose',
  'server.showLog',
  'server.copyId',
  'view.refresh',
  'userConfig.open',
  'projectConfig.open',
  'approvals.review',
  'approvals.manage',
  'values.manage',
  'tool.call',
  'tool.showDefinition',
  'tool.runArguments',
  'tools.review',
  'policy.set',
  'resource.read',
  'prompt.get',
  'item.copyName',
  'problem.open',
  'remote.turnOn',
  'calls.show',
  'agent.connect',
  'agent.disconnect',
  'agents.disconnectAll',
  'agents.copyConfig',
  'found.takeOver',
  'found.undo',
  'found.open',
  'question.show',
  'question.close',
] as const;

export type CommandName = (typeof commandNames)[number];

export function commandId(name: CommandName): `roundhouse.${CommandName}` {
  return `roundhouse.${name}`;
}

export const viewId = 'roundhouse.servers';

export const settingIds = {
  remoteEnabled: 'roundhouse.remote.enabled',
  inheritedEnvironment: 'roundhouse.env.inherit',
  journalEnabled: 'roundhouse.journal.enabled',
  gatewayEnabled: 'roundhouse.gateway.enabled',
  gatewayToolSearch: 'roundhouse.gateway.toolSearch',
  publishToEditor: 'roundhouse.gateway.publishToEditor',
} as const;

/** Of the servers that are published to the editor's own agent. */
export const providerId = 'roundhouse';

/** Context keys for `when` clauses. */
export const contextKeys = {
  /** The configuration was read for the first time. */
  loaded: 'roundhouse.loaded',
  /** At least one server waits for approval. */
  waiting: 'roundhouse.waiting',
  /** A question of ours is on the screen. */
  deciding: 'roundhouse.deciding',
} as const;

/** Schemes of our documents: read-only ones, and the arguments that a person edits. */
export const schemes = { readOnly: 'roundhouse', arguments: 'roundhouse-arguments' } as const;
