import type { Command } from './command.ts';

export const connectAgent: Command = {
  name: 'agent.connect',
  run: async (app) => (await import('../agents/agentFlows.ts')).connectAgent(app),
};
