import { entryKeys, timeoutKeys } from './configKeys.ts';
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
    ...Object.keys(entry).filter(isMeantToHold),
    ...timeouts.filter((key) => !(timeoutKeys as readonly string[]).includes(key)).map((key) => `timeouts.${key}`),
  ].slice(0, 20);
}

/**
 * Other clients' words for what keeps a server or a tool from running, and our own with a slip in them: whoever wrote one
 * believes that something is held back, which is not.
 */
function isMeantToHold(key: string): boolean {
  if ((entryKeys as readonly string[]).includes(key)) return false;
  return othersWords.has(key) || ownWords.has(root(key));
}

const othersWords: ReadonlySet<string> = new Set([
  ...['disabled', 'disable', 'enable', 'isActive', 'active'],
  ...['disabledTools', 'disabled_tools', 'excludeTools', 'exclude_tools', 'deniedTools'],
  ...['enabledTools', 'enabled_tools', 'includeTools', 'include_tools', 'allowedTools', 'allowed_tools', 'tools'],
]);

/** Without capitals, marks between words, and what tells one from many. */
function root(key: string): string {
  return key
    .toLowerCase()
    .replace(/[^a-z]/g, '')
    .replace(/(?:ies|y|s)$/, '');
}

const ownWords: ReadonlySet<string> = new Set(['enabled', 'autostart', 'toolPolicies', 'timeouts'].map(root));

const stdioKeys: readonly string[] = ['args', 'env', 'envFile', 'cwd', 'isolation', 'roots'];
const remoteKeys: readonly string[] = ['transport', 'headers', 'oauth'];
