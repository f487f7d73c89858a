// Hides what a launch lends to a server wherever that server's words are kept or shown (CONN-10).
import { Redactor, secretValues } from '../../base/redact.ts';
import { ManagerError } from '../errors.ts';
import type { Launch } from './launch.ts';

export function launchRedactor(launch: Launch): Redactor {
  const named = launch.kind === 'stdio' ? launch.env : launch.headers;
  return new Redactor([...secretValues(named), ...(launch.secrets ?? [])]);
}

/** The same failure, free of secrets: of those a server repeats, and of those that a command or a path is made of. */
export function redactFailure(error: ManagerError, redactor: Redactor): ManagerError {
  const entries = Object.entries(error.data).map(([name, value]) => [
    name,
    typeof value === 'string' && !own.has(name) ? redactor.text(value, { cut: cutShort.has(name) }) : value,
  ]);
  const data = Object.fromEntries(entries) as ManagerError['data'];
  const { cause, outcome, stderr } = error;
  return new ManagerError(error.code, data, { cause, outcome, stderr });
}

/** Words of ours. */
const own: ReadonlySet<string> = new Set(['server', 'because']);
/** Words of another that may have been cut in the middle of a secret. */
const cutShort: ReadonlySet<string> = new Set(['detail', 'excerpt', 'noiseSample', 'url', 'found']);
