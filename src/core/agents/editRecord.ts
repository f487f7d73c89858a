// What we wrote into a file of another program, as it is kept on disk to be undone: the entry before and after, never the
// rest of the file. The file is in the person's own folder, and it is read as anything there: it may be broken.
import * as z from 'zod/mini';
import type { JsonObject, JsonValue } from '../../contract/json.ts';
import type { ConfigScope } from '../../contract/serverConfig.ts';
import type { EntryState } from './clientFile.ts';
import type { ClientFile, ClientId, FileFormat } from './clients.ts';
import type { TextHunk } from './textHunk.ts';

export type EditPurpose = 'connect' | 'takeOver';

export interface EditRecord {
  readonly id: string;
  readonly purpose: EditPurpose;
  /** The take-over that it belongs to. */
  readonly takeOver?: string;
  readonly client: ClientId;
  /** As the client opens it. */
  readonly path: string;
  /** Links resolved at that time. */
  readonly realPath: string;
  readonly scope: ConfigScope;
  readonly onlyIn?: string;
  readonly format: FileFormat;
  readonly shape: ClientFile['shape'];
  readonly keyPath: readonly string[];
  readonly name: string;
  /** The one field that was set; absent where the whole entry was written or taken out. */
  readonly field?: string;
  /** The entry before us; absent where there was none. */
  readonly before?: EntryState;
  /** As we left it; absent where we took it out. */
  readonly after?: EntryState;
  /** Absent where the client's own command wrote the file. */
  readonly hunk?: TextHunk;
  readonly madeFile: boolean;
  /** The first folder that was made for the file. */
  readonly madeFolder?: string;
  /** How many objects on the way to the entry were made. */
  readonly madeKeys: number;
  /** Name of the copy of the file before us. */
  readonly backup?: string;
  /** Milliseconds since 1970. */
  readonly at: number;
}

/** Undefined where the text is not such a list. */
export function parseRecords(text: string): readonly EditRecord[] | undefined {
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch {
    return undefined;
  }
  const parsed = fileSchema.safeParse(value);
  // Their client's id may be of a later build; nothing of these is looked up by it.
  return parsed.success ? (parsed.data.edits as unknown as readonly EditRecord[]) : undefined;
}

export function writeRecords(records: readonly EditRecord[]): string {
  return `${JSON.stringify({ version: 1, edits: records }, undefined, 2)}\n`;
}

const entryState = z.object({ raw: z.record(z.string(), z.unknown()), text: z.string() });

const fileSchema = z.object({
  version: z.literal(1),
  edits: z.array(
    z.object({
      id: z.string().check(z.regex(/^[0-9a-f-]{36}$/)),
      purpose: z.enum(['connect', 'takeOver']),
      takeOver: z.optional(z.string()),
      client: z.string(),
      path: z.string(),
      realPath: z.string(),
      scope: z.union([
        z.object({ kind: z.literal('user') }),
        z.object({ kind: z.literal('project'), folder: z.string(), name: z.string() }),
      ]),
      onlyIn: z.optional(z.string()),
      format: z.enum(['json', 'jsonc', 'toml', 'yaml']),
      shape: z.string(),
      keyPath: z.array(z.string()).check(z.minLength(1)),
      name: z.string(),
      field: z.optional(z.string()),
      before: z.optional(entryState),
      after: z.optional(entryState),
      hunk: z.optional(z.object({ at: z.int().check(z.nonnegative()), removed: z.string(), inserted: z.string() })),
      madeFile: z.boolean(),
      madeFolder: z.optional(z.string()),
      madeKeys: z.int().check(z.nonnegative()),
      backup: z.optional(z.string().check(z.regex(/^[0-9a-f-]{36}$/))),
      at: z.number(),
    }),
  ),
});

/** How many objects on the way to an entry are not there yet. */
export function missingKeys(value: JsonObject, keyPath: readonly string[]): number {
  let current: JsonValue | undefined = value;
  for (const [index, key] of keyPath.entries()) {
    if (typeof current !== 'object' || current === null || !Object.hasOwn(current, key)) return keyPath.length - index;
    current = (current as JsonObject)[key];
  }
  return 0;
}
