// The format of an mcp.json file, field by field, as zod schemas (product CFG-1, CFG-6). Rules over several fields, ids and
// defaults are in configFile.ts. Every message continues the words "is not allowed:".
import * as z from 'zod/mini';
import { policyWords } from './serverConfig.ts';
import { checkServerUrl, checkUrlTemplate } from './urlRule.ts';

/** Reasons of faults that several places share. */
export const mustBe = {
  text: 'it must be text',
  filled: 'it must be text that is not empty and holds no NUL',
  noNul: 'it must be text without NUL',
  truth: 'it must be true or false',
  list: 'it must be a list',
  object: 'it must be an object',
  milliseconds: 'it must be a whole number of milliseconds from 1 to 86400000',
} as const;

const text = z.string({ error: mustBe.text });
const filled = z.string({ error: mustBe.filled }).check(z.regex(/^(?=[^\0]*\S)[^\0]+$/, { error: mustBe.filled }));
const noNul = z.string({ error: mustBe.noNul }).check(z.regex(/^[^\0]*$/, { error: mustBe.noNul }));
const truth = z.boolean({ error: mustBe.truth });
const milliseconds = z
  .number({ error: mustBe.milliseconds })
  .check(
    z.refine((value) => Number.isInteger(value) && value >= 1 && value <= 86_400_000, { error: mustBe.milliseconds }),
  );

/** A word out of a few, named in the fault. */
function oneOf<const Words extends readonly [string, ...string[]]>(
  words: Words,
): z.ZodMiniEnum<{ [W in Words[number]]: W }> {
  return z.enum(words, { error: `it must be one of ${words.join(', ')}` });
}

/** A value that a pure rule judges; the rule answers the reason of a refusal. */
function ruled(rule: (value: string) => string | undefined): z.ZodMiniString {
  return text.check(
    z.superRefine((value, context) => {
      const reason = rule(value);
      if (reason !== undefined) context.addIssue(reason);
    }),
  );
}

const envName = text.check(
  z.regex(/^[^=\s\u0000-\u001f\u007f]{1,256}$/, {
    error: 'an environment name holds no =, space or control character',
  }),
);
const headerName = text.check(
  z.regex(/^[!#$%&'*+.^_`|~0-9A-Za-z-]{1,256}$/, {
    error: "a header name holds letters, digits and !#$%&'*+.^_`|~- only",
  }),
);
const headerValue = text.check(
  z.regex(/^[\t\u0020-\u007e\u0080-\u00ff]*$/, {
    error: 'a header value holds no line break, NUL or other control character',
  }),
);
const toolName = text.check(z.regex(/^[^\0]{1,256}$/s, { error: 'a tool name has 1 to 256 characters' }));

/** Tool name or `*` to a word. */
export const policiesSchema = z.record(toolName, oneOf(policyWords), { error: mustBe.object });

/** One entry, of either kind: every known key is checked wherever it stands. */
export const entrySchema = z.looseObject(
  {
    command: z.optional(filled),
    args: z.optional(z.array(noNul, { error: mustBe.list })),
    env: z.optional(z.record(envName, noNul, { error: mustBe.object })),
    envFile: z.optional(filled),
    cwd: z.optional(filled),
    persistent: z.optional(truth),
    isolation: z.optional(oneOf(['shared', 'session'])),
    roots: z.optional(truth),
    url: z.optional(ruled(checkUrlTemplate)),
    transport: z.optional(oneOf(['streamable-http', 'sse'])),
    headers: z.optional(z.record(headerName, headerValue, { error: mustBe.object })),
    oauth: z.optional(
      z.looseObject(
        {
          clientId: z.optional(filled),
          clientSecret: z.optional(filled),
          scopes: z.optional(z.array(filled, { error: mustBe.list })),
          metadataUrl: z.optional(ruled(checkServerUrl)),
          redirect: z.optional(filled),
        },
        { error: mustBe.object },
      ),
    ),
    protocol: z.optional(oneOf(['legacy', 'auto', '2026-07-28'])),
    enabled: z.optional(truth),
    autostart: z.optional(truth),
    toolPolicies: z.optional(policiesSchema),
    timeouts: z.optional(
      z.looseObject(
        {
          connect: z.optional(milliseconds),
          list: z.optional(milliseconds),
          call: z.optional(milliseconds),
          request: z.optional(milliseconds),
          stop: z.optional(milliseconds),
        },
        { error: mustBe.object },
      ),
    ),
    description: z.optional(text),
  },
  { error: mustBe.object },
);
export type Entry = z.infer<typeof entrySchema>;

/** The list of values that the person is asked for. */
export const inputsSchema = z.array(
  z.looseObject(
    {
      id: text.check(
        z.regex(/^[A-Za-z0-9_.-]{1,64}$/, { error: 'an input id has 1 to 64 letters, digits, _, . or -' }),
      ),
      type: oneOf(['promptString', 'pickString']),
      description: z.optional(text),
      default: z.optional(text),
      password: z.optional(truth),
      options: z.optional(z.array(text, { error: mustBe.list })),
    },
    { error: mustBe.object },
  ),
  { error: mustBe.list },
);
export type Input = z.infer<typeof inputsSchema>[number];
