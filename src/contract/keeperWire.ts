// What crosses between the keeper and the person's own windows and programs, besides MCP itself (KEEP-1, KEEP-4): the file by
// which it is found, what it is asked, what it tells. Everything is strict and bounded on both sides: the file may be anything,
// and of a process that knows the token only that is known. Pure.
import * as z from 'zod/mini';
import type { ErrorCode } from './errorCodes.ts';
import { processIdentity } from './gatewayWire.ts';
import { sentences } from './sentences.ts';
import type { ServerId } from './serverConfig.ts';

/** Of what is asked and told; a keeper of another one is not understood. */
export const keeperWire = 1;

const text = (most: number) => z.string().check(z.maxLength(most));
const name = text(200).check(z.minLength(1));
/** A path or a key that holds one. */
const place = text(5_000).check(z.minLength(1));
const count = z.int().check(z.nonnegative());

/** The file by which the keeper is found. It opens the keeper to whoever can read it, and holds nothing else. */
export const keeperDescriptor = z.strictObject({
  /** Of this form. */
  version: z.literal(1),
  wire: count,
  /** Of the program, for people. */
  build: name,
  process: processIdentity,
  /** `http://127.0.0.1:PORT` */
  url: text(100).check(z.regex(/^http:\/\/127\.0\.0\.1:\d{1,5}$/)),
  /** Absolute path of its socket; absent where the system has none. */
  socket: z.optional(place),
  token: text(200).check(z.regex(/^[A-Za-z0-9_-]{22,}$/)),
});

export type KeeperDescriptor = z.infer<typeof keeperDescriptor>;

const id = z.custom<ServerId>((value) => typeof value === 'string' && /^[A-Za-z0-9_-]{1,32}$/.test(value));
const argument = text(128 * 1024);
const milliseconds = z.optional(z.number().check(z.positive()));
const values = z.record(text(1_000).check(z.regex(/^[^=\0]+$/)), argument);

/** A resolved launch of a process on this machine; there is no form for anything else. */
const stdioLaunch = z.strictObject({
  kind: z.literal('stdio'),
  id,
  protocol: z.enum(['legacy', 'auto', '2026-07-28']),
  timeouts: z.strictObject({
    connect: milliseconds,
    list: milliseconds,
    call: milliseconds,
    request: milliseconds,
    stop: milliseconds,
  }),
  fingerprint: text(128).check(z.minLength(1)),
  secrets: z.optional(z.array(argument).check(z.maxLength(2_000))),
  kept: z.optional(z.array(argument).check(z.maxLength(2_000))),
  command: place,
  executable: z.optional(place),
  bound: z.optional(z.boolean()),
  calledAs: z.optional(place),
  args: z.array(argument).check(z.maxLength(2_000)),
  env: values,
  cwd: place,
});

/** POST /keeper/launch: this server is to run, for whoever holds it. */
export const launchRequest = z.strictObject({
  /** Of the stream that the asker holds open; absent for one that only opens a session. */
  hold: z.optional(z.uuid()),
  /** Scope and id of the definition: `user:<id>`, `project:<folder>:<id>`. */
  key: place,
  /** Where the definition stands, for the person whose other one differs. */
  file: place,
  launch: stdioLaunch,
  /** All that the server inherits. */
  environment: values,
  roots: z.array(z.strictObject({ uri: place, name: z.optional(name) })).check(z.maxLength(100)),
});

export type LaunchRequest = z.infer<typeof launchRequest>;

/** POST /keeper/release: the asker wants this server no more, which goes on running. */
export const releaseRequest = z.strictObject({ hold: z.uuid(), key: place });

/** POST /keeper/stop and /keeper/restart. */
export const serverRequest = z.strictObject({ key: place });

const data = z.record(text(100), z.union([text(10_000), z.number(), z.boolean()]));
const code = z.custom<ErrorCode>((value) => typeof value === 'string' && Object.hasOwn(sentences, value));
const problem = z.strictObject({ code, data, stderr: z.optional(z.array(text(10_000)).check(z.maxLength(100))) });

const negotiated = z.strictObject({
  era: z.enum(['legacy', 'modern']),
  revision: text(50),
  transport: z.literal('stdio'),
  pid: z.optional(count),
  serverName: z.optional(text(1_000)),
  serverVersion: z.optional(text(1_000)),
  instructions: z.optional(text(128 * 1024)),
});

/** As a window shows it; of a server of the keeper's none is blocked or waits for a sign-in. */
const serverState = z.discriminatedUnion('kind', [
  z.strictObject({ kind: z.literal('stopped') }),
  z.strictObject({ kind: z.literal('connecting'), since: z.number() }),
  z.strictObject({ kind: z.literal('installing'), since: z.number(), detail: text(10_000) }),
  z.strictObject({ kind: z.literal('ready'), since: z.number(), generation: z.int(), negotiated }),
  z.strictObject({ kind: z.literal('backingOff'), nextAttemptAt: z.number(), attempt: count, problem }),
  z.strictObject({ kind: z.literal('failed'), problem }),
]);

export type KeptState = z.infer<typeof serverState>;

/** The answer to a launch: the server is ready, at this path of the keeper's address. */
export const launched = z.strictObject({
  path: text(100).check(z.regex(/^\/mcp\/[a-z0-9]+$/)),
  state: serverState,
  /** The number of the last event that came before this answer. */
  at: count,
});

export type Launched = z.infer<typeof launched>;

/** What any request is answered that failed. */
export const keeperFailure = z.strictObject({
  error: z.strictObject({ ...problem.shape, outcome: z.enum(['notSent', 'unknown', 'completed']) }),
});

/** GET /keeper/hold: what its stream tells of the servers that its holder launched. The first is `held`. */
export const keeperEvent = z.discriminatedUnion('kind', [
  z.strictObject({ kind: z.literal('held'), hold: z.uuid() }),
  /** `at` rises from event to event: an answer and a stream may overtake each other. */
  z.strictObject({ kind: z.literal('state'), key: place, state: serverState, at: count }),
  /** A line of stderr, or of stdout that was no message; what the server was lent is taken out. */
  z.strictObject({ kind: z.literal('log'), key: place, line: text(64 * 1024) }),
]);

export type KeeperEvent = z.infer<typeof keeperEvent>;

/** GET /keeper/status */
export const keeperStatus = z.strictObject({
  wire: count,
  build: name,
  process: processIdentity,
  /** When it started, in milliseconds since 1970. */
  since: z.number(),
  /** Seconds without holds and sessions until it ends; null: never. */
  idleSeconds: z.nullable(z.number()),
  holds: count,
  sessions: count,
  servers: z.array(
    z.strictObject({
      key: place,
      id,
      file: place,
      path: text(100),
      fingerprint: text(128),
      state: serverState,
      /** How many hold it. */
      holds: count,
    }),
  ),
});

export type KeeperStatus = z.infer<typeof keeperStatus>;

/** How the program ended: for whoever started it, who sees nothing else of it. */
export const keeperExits = {
  ended: 0,
  internal: 1,
  usage: 2,
  /** There is another one, or what holds its lock cannot be told to be gone. */
  taken: 3,
  diskFull: 4,
  /** Its folder or a file in it is not the person's alone, or may not be written. */
  folder: 5,
} as const;
