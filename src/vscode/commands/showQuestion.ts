import { openQuestions } from '../approvals/openQuestions.ts';
import { t } from '../strings.ts';
import { tell } from '../surfaces/tell.ts';
import type { Command } from './command.ts';

/** Puts a question on the screen again that something else pushed away. */
export const showQuestion: Command = {
  name: 'question.show',
  run: () => {
    if (openQuestions.pushedAway.size === 0) void tell.info(t('No question waits for you.'));
    openQuestions.showAgain();
    return Promise.resolve();
  },
};
