// Hides what a launch lends to a server wherever that server's words are kept or shown (CONN-10).
import { Redactor } from '../../base/redact.ts';
import { secretValues, urlPasswords } from '../../base/sensitive.ts';
import { ManagerError } from '../errors.ts';
import type { Launch } from './launch.ts';

export function launchRedactor(launch: Launch): Redactor {
  const redactor = new Redactor();
  hideSecrets(launch, redactor);
  return redactor;
}

/** What is known by name or shape, and what came from the person. */
export function hideSecrets(launch: Launch, redactor: Redactor): void {
  const named = launch.kind === 'stdio' ? launch.env : launch.headers;
  const inUrls = [...(launch.kind === 'stdio' ? launch.args : []), ...Object.values(named)].flatMap(urlPasswords);
  for (const secret of [...secretValues(named), ...inUrls, ...(launch.secrets ?? [])]) redactor.add(secret);
  for (const secret of launch.kept ?? []) redactor.add(secret, { kept: true });
}

/** The same failure, free of secrets: of those a server repeats, and of those that a command or a path is made of. */
export function redactFailure(error: ManagerError, redactor: Redactor): ManagerError {
  const entries = Object.entries(error.data).map(([name, value]) => [
    name,
    typeof value === 'string' && !own.has(name) ? redactor.text(value, { cut: cutShort.has(name) }) : value,
  ]);
  const data = Object.fromEntries(entries) as ManagerError['data'];
  const { outcome, stderr } = error;
  return new ManagerError(error.code, data, { cause: causeWithout(error.cause, redactor), outcome, stderr });
}

/** A copy of the same kind, with all that it carries: an error of the server's is passed on to whoever called. */
function causeWithout(cause: unknown, redactor: Redactor, depth = 0): unknown {
  if (!(cause instanceof Error)) return redactor.content(plain(cause));
  if (depth === deepestCause) return undefined;
  const copy = Object.create(Object.getPrototypeOf(cause) as object) as Error;
  for (const name of Object.getOwnPropertyNames(cause)) {
    const value: unknown = (cause as unknown as Record<string, unknown>)[name];
    const shown = Array.isArray(value)
      ? value.map((item) => causeWithout(item, redactor, depth + 1))
      : causeWithout(value, redactor, depth + 1);
    Object.defineProperty(copy, name, {
      value: shown,
      configurable: true,
      writable: true,
      enumerable: isShown(cause, name),
    });
  }
  return copy;
}

/** Errors of the system may hold sockets and the like, which are nothing to pass on, and are round. */
function plain(value: unknown): unknown {
  if (typeof value !== 'object' || value === null) return value;
  try {
    return JSON.parse(JSON.stringify(value));
  } catch {
    return undefined;
  }
}

/** Longer chains tell nothing more, and may be round. */
const deepestCause = 8;

function isShown(error: Error, name: string): boolean {
  return Object.prototype.propertyIsEnumerable.call(error, name);
}

/** Words of ours. */
const own: ReadonlySet<string> = new Set(['server', 'because']);
/** Words of another that may have been cut in the middle of a secret. */
const cutShort: ReadonlySet<string> = new Set(['detail', 'excerpt', 'noiseSample', 'url', 'found']);
