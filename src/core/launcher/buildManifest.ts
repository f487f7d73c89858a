// The files of one build of the command line, as the build wrote them down (esbuild.mjs): what is copied, and what the
// copy is held to. Pure. Refuses a list with names that could lead out of its folder.
import { createHash } from 'node:crypto';
import * as z from 'zod/mini';

const buildFile = z.strictObject({
  /** Relative, with `/`. */
  path: z.string().check(z.regex(/^(?:chunks\/)?[A-Za-z0-9_-][A-Za-z0-9._-]{0,127}\.js$/)),
  bytes: z.int().check(z.nonnegative(), z.lte(16 * 1024 * 1024)),
  /** Hexadecimal. */
  sha256: z.string().check(z.regex(/^[0-9a-f]{64}$/)),
});

const buildManifest = z.strictObject({
  version: z.string().check(z.regex(/^\d{1,6}\.\d{1,6}\.\d{1,6}(?:-[0-9A-Za-z.-]{1,40})?$/)),
  files: z.array(buildFile).check(z.minLength(1), z.maxLength(200)),
});

export type BuildFile = z.infer<typeof buildFile>;
export type BuildManifest = z.infer<typeof buildManifest>;

/** Beside the program, in the extension. */
export const manifestName = 'cli.files.json';

/** Fails with an error where the text is no such list. */
export function readManifest(text: string): BuildManifest {
  return z.parse(buildManifest, JSON.parse(text));
}

/** The name of its folder: another one for any other content. */
export function buildName({ version, files }: BuildManifest): string {
  const lines = files.map(({ path, bytes, sha256 }) => `${path} ${bytes} ${sha256}\n`).sort();
  return `${version}-${createHash('sha256').update(lines.join('')).digest('hex').slice(0, 16)}`;
}

/** Whether a name in the folder of launchers is that of a build. */
export function isBuildName(name: string): boolean {
  return /^\d+\.\d+\.\d+(?:-[0-9A-Za-z.-]+)?-[0-9a-f]{16}$/.test(name);
}
