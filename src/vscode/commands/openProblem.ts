import type { Command } from './command.ts';
import { openAt } from './openAt.ts';

/** Opens a configuration file where it is wrong; without a target, the first one that is. */
export const openProblem: Command = {
  name: 'problem.open',
  async run(app, target) {
    const file = fileOf(target) ?? app.manager.view().problems[0]?.file;
    const problem = file === undefined ? undefined : app.model.problem(file);
    if (problem !== undefined) await openAt(problem.file, problem.position);
  },
};

function fileOf(target: unknown): string | undefined {
  if (typeof target !== 'object' || target === null || !('file' in target)) return undefined;
  return typeof target.file === 'string' ? target.file : undefined;
}
