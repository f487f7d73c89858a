// Whether the editor's own settings let a server run, and what they say of its tools (POL-4, POL-1): pure. An enterprise
// restricts MCP by them, by name, URL or command, and whoever stands between an editor and its servers would lead around
// them. Promises: at least as strict as the editor itself, the strictest of all places where a setting is set holds, and
// a value that is not understood lets nothing run.
import type { ServerDefinition, ServerId } from '../../contract/serverConfig.ts';
import { parseTemplate } from '../../contract/variables.ts';
import type { EditorSource } from './decide.ts';
import { canDeny, deniesUrl } from './deniedUrl.ts';
import { matchesUrl } from './urlPattern.ts';

/** One setting of the editor, as it is given: nothing is believed about its values. */
export interface SettingValues {
  /** The one that holds in the editor. */
  readonly effective: unknown;
  /** What the organisation set; the setting's default where it set nothing. */
  readonly managed: unknown;
  /** What the person and the workspace set, where they did. */
  readonly others: readonly unknown[];
}

export const editorSettingIds = {
  access: 'chat.mcp.access',
  /** What editors before 1.104 have in its place. */
  enabled: 'chat.mcp.enabled',
  allowed: 'chat.mcp.allowedServers',
  denied: 'chat.mcp.deniedServers',
  managedOnly: 'chat.mcp.allowManagedServersOnly',
  /** Tools by `server/tool`: whether a call may go out without a question. */
  unasked: 'chat.tools.eligibleForAutoApproval',
} as const;

/** One that an editor does not have is left out. */
export type EditorSettings = { readonly [K in keyof typeof editorSettingIds]?: SettingValues };

/** What the settings compare. */
export interface ServerIdentity {
  readonly name: ServerId;
  readonly url?: string;
  /** The command, then its arguments. */
  readonly command?: readonly string[];
  /** The part that still holds variables: it is judged where they have their values. */
  readonly open?: 'url' | 'command';
}

export interface EditorRefusal {
  readonly setting: string;
  readonly why: 'off' | 'registry' | 'denied' | 'notAllowed' | 'unclear';
}

/** Undefined where nothing is said against it. */
export function editorRefusal(server: ServerIdentity, settings: EditorSettings): EditorRefusal | undefined {
  return accessRefusal(settings) ?? denial(server, settings) ?? absence(server, settings);
}

/** A server as it is written, before anything of it is expanded. */
export function identityOfDefinition(name: ServerId, definition: ServerDefinition): ServerIdentity {
  if (definition.kind === 'remote') {
    const url = plain(definition.url);
    return url === undefined ? { name, open: 'url' } : { name, url };
  }
  const parts = [definition.command, ...definition.args].map(plain);
  const command = parts.filter((part) => part !== undefined);
  return command.length < parts.length ? { name, open: 'command' } : { name, command };
}

/** What the editor says of the tools of a server; undefined where it says nothing. */
export function editorSource(server: ServerId, { unasked }: EditorSettings): EditorSource | undefined {
  const given = valuesOf(unasked);
  if (given.length === 0) return undefined;
  const setting = editorSettingIds.unasked;
  if (!given.every(isObject)) return { setting, wordOf: () => 'ask' };
  const prefix = `${server}/`.toLowerCase();
  const asked = new Set(
    given
      .flatMap((value) => Object.entries(value))
      .filter(([name, eligible]) => eligible !== true && name.toLowerCase().startsWith(prefix))
      .map(([name]) => name.slice(prefix.length).toLowerCase()),
  );
  if (asked.size === 0) return undefined;
  return { setting, wordOf: (tool) => (asked.has(tool.toLowerCase()) ? 'ask' : undefined) };
}

function accessRefusal({ access, enabled }: EditorSettings): EditorRefusal | undefined {
  const older = valuesOf(enabled);
  const setting = editorSettingIds.access;
  const words = valuesOf(access);
  if (older.includes(false)) return { setting: editorSettingIds.enabled, why: 'off' };
  if (words.includes('none')) return { setting, why: 'off' };
  if (!older.every((value) => value === true)) return { setting: editorSettingIds.enabled, why: 'unclear' };
  if (!words.every((word) => word === 'all' || word === 'registry')) return { setting, why: 'unclear' };
  // Nothing of ours was installed by the editor from its registry.
  return words.includes('registry') ? { setting, why: 'registry' } : undefined;
}

/** A denial in any place holds, and nothing is known of what an entry denies that is not understood. */
function denial(server: ServerIdentity, { denied }: EditorSettings): EditorRefusal | undefined {
  const setting = editorSettingIds.denied;
  const lists = valuesOf(denied).filter((value) => value !== null);
  if (!lists.every(Array.isArray)) return { setting, why: 'unclear' };
  const matchers = lists.flatMap((list) => (list as readonly unknown[]).map((entry) => matcherOf(entry, 'deny')));
  if (matchers.some((matcher) => matcher?.(server) === true)) return { setting, why: 'denied' };
  return matchers.includes(undefined) ? { setting, why: 'unclear' } : undefined;
}

/** An entry of the list of those allowed that is not understood allows nobody. */
function absence(server: ServerIdentity, { allowed, managedOnly }: EditorSettings): EditorRefusal | undefined {
  const only = valuesOf(managedOnly);
  if (!only.every((value) => typeof value === 'boolean')) {
    return { setting: editorSettingIds.managedOnly, why: 'unclear' };
  }
  const managed = only.includes(true);
  const setting = managed ? editorSettingIds.managedOnly : editorSettingIds.allowed;
  const list = managed ? (allowed?.managed ?? []) : allowed?.effective;
  if (list === undefined || list === null) return undefined;
  if (!Array.isArray(list)) return { setting: editorSettingIds.allowed, why: 'unclear' };
  const entries = list as readonly unknown[];
  const isAllowed = entries.some((entry) => matcherOf(entry)?.(server) === true || mayMatchLater(entry, server));
  return isAllowed ? undefined : { setting, why: 'notAllowed' };
}

type Matcher = (server: ServerIdentity) => boolean;

/** An entry names exactly one thing; undefined for one that does not, and for a denial of what no server could be. */
function matcherOf(entry: unknown, list: 'allow' | 'deny' = 'allow'): Matcher | undefined {
  if (!isObject(entry)) return undefined;
  const { serverName, serverUrl, serverCommand, ...others } = entry;
  const named = [serverName, serverUrl, serverCommand].filter((value) => value !== undefined);
  if (named.length !== 1 || Object.keys(others).length > 0) return undefined;
  if (isFilled(serverName)) return ({ name }) => name === serverName;
  if (isFilled(serverUrl)) {
    if (list === 'deny' && !canDeny(serverUrl)) return undefined;
    const matches = list === 'deny' ? deniesUrl : matchesUrl;
    return ({ url }) => url !== undefined && matches(serverUrl, url);
  }
  if (!isCommand(serverCommand)) return undefined;
  return ({ command }) =>
    command?.length === serverCommand.length && command.every((part, index) => part === serverCommand[index]);
}

/** Where the value of a variable decides, the launch is judged. */
function mayMatchLater(entry: unknown, { open }: ServerIdentity): boolean {
  if (!isObject(entry) || matcherOf(entry) === undefined) return false;
  return (open === 'url' && 'serverUrl' in entry) || (open === 'command' && 'serverCommand' in entry);
}

/** Every value that is set somewhere. */
function valuesOf(setting: SettingValues | undefined): readonly unknown[] {
  if (setting === undefined) return [];
  return [setting.effective, setting.managed, ...setting.others].filter((value) => value !== undefined);
}

function plain(text: string): string | undefined {
  const template = parseTemplate(text);
  if (!template.ok) return undefined;
  const parts = template.parts.map((part) => (part.kind === 'text' ? part.text : undefined));
  return parts.includes(undefined) ? undefined : parts.join('');
}

function isObject(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

function isFilled(value: unknown): value is string {
  return typeof value === 'string' && value !== '';
}

function isCommand(value: unknown): value is readonly string[] {
  return Array.isArray(value) && value.length > 0 && value.every((part) => typeof part === 'string');
}
