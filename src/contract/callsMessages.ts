// What crosses between the extension and the page of recent calls, checked on both sides. The page gets words, not data
// to make them from, but for times: only the page knows the clock on the person's wall.
import * as z from 'zod/mini';

const call = z.object({
  id: z.string(),
  /** Milliseconds since the epoch. */
  at: z.number(),
  server: z.string(),
  tool: z.string(),
  caller: z.string(),
  decision: z.string(),
  duration: z.string(),
  sent: z.string(),
  received: z.string(),
  outcome: z.string(),
  tone: z.enum(['good', 'bad', 'unsure', 'plain']),
});
export type ShownCall = z.infer<typeof call>;

const words = z.object({
  title: z.string(),
  setting: z.string(),
  filter: z.string(),
  server: z.string(),
  allServers: z.string(),
  /** Has the places `{shown}` and `{count}`. */
  counted: z.string(),
  empty: z.string(),
  noMatch: z.string(),
  columns: z.object({
    time: z.string(),
    server: z.string(),
    tool: z.string(),
    caller: z.string(),
    decision: z.string(),
    duration: z.string(),
    sent: z.string(),
    received: z.string(),
    outcome: z.string(),
  }),
});

const calls = z.object({
  /** The newest first. */
  calls: z.array(call),
  /** Where the calls are kept, and for how long. */
  storage: z.string(),
  /** What keeps the page from being whole. */
  fault: z.optional(z.string()),
  words,
});
export type CallsView = z.infer<typeof calls>;

/**
 * To the page: always the whole state. `choice` is what the filter was asked to show, the server's name or '' for all;
 * a page follows each number once, so that what the person chose since then stays.
 */
export const toCallsPage = z.object({
  type: z.literal('show'),
  view: calls,
  choice: z.object({ server: z.string(), number: z.int() }),
});
export type ToCallsPage = z.infer<typeof toCallsPage>;

export const fromCallsPage = z.discriminatedUnion('type', [
  z.object({ type: z.literal('ready') }),
  z.object({ type: z.literal('openSetting') }),
]);
export type FromCallsPage = z.infer<typeof fromCallsPage>;
