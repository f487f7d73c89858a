// What `doctor` tells of processes: those that run for this person, and what programs that were killed had left (KEEP-5).
import type { ProcessReport } from '../servers.ts';
import { line } from './shownText.ts';

/** Ends with a line end. */
export function processesText({ running, ended, unguarded }: ProcessReport): string {
  const lines = [running.length === 0 ? 'no server process of yours runs now' : 'server processes that run now:'];
  for (const { owner, server, pid, since } of running) {
    lines.push(`  ${line(server, 100)}: pid ${pid}, started by pid ${owner}, since ${new Date(since).toISOString()}`);
  }
  if (ended === undefined) lines.push('whether a program that was killed left any could not be found out');
  else if (ended.found > 0) lines.push(`ended what a program that was killed had left: ${count(ended.found)}`);
  if (ended !== undefined && ended.left.length > 0) {
    lines.push(`could not be ended: ${ended.left.map(({ pid }) => `pid ${pid}`).join(', ')}`);
  }
  if (unguarded !== undefined) lines.push(`nothing would end servers of a program that is killed: ${line(unguarded)}`);
  return `${lines.join('\n')}\n`;
}

function count(processes: number): string {
  return processes === 1 ? '1 process' : `${processes} processes`;
}
