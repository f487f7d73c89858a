import type { Command } from './command.ts';
import { runDiagnosis, showDiagnosis } from './runDiagnosis.ts';
import { serverTarget } from './serverTarget.ts';

/** UI-4: one check for each step, with the remedy, as a document. */
export const diagnoseServer: Command = {
  name: 'server.diagnose',
  async run(app, target) {
    const server = await serverTarget(app, target);
    if (server !== undefined) await showDiagnosis(app, await runDiagnosis(app, server.key));
  },
};
