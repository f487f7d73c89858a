// Versions of the file format (product CFG-3, CFG-4). Old files are read as a version-3 projection; reading writes nothing.
//
//   1 (and files that name no version)  entries know no `protocol`
//   2                                   `protocol` on remote entries only
//   3                                   `protocol` on both
//
// An omitted `protocol` means `legacy` in all of them (CFG-2), so raising the number changes no entry's meaning.
import { isJsonObject, type JsonObject, type JsonValue } from './json.ts';

export type ConfigVersion = 1 | 2 | 3;

/** What is written whenever a file is changed. */
export const currentConfigVersion = 3;

/** The version that a file names: undefined where it names none, `unknown` where this build cannot read it. */
export function versionOf(file: JsonObject): ConfigVersion | undefined | 'unknown' {
  if (!Object.hasOwn(file, 'version')) return undefined;
  const version = file['version'];
  return version === 1 || version === 2 || version === 3 ? version : 'unknown';
}

/** Why an entry may not say `protocol` in a file of this version; undefined where it may or does not. */
export function protocolFault(entry: JsonValue | undefined, version: ConfigVersion | undefined): string | undefined {
  if (version === 3 || !isJsonObject(entry) || !Object.hasOwn(entry, 'protocol')) return undefined;
  if (version !== 2) return 'it needs "version": 3 in this file';
  return Object.hasOwn(entry, 'url') ? undefined : 'on a command it needs "version": 3 in this file';
}
