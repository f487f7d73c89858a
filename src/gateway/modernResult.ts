// A result in the form of the modern era: each says of what kind it is, and those that may be kept say for how long and
// for whom (2026-07-28, SEP-2549). What a modern server sent has all of it and is left as it is.
import type { JsonObject } from '../contract/json.ts';
import type { RawResult } from '../core/connection/liveClient.ts';
import type { RawAnswer } from '../core/transport/rawAnswer.ts';
import type { Outcome } from './reply.ts';

/** Nothing is to be kept: what changes is announced, and nobody shares what one client was told. */
const notKept = { ttlMs: 0, cacheScope: 'private' } as const;

const cacheable = new Set([
  'tools/list',
  'prompts/list',
  'resources/list',
  'resources/templates/list',
  'resources/read',
  'server/discover',
]);

export function modernResult(method: string, outcome: Outcome): Outcome {
  if (outcome.kind === 'error') return modernError(method, outcome);
  if (outcome.era === 'modern') return outcome;
  const marks: JsonObject = { resultType: 'complete', ...(cacheable.has(method) ? notKept : {}) };
  if (outcome.kind === 'value') return { kind: 'value', result: { ...outcome.result, ...marks } };
  const { frame, resultFrom, resultTo } = outcome.answer;
  const open = frame.subarray(resultFrom, resultTo - 1);
  const isEmpty = open.toString('latin1').trim() === '{';
  const text = `${isEmpty ? '' : ','}${JSON.stringify(marks).slice(1)}`;
  // Behind all that the server said: of two marks the last one counts.
  const marked = Buffer.concat([open, Buffer.from(text)]);
  return { kind: 'raw', answer: { ...outcome.answer, frame: marked, resultFrom: 0, resultTo: marked.length } };
}

/** A resource that is not there had a code of its own before (2026-07-28, resources, SEP-2164). */
function modernError(method: string, outcome: Extract<Outcome, { kind: 'error' }>): Outcome {
  if (method !== 'resources/read' || outcome.error.code !== -32002) return outcome;
  return { kind: 'error', error: { ...outcome.error, code: -32602 } };
}

/** A result of a modern server as a legacy client knows it. */
export function legacyResult(outcome: RawResult): JsonObject {
  const result = outcome.kind === 'value' ? outcome.result : read(outcome.answer);
  return Object.fromEntries(Object.entries(result).filter(([name]) => !modernOnly.has(name)));
}

/** The same outcome, its result read. */
export function asValue(outcome: Outcome): Exclude<Outcome, { kind: 'raw' }> {
  return outcome.kind === 'raw' ? { ...outcome, kind: 'value', result: read(outcome.answer) } : outcome;
}

const modernOnly = new Set(['resultType', 'ttlMs', 'cacheScope']);

export function read({ frame, resultFrom, resultTo }: RawAnswer): JsonObject {
  return JSON.parse(frame.toString('utf8', resultFrom, resultTo)) as JsonObject;
}
