// How a process of the person's finds the gateway of a window (GATE-5): one small file for each window, which only they can
// read. A window in Restricted Mode is written down as well, with its folders and nothing to reach it by: whoever works
// there is served by no other window either. Whoever reads such a file checks it as any other input.
import * as z from 'zod/mini';
import { processIdentity } from './gatewayWire.ts';

const text = (most: number) => z.string().check(z.maxLength(most));

const common = {
  /** Of this form; another one is not understood. */
  version: z.literal(1),
  /** Who the window's process is, so that a later one with its number is told apart. */
  process: processIdentity,
  /** Absolute paths of the window's folders, without links. */
  folders: z.array(text(4_096)).check(z.maxLength(100)),
  /** When it was in front last, in milliseconds since the epoch. */
  focusedAt: z.number(),
};

const serving = z.object({
  ...common,
  kind: z.literal('serving'),
  /** `http://127.0.0.1:PORT` */
  url: text(100).check(z.regex(/^http:\/\/127\.0\.0\.1:\d{1,5}$/)),
  /** Absolute path of its socket; absent where the system has none. */
  socket: z.optional(text(4_096)),
  token: text(200),
});

const restricted = z.object({ ...common, kind: z.literal('restricted') });

export const announcedWindow = z.discriminatedUnion('kind', [serving, restricted]);

/** A window, whether it serves agents or not. */
export type AnnouncedWindow = z.infer<typeof announcedWindow>;

/** One that serves agents. */
export type WindowDescriptor = z.infer<typeof serving>;
