// What counts as secret where nobody said so: by the name of a variable, header or option, or by the shape of a value.
// Pure.
import { hasTokenShape, type TextRange } from './credentialShapes.ts';

/** Whether a variable, header or field of this name may hold a secret, as far as names tell: its value is not shown. */
export function isSensitiveName(name: string): boolean {
  return (
    isCredentialName(name) || /key|pass|bearer|sess(?:ion)?[-_. ]?id/i.test(name) || partsOf(name).some(mayBeSecret)
  );
}

/** Whether it is named like what carries a credential and nothing else: no project's file may hold such a header (TRUST-6). */
export function isCredentialName(name: string): boolean {
  return (
    /authori[sz]ation|cookie|token|secret|credential|passw/i.test(name) ||
    /(?:api|access|auth|account|master|private|subscription|functions?)[-_.]?key/i.test(name) ||
    (partsOf(name).some(isCredential) && !workingFolder.test(name))
  );
}

/** Whether a value is kept out of sight, by its name or by its shape. */
export function isSensitive(name: string, value: string): boolean {
  return isSensitiveName(name) || hasTokenShape(value);
}

/** The values among these variables that have to be hidden. */
export function secretValues(variables: Readonly<Record<string, string>>): readonly string[] {
  return Object.entries(variables).flatMap(([name, value]) => (isSensitive(name, value) ? [value] : []));
}

/** The arguments, or parts of them, that are secret by name: `--token x`, `--token=x`, `TOKEN=x`, `X-Api-Key: x`. */
export function secretArguments(args: readonly string[]): readonly string[] {
  return namedArguments(args).map(({ index, start, end }) => (args[index] ?? '').slice(start, end));
}

/** The passwords in the URLs of a text: programs show them without what stands around. */
export function urlPasswords(text: string): readonly string[] {
  return Array.from(text.matchAll(/:\/\/[^\s/?#@:]{0,256}:([^\s/?#@]{1,512})@/g), ([, password = '']) => password);
}

export interface NamedArgument extends TextRange {
  /** Of the argument; the range is within it. */
  readonly index: number;
  /** What names it: `token` of `--token`. */
  readonly name: string;
}

/** Where arguments are secret by their option. */
export function namedArguments(args: readonly string[]): readonly NamedArgument[] {
  return args.flatMap((arg, index): readonly NamedArgument[] => {
    const [, before = '', sign = '', value] = /^(-{0,2}[\w.-]+)(=|:\s*)(.*)$/s.exec(arg) ?? [];
    const [option, start] = value === undefined ? [args[index - 1] ?? '', 0] : [before, before.length + sign.length];
    // An option behind an option is no value of it.
    if (value === undefined && (arg.startsWith('-') || !/^-[^=]*$/.test(option))) return [];
    const name = option.replace(/^-+/, '');
    return isSensitiveName(name) ? [{ index, name, start, end: arg.length }] : [];
  });
}

/** `auth_data`, `authData` and `AUTH-DATA` have two parts. */
export function partsOf(name: string): readonly string[] {
  return name
    .replace(/([a-z0-9])([A-Z])/g, '$1 $2')
    .split(/[^A-Za-z0-9]+/)
    .filter((part) => part !== '');
}

/** Not what has these letters for another reason: `PATH`, `PATTERN`; of `auth`, see `mayBeSecret`. */
function isCredential(part: string): boolean {
  return /^(?:auth|jwt|pat|pw|psk)$|pwd\d*$/i.test(part);
}

/** The shell's own names for folders. */
const workingFolder = /^(?:old)?pwd$/i;

/** Not what has these letters for another reason: `NODE_TLS_REJECT_UNAUTHORIZED`, `AUTHOR`, `AUTHORITY`, `SIGTERM`. */
function mayBeSecret(part: string): boolean {
  return /(?<!un)auth(?!or(?!i[sz]))|^(?:sig|signature|t?otp)$/i.test(part);
}
