import type { Command } from './command.ts';

export const disconnectAgent: Command = {
  name: 'agent.disconnect',
  run: async (app) => (await import('../agents/agentFlows.ts')).disconnectAgent(app),
};
