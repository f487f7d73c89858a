// The difference between what a person approved and what is there now, in the same lines in which both are shown (product
// TRUST-3). Pure.
import type { LaunchDescription } from '../../core/ports.ts';
import type { Translate } from '../translate.ts';
import { argumentField, type LaunchLine, launchLines } from './launchLines.ts';

/** Each line begins with what happened to it. Empty where the two show alike. */
export function launchChanges(before: LaunchDescription, now: LaunchDescription, t: Translate): readonly string[] {
  const [old, fresh] = [launchLines(before, t), launchLines(now, t)].map((lines) => lines.filter(tellsSomething));
  if (old === undefined || fresh === undefined) return [];
  const pairs: Pair[] = [];
  let paired = false;
  for (const line of fresh) {
    if (line.field !== argumentField) pairs.push([old.find(({ field }) => field === line.field), line]);
    else if (!paired) pairs.push(...argumentPairs(old.filter(isArgument), fresh.filter(isArgument)));
    paired ||= line.field === argumentField;
  }
  if (!paired) pairs.push(...argumentPairs(old.filter(isArgument), []));
  const gone = old.filter((line) => !isArgument(line) && !fresh.some(({ field }) => field === line.field));
  pairs.push(...gone.map((line): Pair => [line, undefined]));
  return pairs.flatMap(([was, is]) => wordsOf(was, is, t));
}

type Pair = readonly [LaunchLine | undefined, LaunchLine | undefined];

/** What is the same at both ends is no change, so that one that was put in does not change all behind it. */
function argumentPairs(old: readonly LaunchLine[], fresh: readonly LaunchLine[]): readonly Pair[] {
  const most = Math.min(old.length, fresh.length);
  let head = 0;
  while (head < most && old[head]?.value === fresh[head]?.value) head += 1;
  let tail = 0;
  while (tail < most - head && old.at(-1 - tail)?.value === fresh.at(-1 - tail)?.value) tail += 1;
  const [was, is] = [old.slice(head, old.length - tail), fresh.slice(head, fresh.length - tail)];
  return Array.from({ length: Math.max(was.length, is.length) }, (_, index) => [was[index], is[index]] as const);
}

function wordsOf(was: LaunchLine | undefined, is: LaunchLine | undefined, t: Translate): readonly string[] {
  if (was === undefined) return is === undefined ? [] : [t('New: {line}', { line: is.text })];
  if (is === undefined) return [t('Gone: {line}', { line: was.text })];
  if (was.text === is.text) return [];
  return [t('Before: {line}', { line: was.text }), t('Now: {line}', { line: is.text })];
}

function isArgument({ field }: LaunchLine): boolean {
  return field === argumentField;
}

/** That there is none of something is no line that could come or go. */
function tellsSomething({ field }: LaunchLine): boolean {
  return field !== 'no argument' && field !== 'no header';
}
