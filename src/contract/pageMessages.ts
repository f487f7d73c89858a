// What crosses between the extension and its pages, checked on both sides. A page names no command, no file and no
// URL to open: it can only point at what it was shown.
import * as z from 'zod/mini';

/** One part of a tool's result, ready to be shown. Text is shown as text, whatever it looks like. */
const block = z.discriminatedUnion('kind', [
  z.object({ kind: z.literal('text'), text: z.string(), format: z.enum(['plain', 'json']) }),
  z.object({
    kind: z.literal('image'),
    mimeType: z.enum(['image/png', 'image/jpeg', 'image/gif', 'image/webp']),
    base64: z.string(),
  }),
  z.object({ kind: z.literal('audio'), mimeType: z.string().check(z.regex(/^audio\/[\w.+-]+$/)), base64: z.string() }),
  z.object({ kind: z.literal('link'), uri: z.string(), name: z.string(), description: z.string() }),
  z.object({
    kind: z.literal('resource'),
    uri: z.string(),
    mimeType: z.string(),
    text: z.optional(z.string()),
    bytes: z.number(),
  }),
  z.object({ kind: z.literal('heading'), text: z.string() }),
  z.object({ kind: z.literal('other'), type: z.string(), summary: z.string() }),
]);
export type ResultBlock = z.infer<typeof block>;

const words = z.object({
  copy: z.string(),
  copied: z.string(),
  openAsJson: z.string(),
  read: z.string(),
  showAll: z.string(),
  structured: z.string(),
  empty: z.string(),
  imageAlt: z.string(),
  audioLabel: z.string(),
});

const result = z.object({
  server: z.string(),
  tool: z.string(),
  /** Already in words, such as `1.2 s`. */
  duration: z.string(),
  /** The banner of a failed tool, or undefined. */
  failure: z.optional(z.string()),
  blocks: z.array(block),
  /** Formatted JSON of `structuredContent`. */
  structured: z.optional(z.string()),
  words,
});
export type ResultView = z.infer<typeof result>;

/** To the page: always the whole state. */
export const toResultPage = z.object({ type: z.literal('show'), result });
export type ToResultPage = z.infer<typeof toResultPage>;

/** From the page; `block` is the position in the shown result. */
export const fromResultPage = z.discriminatedUnion('type', [
  z.object({ type: z.literal('ready') }),
  z.object({ type: z.literal('copy'), block: z.union([z.int(), z.literal('structured')]) }),
  z.object({ type: z.literal('openAsJson') }),
  z.object({ type: z.literal('read'), block: z.int() }),
]);
export type FromResultPage = z.infer<typeof fromResultPage>;
