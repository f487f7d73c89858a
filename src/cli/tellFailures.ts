// Says what keeps a server from being served, or its lists from being whole, as soon as it is so: whoever starts `serve` or
// `proxy` sees no states, only what a call comes to. Each trouble is told once, and again only after the server was well.
import type { Disposable } from '../base/disposable.ts';
import type { Problem } from '../core/connection/state.ts';
import type { ServerView } from '../core/manager/view.ts';
import { line } from './output/shownText.ts';
import { wordsOf } from './output/words.ts';
import type { Servers } from './servers.ts';

export function tellFailures(
  { configured, view, gateway: { manager } }: Pick<Servers, 'configured' | 'view' | 'gateway'>,
  tell: (text: string) => void,
): Disposable {
  const told = new Map<string, string>();
  return manager.onDidChange((change) => {
    for (const { key, id } of configured) {
      if (change.kind === 'server' && change.key !== key) continue;
      const server = view(key);
      const text = troublesOf(server).map(textOf).join('\n');
      if (text === '') {
        if (server.state.kind === 'ready') told.delete(key);
      } else if (told.get(key) !== text) {
        told.set(key, text);
        tell(`${id}: ${text}`);
      }
    }
  });
}

function troublesOf({ state, warnings }: ServerView): readonly Problem[] {
  return 'problem' in state ? [state.problem] : warnings;
}

function textOf(problem: Problem): string {
  const { message, remedy } = wordsOf(problem);
  const last = problem.stderr?.at(-1);
  return `${message} ${remedy}${last === undefined ? '' : `\n  ${line(last, 200)}`}`;
}
