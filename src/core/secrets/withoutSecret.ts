// Takes a secret out of the text of a configuration file, purely: what is to be kept, and the text without it.
import { parseTemplate } from '../../contract/variables.ts';
import { editConfigText } from '../config/editConfigText.ts';
import type { FoundSecret } from './findSecrets.ts';

/** The value to keep; undefined where the file does not have it itself, but names another place, or nothing. */
export function keptValueOf({ value, secret }: FoundSecret): string | undefined {
  const template = parseTemplate(value.slice(secret.start, secret.end));
  if (!template.ok || template.parts.some(({ kind }) => kind !== 'text')) return undefined;
  const text = template.parts.map((part) => (part.kind === 'text' ? part.text : '')).join('');
  return text.trim() === '' ? undefined : text;
}

/**
 * The text without the secret, comments and order kept: what is bound to a URL is gone, everything else names
 * `reference`, such as `${secret:name}`.
 */
export function withoutSecret(text: string, found: FoundSecret, reference: string): string {
  const { path, value, secret } = found;
  const bound = found.remedy?.kind === 'bind';
  const rest = bound ? undefined : value.slice(0, secret.start) + reference + value.slice(secret.end);
  return editConfigText(text, [{ path, value: rest }]);
}

/** A name for `${secret:}` that tells what it is for; `taken` are those that stand for something else. */
export function secretNameFor({ server, name }: FoundSecret, taken: Pick<ReadonlySet<string>, 'has'>): string {
  const base = `${server}.${name === '' ? 'token' : name}`.replace(/[^A-Za-z0-9_.-]/g, '-').slice(0, 60);
  for (let number = 1; ; number += 1) {
    const candidate = number === 1 ? base : `${base}-${number}`;
    if (!taken.has(candidate)) return candidate;
  }
}
