// Hides what a launch lends to a server wherever that server's words are kept or shown (CONN-10).
import { Redactor, secretValues } from '../../base/redact.ts';
import { ManagerError } from '../errors.ts';
import type { Launch } from './launch.ts';

export function launchRedactor(launch: Launch): Redactor {
  const named = launch.kind === 'stdio' ? launch.env : launch.headers;
  return new Redactor([...secretValues(named), ...(launch.secrets ?? [])]);
}

/** The same failure; what a server may have said in it is free of secrets. Ids and numbers stay as they are. */
export function redactFailure(error: ManagerError, redactor: Redactor): ManagerError {
  const entries = Object.entries(error.data).map(([name, value]) => [
    name,
    typeof value === 'string' && worded.has(name) ? redactor.text(value, { cut: true }) : value,
  ]);
  const data = Object.fromEntries(entries) as ManagerError['data'];
  const { cause, outcome, stderr } = error;
  return new ManagerError(error.code, data, { cause, outcome, stderr });
}

/** The parts of an error's data that hold another's words. */
const worded: ReadonlySet<string> = new Set(['detail', 'excerpt', 'noiseSample', 'url', 'found']);
