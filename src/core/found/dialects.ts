// How each client writes a server, as data: where the launch stands, which variables it replaces, in which unit its times
// are, and which keys are about the client's own screen, so that leaving them behind changes nothing.
import type { TimeoutOverrides } from '../../contract/serverConfig.ts';
import type { EntryShape } from '../agents/clients.ts';
import type { VariableGrammar } from './clientVariables.ts';

export type TransportWord = 'stdio' | 'sse' | 'streamable-http' | 'auto';

export interface DialectRules {
  readonly variables: VariableGrammar;
  /** The first of these that is there is the address; without a `type` it means this transport. */
  readonly urlKeys: readonly { readonly name: string; readonly transport?: TransportWord }[];
  /** What the client calls `http` tries the older transport too. */
  readonly httpFallsBack?: true;
  /** The client skips an address that has no `type`. */
  readonly urlNeedsType?: true;
  readonly environmentKey?: string;
  /** A list of names of variables that the server gets from the client's own environment. */
  readonly inheritedKey?: string;
  /** Maps of headers besides `headers`. */
  readonly headerKeys?: readonly string[];
  /** A map from header to the name of the variable that has its value. */
  readonly headersFromEnvironment?: string;
  readonly bearerKey?: string;
  readonly bearerEnvironmentKey?: string;
  /** An object that holds `headers` among other things. */
  readonly optionsKey?: string;
  readonly onlyTools?: readonly string[];
  readonly withoutTools?: readonly string[];
  /** `unit`: milliseconds of one of the client's. */
  readonly timeouts?: readonly {
    readonly key: string;
    readonly of: keyof TimeoutOverrides;
    readonly unit: 1 | 1000;
  }[];
  /** With one of these the client itself does a part of the launch. */
  readonly refusedKeys?: readonly string[];
  /** Leaving these behind changes nothing. */
  readonly silentKeys?: readonly string[];
}

const url = [{ name: 'url' }] as const;
const ms = 1;
const seconds = 1000;

export const dialects: Readonly<Record<EntryShape, DialectRules>> = {
  claude: {
    variables: 'shell',
    urlKeys: url,
    urlNeedsType: true,
    timeouts: [{ key: 'timeout', of: 'call', unit: ms }],
    refusedKeys: ['headersHelper'],
  },
  desktop: { variables: 'none', urlKeys: url },
  vscode: {
    variables: 'vscode',
    urlKeys: url,
    httpFallsBack: true,
    silentKeys: ['gallery', 'version'],
  },
  copilot: {
    variables: 'shell',
    urlKeys: url,
    onlyTools: ['tools'],
    timeouts: [{ key: 'timeout', of: 'call', unit: ms }],
  },
  cursor: { variables: 'cursor', urlKeys: url },
  windsurf: { variables: 'env', urlKeys: [{ name: 'serverUrl' }, { name: 'url' }], withoutTools: ['disabledTools'] },
  codex: {
    variables: 'none',
    urlKeys: [{ name: 'url', transport: 'streamable-http' }],
    inheritedKey: 'env_vars',
    headerKeys: ['http_headers'],
    headersFromEnvironment: 'env_http_headers',
    bearerEnvironmentKey: 'bearer_token_env_var',
    onlyTools: ['enabled_tools'],
    withoutTools: ['disabled_tools'],
    timeouts: [
      { key: 'startup_timeout_ms', of: 'connect', unit: ms },
      { key: 'startup_timeout_sec', of: 'connect', unit: seconds },
      { key: 'tool_timeout_sec', of: 'call', unit: seconds },
    ],
  },
  gemini: {
    variables: 'dollar',
    urlKeys: [
      { name: 'httpUrl', transport: 'streamable-http' },
      { name: 'url', transport: 'sse' },
    ],
    onlyTools: ['includeTools'],
    withoutTools: ['excludeTools'],
    timeouts: [{ key: 'timeout', of: 'call', unit: ms }],
  },
  zed: { variables: 'none', urlKeys: url, silentKeys: ['source'] },
  cline: {
    variables: 'none',
    urlKeys: [{ name: 'url', transport: 'sse' }],
    timeouts: [{ key: 'timeout', of: 'call', unit: seconds }],
  },
  roo: {
    variables: 'roo',
    urlKeys: url,
    withoutTools: ['disabledTools'],
    timeouts: [{ key: 'timeout', of: 'call', unit: seconds }],
  },
  continue: {
    variables: 'mustache',
    urlKeys: url,
    bearerKey: 'apiKey',
    optionsKey: 'requestOptions',
    timeouts: [{ key: 'connectionTimeout', of: 'connect', unit: ms }],
    silentKeys: ['name', 'faviconUrl', 'sourceFile', 'uses'],
  },
  opencode: {
    variables: 'braces',
    urlKeys: url,
    environmentKey: 'environment',
    timeouts: [{ key: 'timeout', of: 'list', unit: ms }],
  },
};
