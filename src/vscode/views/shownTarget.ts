// What a definition runs or reaches, as far as it is shown without being asked for: no part that may hold a secret.
// The question for approval is the one place that shows all of it.
import { Redactor } from '../../base/redact.ts';
import { secretArguments } from '../../base/sensitive.ts';
import type { StdioDefinition } from '../../contract/serverConfig.ts';

/** As the diagnosis shows it: path and query may hold secrets. Variables stay as they are written. */
export function originOf(url: string): string {
  return /^[a-z]+:\/\/[^/?#]+/i.exec(url)?.[0] ?? '?';
}

/** The command line; credentials, and what follows an option that is named like one, are hidden. */
export function shownCommand({ command, args }: Pick<StdioDefinition, 'command' | 'args'>): string {
  return new Redactor(secretArguments(args)).text([command, ...args].join(' '));
}
