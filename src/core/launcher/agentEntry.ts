// The one entry that any agent needs (GATE-6): our launcher, and `proxy`. Pure. It holds no secret, no version and no
// path of an editor, so that no update of either breaks it.
import { win32 } from 'node:path';
import type { AgentMcpConfig } from '../../contract/publicApi.ts';
import { binPaths } from './binPaths.ts';

/** How an agent starts a stdio server: a program and its arguments, in no agent's own format. */
export interface AgentEntry {
  readonly command: string;
  readonly args: readonly string[];
}

/** The key under which agents hold the entry. */
export const agentKey = 'roundhouse';

/**
 * `home` is the product's folder, `~/.mcp-roundhouse`. `more` follows `proxy`. On Windows the launcher is a batch file,
 * which many agents cannot start by themselves: Node refuses to without a shell. So cmd.exe is named, by its full path,
 * since a file of that name in a project's folder would come before the system's.
 */
export function agentEntry(
  home: string,
  platform: NodeJS.Platform,
  { more = [], systemRoot = 'C:\\Windows' }: { readonly more?: readonly string[]; readonly systemRoot?: string } = {},
): AgentEntry {
  const { launcher } = binPaths(home, platform);
  const args = ['proxy', ...more];
  if (platform !== 'win32' || !isLiteral(launcher)) return { command: launcher, args };
  // `call` keeps cmd.exe from taking away the first and the last quotation mark of a line that begins with one.
  return { command: win32.join(systemRoot, 'System32', 'cmd.exe'), args: ['/d', '/c', 'call', launcher, ...args] };
}

/** The same in the form that most agents take. */
export function agentConfig({ command, args }: AgentEntry): AgentMcpConfig {
  return { mcpServers: { [agentKey]: { type: 'stdio', command, args } } };
}

/**
 * Whether cmd.exe reads the path as it is. An agent puts it in quotation marks where it holds a blank and else does not;
 * `%` and `^` are read in both, and the others outside of them. The agent then has to start the batch file its own way.
 */
function isLiteral(path: string): boolean {
  return !(/[ \t]/.test(path) ? /[%^"]/ : /[%^"&|<>(),;=!]/).test(path);
}
