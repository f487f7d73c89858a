// Whether a header is named like one that carries a credential: no project's file may hold it, whatever its value
// (TRUST-6). What a name says of a credential it says here, and a few words that mean nothing else in a header. Pure.
import { isCredentialName, partsOf } from '../../base/sensitive.ts';

export function isCredentialHeader(name: string): boolean {
  if (isCredentialName(name)) return true;
  const parts = partsOf(name).map((part) => part.toLowerCase());
  if (parts.some((part) => words.test(part))) return true;
  return /^keys?$/.test(parts.at(-1) ?? '') && !ordinary.has(parts.at(-2) ?? '');
}

const words = /^(?:o?auth\d*|authenticat(?:e|ion)|bearer|pass|passphrase|otp|signature|sig)$/;

/** Keys that name a thing: `Idempotency-Key`, `X-Cache-Key`. */
const ordinary: ReadonlySet<string> = new Set([
  ...['idempotency', 'cache', 'partition', 'routing', 'sort', 'primary', 'public', 'surrogate', 'feature', 'project'],
]);
