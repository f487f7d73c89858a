import { openQuestions } from '../approvals/openQuestions.ts';
import type { Command } from './command.ts';

/** Behind Escape: the question on the screen is closed, where nothing tells that from another list coming up. */
export const closeQuestion: Command = {
  name: 'question.close',
  run: () => Promise.resolve(openQuestions.shown?.close()),
};
