// What counts as secret where nobody said so: by the name of a variable, header or option, or by the shape of a value.
// Pure.
import { hasTokenShape, type TextRange } from './credentialShapes.ts';

/** Whether a variable, header or field of this name holds a secret, as far as names tell. */
export function isSensitiveName(name: string): boolean {
  return /key|token|secret|pass|credential|cookie|bearer/i.test(name) || partsOf(name).some(isAuth);
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
function partsOf(name: string): readonly string[] {
  return name.replace(/([a-z0-9])([A-Z])/g, '$1 $2').split(/[^A-Za-z0-9]+/);
}

/** Not what has these letters for another reason: `NODE_TLS_REJECT_UNAUTHORIZED`, `AUTHOR`, `AUTHORITY`. */
function isAuth(part: string): boolean {
  return /^[ox]?auth(?!or(?!i[sz]))|auth\d*$/i.test(part);
}
