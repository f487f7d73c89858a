// The lines of the journal of calls (POL-3): one that names the process, then one before each call goes out and one when
// it has ended. Holds names, sizes and codes: no argument, no result, no text of an error has a place in it. What does
// not fit is no line: a reader skips it.
import * as z from 'zod/mini';
import { Redactor } from '../../base/redact.ts';
import { visibleLine } from '../../base/sanitise.ts';
import { policyWords } from '../../contract/serverConfig.ts';
import { limits } from '../limits.ts';
import { consents } from '../ports.ts';

const { name, folder, line } = limits.journal;
const text = (most: number): z.ZodMiniString => z.string().check(z.maxLength(most));
const amount = z.number().check(z.minimum(0));
const id = z.string().check(z.regex(/^[\w-]{1,64}$/));
const decision = z.enum(policyWords);
const answer = z.optional(z.enum(consents));

/** T1: on the disk before the call goes out. `at` is milliseconds since the epoch, sizes are as `CallStart` has them. */
const start = z.object({
  kind: z.literal('start'),
  id,
  at: amount,
  server: text(name),
  scope: z.enum(['user', 'project']),
  folder: z.optional(text(folder)),
  tool: text(name),
  caller: z.enum(['tree', 'commandLine', 'api', 'gateway']),
  callerName: text(name),
  decision,
  answer,
  argumentSize: amount,
});
export type JournalStart = z.infer<typeof start>;

/** T2: what became of it. `duration` is in milliseconds. */
const end = z.object({
  kind: z.literal('end'),
  id,
  at: amount,
  duration: amount,
  outcome: z.enum(['notSent', 'unknown', 'completed']),
  code: z.optional(z.string().check(z.regex(/^[A-Za-z]{1,64}$/))),
  isError: z.optional(z.boolean()),
  resultSize: z.optional(amount),
  decision: z.optional(decision),
  answer,
});
export type JournalEnd = z.infer<typeof end>;

/** The first line of each file: whose it is (see core/config/processIdentity.ts). */
const owner = z.object({
  kind: z.literal('process'),
  version: z.literal(1),
  pid: z.int(),
  start: z.string(),
  boot: z.string(),
  host: z.string(),
  namespace: z.string(),
});

const entry = z.discriminatedUnion('kind', [start, end, owner]);
export type JournalEntry = z.infer<typeof entry>;

export function lineOf(written: JournalEntry): string {
  return `${JSON.stringify(written)}\n`;
}

/** Undefined for what is none of ours: a torn line, one of a later version, one that somebody else wrote. */
export function entryOf(read: string): JournalEntry | undefined {
  if (read.length > line) return undefined;
  try {
    return entry.safeParse(JSON.parse(read)).data;
  } catch {
    return undefined;
  }
}

/** A name that others chose, such as a tool's: nothing hidden, nothing that looks like a credential, not long. */
export function journalName(given: string): string {
  return visibleLine(redactor.text(given), name);
}

const redactor = new Redactor();
