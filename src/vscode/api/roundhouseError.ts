// What calls of other extensions fail with: words that tell no launch and no file, and nothing of what is behind them.
import type { ApiError } from '../../contract/publicApi.ts';
import { problemOf } from '../../core/connection/failureState.ts';
import type { Problem } from '../../core/connection/state.ts';
import { ManagerError } from '../../core/errors.ts';
import type { ProblemText } from '../problemText.ts';

export class RoundhouseError extends Error implements ApiError {
  override readonly name = 'RoundhouseError';
  readonly code: string;
  readonly outcome: ApiError['outcome'];
  readonly remedy: string;
  readonly server?: string;
  readonly tool?: string;

  constructor(error: unknown, words: (problem: Problem) => ProblemText) {
    const problem = problemOf(error);
    const { text, remedy } = words(problem);
    super(text);
    const { server, tool } = problem.data;
    this.code = problem.code;
    this.remedy = remedy;
    this.outcome = error instanceof ManagerError ? error.outcome : 'unknown';
    if (typeof server === 'string') this.server = server;
    if (typeof tool === 'string') this.tool = tool;
    Object.freeze(this);
  }
}
