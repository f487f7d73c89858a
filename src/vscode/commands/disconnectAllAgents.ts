import type { Command } from './command.ts';

export const disconnectAllAgents: Command = {
  name: 'agents.disconnectAll',
  run: async (app) => (await import('../agents/agentFlows.ts')).disconnectAllAgents(app),
};
