import { timeoutKeys } from './configKeys.ts';
import { isJsonObject, type JsonValue } from './json.ts';
import type { ServerDefinition } from './serverConfig.ts';

/**
 * What a definition asks for and this version does not do yet: the file format is ahead of it. Whoever wrote it is told,
 * so that nobody counts on it.
 */
export function keysWithoutEffect(definition: ServerDefinition): readonly string[] {
  if (definition.kind === 'remote') return definition.oauth === undefined ? [] : ['oauth'];
  return [
    ...(definition.persistent ? ['persistent'] : []),
    ...(definition.isolation === 'session' ? ['isolation'] : []),
  ];
}

/**
 * What an entry holds that no version acts on where it stands: keys of the other kind of server, and time-outs of other
 * names. They are kept, as all unknown keys are (CFG-2); whoever wrote them most likely meant something else.
 * @param entry one that was read without a fault, as written
 */
export function keysOutOfPlace(entry: JsonValue | undefined): readonly string[] {
  if (!isJsonObject(entry)) return [];
  const foreign = Object.hasOwn(entry, 'url') ? stdioKeys : remoteKeys;
  const timeouts = isJsonObject(entry['timeouts']) ? Object.keys(entry['timeouts']) : [];
  return [
    ...foreign.filter((key) => Object.hasOwn(entry, key)),
    ...timeouts.filter((key) => !(timeoutKeys as readonly string[]).includes(key)).map((key) => `timeouts.${key}`),
  ].slice(0, 20);
}

const stdioKeys: readonly string[] = ['args', 'env', 'envFile', 'cwd', 'isolation'];
const remoteKeys: readonly string[] = ['transport', 'headers', 'oauth'];
