// A server as other extensions see it: its state and its words, nothing of its launch. Pure.
import type { ApiServer } from '../../contract/publicApi.ts';
import type { Problem } from '../../core/connection/state.ts';
import type { ServerView } from '../../core/manager/view.ts';
import type { ProblemText } from '../problemText.ts';

export function serverOf(
  { server, role, state, snapshot }: ServerView,
  words: (problem: Problem) => ProblemText,
): ApiServer {
  const problem = 'problem' in state ? state.problem : undefined;
  return Object.freeze<ApiServer>({
    id: server.id,
    scope: server.scope.kind,
    serving: role === 'serving' || role === 'standIn',
    state: state.kind,
    ...(state.kind === 'blocked' && { blockedBy: state.by }),
    ...(problem && { problem: Object.freeze(problemWords(problem, words)) }),
    ...(state.kind === 'ready' && { era: state.negotiated.era, revision: state.negotiated.revision }),
    tools: Object.freeze(snapshot?.tools.map(({ name }) => name) ?? []),
  });
}

function problemWords(problem: Problem, words: (problem: Problem) => ProblemText): NonNullable<ApiServer['problem']> {
  const { text, remedy } = words(problem);
  return { code: problem.code, message: text, remedy };
}
